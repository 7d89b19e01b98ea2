// Where the bot is wrong of an order and could not know better: as narrow as each case is, and what the bot owes for it when it sees.
import type { Millis } from '../base/clock.ts';
import type { MarketId } from '../domain/ids.ts';
import type { FaultBox } from './fault-box.ts';
import { hasEnded, type Record } from './record.ts';
import type { Deed } from './truth.ts';

/**
 * `ghost`: the exchange's time went back, and bytes that were dead are not. `copy`: it was refused, and a copy of the same bytes that the network made
 * was not. `again`: the exchange had forgotten that it executed the bytes, and the network made a copy. `old`: an account came that was older than
 * replicas may lag.
 */
export type Why = 'ghost' | 'copy' | 'again' | 'old';

/** The bot has said that the order is over, and it lives. */
export interface Debt {
  readonly clientOrderId: string;
  readonly market: MarketId;
  readonly why: Why;
  /** Since the start of the run. */
  readonly at: Millis;
  /** A person has been told, or an account has come in which there is nothing to tell of. */
  paid: Millis | undefined;
}

/** Older than this no replica is. */
const LAG: Millis = 2_000;
/** An old account has its say until the next round of trades has told how orders ended. */
const AFTERMATH: Millis = 10_000;
/** A disk that failed is tried again after so long. */
const RETRIED: Millis = 2_000;
const ON_DISK = ['diskFull', 'diskBroken', 'syncFails'] as const;

export class Excuses {
  readonly #now: () => Millis;
  readonly #faults: FaultBox;
  readonly #record: Record;
  /** By process: when it was last shown an account that was too old. */
  readonly #blinded = new Map<number, Millis>();
  readonly debts: Debt[] = [];

  constructor({ now, faults, record }: { now: () => Millis; faults: FaultBox; record: Record }) {
    this.#now = now;
    this.#faults = faults;
    this.#record = record;
  }

  /** A process was shown an account: how it stood `age` before it was asked for. */
  shown(process: number, age: Millis): void {
    if (age > LAG) this.#blinded.set(process, this.#now());
  }

  isBlinded(process: number): boolean {
    const last = this.#blinded.get(process);
    return last !== undefined && this.#now() <= last + AFTERMATH;
  }

  /** Why an order that was said to be over may be executed all the same, just now; undefined where the bot is simply wrong. */
  forExecution({ action, arrivals, executions, forgotten, sentAt }: Deed): Why | undefined {
    const told = action.kind === 'placeOrder' ? this.#record.latest(action.clientOrderId ?? '') : undefined;
    if (told === undefined || !hasEnded(told)) return undefined;
    if (executions.length > 1) return forgotten ? 'again' : undefined;
    if (told.status === 'rejected') return arrivals > 1 ? 'copy' : undefined;
    return told.reason === 'never reached the book' && this.wentBackSince(sentAt) ? 'ghost' : undefined;
  }

  wentBackSince(moment: Millis): boolean {
    return this.#faults.of('backward').some(({ from }) => from >= moment && from <= this.#now());
  }

  /** Whether what was written at that moment may be lost with its process. */
  isDiskBad(moment: Millis = this.#now()): boolean {
    return ON_DISK.some((kind) => this.#faults.of(kind).some(({ from, until }) => moment >= from && moment <= until + RETRIED));
  }

  owe(debt: Omit<Debt, 'at' | 'paid'>): void {
    if (!this.debts.some(({ clientOrderId }) => clientOrderId === debt.clientOrderId))
      this.debts.push({ ...debt, at: this.#now(), paid: undefined });
  }

  /** Those that can be seen by now in any account that is not too old. */
  due(): readonly Debt[] {
    return this.debts.length === 0 ? NONE : this.debts.filter(({ at, paid }) => paid === undefined && this.#now() > at + AFTERMATH);
  }

  pay(debt: Debt): void {
    debt.paid ??= this.#now();
  }

  /** The bot cannot reckon yet with an order of that market that it has taken for dead. */
  isOwing(market: MarketId): boolean {
    return this.debts.some((debt) => debt.market === market && (debt.paid === undefined || this.#now() <= debt.paid + AFTERMATH));
  }
}

const NONE: readonly Debt[] = [];
