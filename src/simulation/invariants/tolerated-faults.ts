// Where the bot is wrong of an order and could not know better: as narrow as each case is, and what the bot owes for it when it sees.
import type { Millis } from '../../base/clock.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { FaultBox } from '../plan/fault-box.ts';
import { hasEnded, type Record } from './durable-record.ts';
import type { SignedAction } from './truth.ts';

/**
 * `ghost`: the exchange's time went back, and bytes that were dead are not. `copy`: it was refused, and a copy of the same bytes that the network made
 * was not. `undone`: the exchange was rolled back to before its end. `again`: the exchange had forgotten that it executed the bytes, and the network made
 * a copy. `old`: an account came that was older than replicas may lag. `lost`: it was sent before the state directory was lost.
 */
export type Why = 'ghost' | 'copy' | 'again' | 'old' | 'undone' | 'lost';

/** The bot has said that the order is over, and it lives. */
export interface PendingAlarm {
  readonly clientOrderId: string;
  readonly market: MarketId;
  readonly why: Why;
  /** Since the start of the run. */
  readonly at: Millis;
  /** The highest number of an account that the bot had taken in by then: those up to it may be pictures of the time before. */
  readonly account: number;
  /** A person has been told, or an account has come in which there is nothing to tell of. */
  paid: Millis | undefined;
}

/** Older than this no replica is. */
const LAG: Millis = 2_000;
/** An old account has its say until the next round of trades has told how orders ended. */
const AFTERMATH: Millis = 10_000;
/** A disk that failed is tried again after so long. */
const RETRIED: Millis = 2_000;
/** How long a bot remembers what has ended. */
const REMEMBERED: Millis = 60_000;
/** No account is on its way for longer. */
const IN_FLIGHT: Millis = 5_000;
const ON_DISK = ['diskFull', 'diskBroken', 'syncFails'] as const;

/** A refusal that says that the bytes were taken. */
const SEEN = 'DUPLICATE';

interface Ending {
  readonly status: string;
  readonly reason: string | undefined;
  readonly process: number;
  readonly undone: boolean;
}

/** What accounts have told a process: up to which action of the exchange, and when first and last. */
interface Told {
  readonly newest: number;
  readonly first: Millis;
  readonly last: Millis;
}

export class ToleratedFaults {
  readonly #now: () => Millis;
  readonly #faults: FaultBox;
  readonly #record: Record;
  /** By process: when it was last shown an account that was too old, and whether that was the last it was shown. */
  readonly #blinded = new Map<number, { at: Millis; still: boolean }>();
  readonly #told = new Map<number, Told>();
  /** The last process that was told anything. */
  #last = 0;
  #undoneAt: Millis | undefined;
  readonly debts: PendingAlarm[] = [];

  constructor({ now, faults, record }: { now: () => Millis; faults: FaultBox; record: Record }) {
    this.#now = now;
    this.#faults = faults;
    this.#record = record;
  }

  /** A process has taken in an account that is as new as that action of the exchange. */
  told(process: number, action: number): void {
    const now = this.#now();
    this.#told.set(process, { newest: action, first: this.#told.get(process)?.first ?? now, last: now });
    this.#last = process;
  }

  /** A process was shown an account: how it stood `age` before it was asked for. */
  shown(process: number, age: Millis): void {
    const before = this.#blinded.get(process);
    if (age > LAG) this.#blinded.set(process, { at: this.#now(), still: true });
    else if (before !== undefined) before.still = false;
  }

  /** The last action that an account told the process of. */
  newest(process: number): number {
    return this.#told.get(process)?.newest ?? 0;
  }

