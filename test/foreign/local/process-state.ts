// The parts of the local process that its endpoints read.
import type { Account } from '../accounts.ts';
import type { MatchingEngine } from '../matching-engine.ts';
import type { Funding } from './funding.ts';
import type { MarkHistory } from './mark-history.ts';
import type { OrderGateway } from './order-gateway.ts';
import type { ProcessSettings } from './settings.ts';
import type { Wallet } from './wallet.ts';

export interface ProcessState {
  readonly engine: MatchingEngine;
  readonly account: Account;
  readonly settings: ProcessSettings;
  readonly gateway: OrderGateway;
  readonly wallet: Wallet;
  readonly funding: Funding;
  readonly markHistories: readonly MarkHistory[];
  /** Engine milliseconds. */
  readonly now: () => number;
}
