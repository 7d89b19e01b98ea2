// The user's own wallet, and the way of money between it and the account.
import { createHash } from 'node:crypto';
import type { Account } from '../accounts.ts';
import type { Floor } from '../floor.ts';
import type { Json } from '../json.ts';
import { TOKENS } from '../market.ts';
import { timeText } from '../views.ts';
import { microsOf } from './numbers.ts';
import { Problem } from './problem.ts';
import type { ProcessSettings } from './settings.ts';

export type TransferType = 'deposit' | 'withdrawal';

/** `size` in millionths of a USDC, `time` in engine milliseconds. */
export interface Transfer {
  readonly type: TransferType;
  readonly size: number;
  readonly time: number;
}

/** What lies in the wallet when the process starts. */
const PURSE_MICROS = 50_000e6;

export class Wallet {
  /** The oldest first. */
  readonly transfers: Transfer[] = [];
  readonly #floor: Floor;
  readonly #account: Account;
  readonly #settings: ProcessSettings;
  readonly #now: () => number;
  #purse = PURSE_MICROS;

  constructor(given: { floor: Floor; account: Account; settings: ProcessSettings; now: () => number }) {
    this.#floor = given.floor;
    this.#account = given.account;
    this.#settings = given.settings;
    this.#now = given.now;
    this.transfers.push({ type: 'deposit', size: given.account.balance, time: given.now() });
  }

  /** Millionths of a USDC that could leave the account now. */
  get free(): number {
    const { omf, imf } = this.#floor.marginsOf(this.#account);
    return Math.max(0, omf - imf);
  }

  move(type: TransferType, { coin, size }: { coin: unknown; size: unknown }): Json {
    if (coin !== 'USDC') throw new Problem(isToken(coin) ? 'refused' : 'malformed', `${String(coin)} cannot be moved here`);
    const micros = microsOf(size);
    const limit = type === 'deposit' ? this.#purse : this.free;
    if (micros > limit) throw new Problem('refused', `a ${type} of ${micros / 1e6} USDC is more than the ${limit / 1e6} that are there`);
    const into = type === 'deposit' ? micros : -micros;
    this.#account.balance += into;
    this.#purse -= into;
    const transfer = { type, size: micros, time: this.#now() };
    this.transfers.push(transfer);
    return this.#receipt(transfer);
  }

  #receipt({ type, size, time }: Transfer): Json {
    const txId = transactionId(`${type} ${this.transfers.length}`);
    const said = { coin: 'USDC', status: 'processed', time: timeText(time) };
    return this.#settings.rows.walletByPost ? { ...said, txid: txId, size: size / 1e6 } : { ...said, txId };
  }
}

/** Always the same for the same deed. */
export const transactionId = (deed: string): string => createHash('sha256').update(deed).digest('hex');

const isToken = (coin: unknown): boolean => TOKENS.some(({ symbol }) => symbol === coin);