  /** The same of the last process. */
  get newestAtEnd(): number {
    return this.newest(this.#last);
  }

  /** Its first accounts may lag behind what the process before it was told. */
  hasJustBegun(process: number): boolean {
    return this.#now() <= (this.#told.get(process)?.first ?? this.#now()) + IN_FLIGHT;
  }

  undone(): void {
    this.#undoneAt = this.#now();
  }

  /** Some process has taken in an account so long after the last rollback that it shows it; false where there was none. */
  get hasSeenRollback(): boolean {
    const from = (this.#undoneAt ?? Number.POSITIVE_INFINITY) + IN_FLIGHT + 2 * AFTERMATH;
    return [...this.#told.values()].some(({ last }) => last > from);
  }

  /** Fills were undone, and the bot says that they do not explain the position: what became of an unknown order cannot be known then. */
  get isAdrift(): boolean {
    return this.#undoneAt !== undefined && this.#record.alarms.some(({ alarm }) => alarm === 'position');
  }

  /** A rolled-back exchange shows accounts by numbers that the process is past: it takes in none, and holds, until they are past those. */
  isBehind(account: number): boolean {
    return this.#undoneAt !== undefined && account < this.newestAtEnd;
  }

  isBlinded(process: number): boolean {
    if (this.#undoneAt !== undefined && this.#now() <= this.#undoneAt + AFTERMATH) return true;
    if (this.#undoneAt !== undefined && (this.#told.get(process)?.last ?? 0) <= this.#undoneAt + IN_FLIGHT) return true;
    const last = this.#blinded.get(process);
    return last !== undefined && (last.still || this.#now() <= last.at + AFTERMATH);
  }

  /** Why an order that was said to be over may be executed all the same, just now; undefined where the bot is simply wrong. */
  forExecution({ action, arrivals, executions, forgotten, sentAt }: SignedAction): Why | undefined {
    const told = action.kind === 'placeOrder' ? this.#record.latest(action.clientOrderId ?? '') : undefined;
    if (executions.length > 1) return forgotten ? 'again' : undefined;
    if (told === undefined || !hasEnded(told)) return undefined;
    if (sentAt < this.#record.lostAt) return 'lost';
    if (told.status === 'rejected') return arrivals > 1 && told.reason !== SEEN ? 'copy' : undefined;
    return told.reason === 'never reached the book' && this.wentBackSince(sentAt) ? 'ghost' : undefined;
  }

  /** Why an order that rests may be said to be over. */
  forEnding(signedAction: SignedAction, { status, reason, process, undone }: Ending): Why | undefined {
    if (signedAction.executions.length > 1 && signedAction.forgotten) return 'again';
    if (undone) return 'undone';
    if (signedAction.sentAt < this.#record.lostAt) return 'lost';
    if (status === 'rejected' && signedAction.arrivals > 1 && reason !== SEEN) return 'copy';
    return this.isBlinded(process) ? 'old' : undefined;
  }

  wentBackSince(moment: Millis): boolean {
    return this.#faults.of('backward').some(({ from }) => from >= moment && from <= this.#now());
  }

  /** A process remembers an end for a minute by its own clock: where the next one's is another, the order is a stranger's to that. */
  mayBeForgotten({ at }: PendingAlarm): boolean {
    return this.#faults.of('clockStep').some(({ from }) => from >= at - REMEMBERED && from <= this.#now());
  }

  /** Whether what was written at that moment may be lost with its process. */
  isDiskBad(moment: Millis = this.#now()): boolean {
    return ON_DISK.some((kind) => this.#faults.of(kind).some(({ from, until }) => moment >= from && moment <= until + RETRIED));
  }

  owe(debt: Omit<PendingAlarm, 'at' | 'account' | 'paid'>): void {
    if (!this.debts.some(({ clientOrderId }) => clientOrderId === debt.clientOrderId))
      this.debts.push({
        ...debt,
        at: this.#now(),
        account: Math.max(0, ...Array.from(this.#told.values(), ({ newest }) => newest)),
        paid: undefined,
      });
  }

  /** Those that can be seen by now in any account that is not too old. */
  due(): readonly PendingAlarm[] {
    if (this.debts.length === 0) return NONE;
    const before = this.#now() - AFTERMATH;
    return this.debts.filter(({ clientOrderId, at, paid }) => {
      const told = this.#record.orders.get(clientOrderId);
      const line = told?.lines.at(-1);
      return paid === undefined && at < before && line !== undefined && hasEnded(line) && (told?.last ?? 0) < before;
    });
  }

  pay(debt: PendingAlarm): void {
    debt.paid ??= this.#now();
  }

  /** The bot cannot reckon yet with an order of that market that it has taken for dead. */
  isOwing(market: MarketId): boolean {
    return this.debts.some((debt) => debt.market === market && (debt.paid === undefined || this.#now() <= debt.paid + AFTERMATH));
  }
}

const NONE: readonly PendingAlarm[] = [];
