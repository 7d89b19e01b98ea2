// The user's wallet, and deposits and withdrawals between it and the account.
import { createHash } from 'node:crypto';
import type { Account } from '../accounts.ts';
import type { Json } from '../json.ts';
import { TOKENS } from '../market.ts';
import type { MatchingEngine } from '../matching-engine.ts';
import { timeText } from '../views.ts';
import { ApiError } from './api-error.ts';
import type { ProcessSettings } from './settings.ts';
import { microsOf } from './units.ts';

export type TransferType = 'deposit' | 'withdrawal';

/** `size` in millionths of a USDC, `time` in engine milliseconds. */
export interface Transfer {
  readonly type: TransferType;
  readonly size: number;
  readonly time: number;
}

/** Initial balance of the wallet. */
const WALLET_MICROS = 50_000e6;

export class Wallet {
  /** Oldest first. */
  readonly transfers: Transfer[] = [];
  readonly #engine: MatchingEngine;
  readonly #account: Account;
  readonly #settings: ProcessSettings;
  readonly #now: () => number;
  #walletBalance = WALLET_MICROS;

  constructor(given: { engine: MatchingEngine; account: Account; settings: ProcessSettings; now: () => number }) {
    this.#engine = given.engine;
    this.#account = given.account;
    this.#settings = given.settings;
    this.#now = given.now;
    this.transfers.push({ type: 'deposit', size: given.account.balance, time: given.now() });
  }

  /** Withdrawable amount in millionths of a USDC. */
  get free(): number {
    const { omf, imf } = this.#engine.marginsOf(this.#account);
    return Math.max(0, omf - imf);
  }

  move(type: TransferType, { coin, size }: { coin: unknown; size: unknown }): Json {
    if (coin !== 'USDC') throw new ApiError(isToken(coin) ? 'refused' : 'malformed', `${String(coin)} cannot be moved here`);
    const micros = microsOf(size);
    const limit = type === 'deposit' ? this.#walletBalance : this.free;
    if (micros > limit) throw new ApiError('refused', `a ${type} of ${micros / 1e6} USDC exceeds the ${limit / 1e6} available`);
    const into = type === 'deposit' ? micros : -micros;
    this.#account.balance += into;
    this.#walletBalance -= into;
    const transfer = { type, size: micros, time: this.#now() };
    this.transfers.push(transfer);
    return this.#receipt(transfer);
  }

  #receipt({ type, size, time }: Transfer): Json {
    const txId = transactionId(`${type} ${this.transfers.length}`);
    const receipt = { coin: 'USDC', status: 'processed', time: timeText(time) };
    return this.#settings.differences.walletByPost ? { ...receipt, txid: txId, size: size / 1e6 } : { ...receipt, txId };
  }
}

/** Returns a transaction id; the same input always gives the same id. */
export const transactionId = (input: string): string => createHash('sha256').update(input).digest('hex');

const isToken = (coin: unknown): boolean => TOKENS.some(({ symbol }) => symbol === coin);
