// All that the process consists of, as its endpoints see it.
import type { Account } from '../accounts.ts';
import type { Floor } from '../floor.ts';
import type { Chart } from './candles.ts';
import type { Desk } from './desk.ts';
import type { Funding } from './funding.ts';
import type { ProcessSettings } from './settings.ts';
import type { Wallet } from './wallet.ts';

export interface House {
  readonly floor: Floor;
  readonly account: Account;
  readonly settings: ProcessSettings;
  readonly desk: Desk;
  readonly wallet: Wallet;
  readonly funding: Funding;
  readonly charts: readonly Chart[];
  /** Engine milliseconds. */
  readonly now: () => number;
}
