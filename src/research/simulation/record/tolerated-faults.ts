// Faults that make the bot wrong about an order without a mistake of its own, each tolerated in as few situations as possible; and the alarms that it must
// raise when it sees such an order.
import type { Millis } from '../../../base/clock.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { FaultBox } from '../plan/fault-box.ts';
import type { Path } from '../plan/faults.ts';
import { lieNamed } from '../plan/lie-table.ts';
import { type DurableRecord, hasEnded } from './durable-record.ts';
import type { SignedAction } from './signed-action.ts';

type Receipt = SignedAction['executions'][number]['receipt'];

/**
 * `ghost`: the exchange's time went back, so bytes that were dead are not. `copy`: it was refused, but a copy of the same bytes that the network made
 * was not. `undone`: the exchange was rolled back to before its end. `again`: the exchange had forgotten that it executed the bytes, and the network
 * made a copy. `old`: an account came that was older than replicas may lag. `lost`: it was sent before the state directory was lost. `mixed`: a
 * connection gave it the refusal of another action that was under way with it; refusals name no order. `omitted`: its receipt was lost, so it has no id
 * by which the exchange could be asked for it, and all accounts left it out, in their counts too.
 */
export type ToleratedReason = 'ghost' | 'omitted' | 'copy' | 'again' | 'old' | 'undone' | 'lost' | 'mixed';

/** The bot has reported an order as ended, and it is live. */
export interface PendingAlarm {
  readonly clientOrderId: string;
  readonly market: MarketId;
  readonly why: ToleratedReason;
  /** Since the start of the run. */
  readonly at: Millis;
  /** The highest update number that the bot had received by then: accounts up to it may show the time before. */
  readonly account: number;
  /** When the alarm was raised, or an account came that calls for none. */
  resolved: Millis | undefined;
}

/** How long an old account can mislead the bot: until the next poll of fills has shown how orders ended. */
const AFTERMATH: Millis = 10_000;
/** A disk that failed is tried again after this time. */
const RETRIED: Millis = 2_000;
/** How long a bot remembers closed orders. */
const REMEMBERED: Millis = 60_000;
/** The longest time that an account is in flight. */
const MAX_IN_FLIGHT: Millis = 5_000;
const ON_DISK = ['diskFull', 'diskBroken', 'syncFails'] as const;

/** The reason of an order that is reported as absent from the beginning. */
const NEVER_THERE = 'never reached the book';

/** The refusal of bytes that were accepted before. */
const DUPLICATE = 'DUPLICATE';

interface Ending {
  readonly status: string;
  readonly reason: string | undefined;
  readonly process: number;
  readonly undone: boolean;
  /** True if the bot knew its id at the exchange. */
  readonly hasId: boolean;
}

/** What accounts have shown a process: up to which action of the exchange, and when first and last. */
interface SeenAccounts {
  readonly newest: number;
  readonly first: Millis;
  readonly last: Millis;
}

interface ToleratedOptions {
  readonly now: () => Millis;
  readonly faults: FaultBox;
  readonly record: DurableRecord;
  /** The greatest lag of a server: the bot must not be misled by an account that is no older. */
  readonly longestLag: Millis;
}

export class ToleratedFaults {
  readonly #now: () => Millis;
  readonly #faults: FaultBox;
  readonly #record: DurableRecord;
  readonly #longestLag: Millis;
  /** By process: when it last received an account that was too old, and whether that was the last account it received. */
  readonly #oldAccounts = new Map<number, { at: Millis; still: boolean }>();
  readonly #accounts = new Map<number, SeenAccounts>();
  /** By process and path. */
  readonly #waits = new Map<string, Millis>();
  /** The last process that received an account. */
  #last = 0;
  #undoneAt: Millis | undefined;
  readonly pendingAlarms: PendingAlarm[] = [];
  /** Orders that the bot reported as ended, and that one of these faults let execute after the run had ended: no process sees them. */
  readonly unseen = new Map<string, Receipt>();
  /** True when the run has ended: no process follows. */
  hasRunEnded = false;

  constructor({ now, faults, record, longestLag }: ToleratedOptions) {
    this.#longestLag = longestLag;
    this.#now = now;
    this.#faults = faults;
    this.#record = record;
  }

  /** A process has received a `Retry-After` of an hour for a request to that endpoint, from the exchange or by a connection that is out of step. */
  mustWait(process: number, path: Path): void {
    this.#waits.set(`${process}/${path}`, this.#now());
  }

  /** When a process last received such a `Retry-After`; -Infinity if it never did. */
  askedToWait(process: number, path: Path): Millis {
    return this.#waits.get(`${process}/${path}`) ?? Number.NEGATIVE_INFINITY;
  }

  /** A process has received an account that is as new as that action of the exchange. */
  sawAccount(process: number, action: number): void {
    const now = this.#now();
    this.#accounts.set(process, { newest: action, first: this.#accounts.get(process)?.first ?? now, last: now });
    this.#last = process;
  }

  /** A process has received an account that was `age` old when it was requested. */
  sawAge(process: number, age: Millis): void {
    const before = this.#oldAccounts.get(process);
    if (age > this.#longestLag) this.#oldAccounts.set(process, { at: this.#now(), still: true });
    else if (before !== undefined) before.still = false;
  }

  /** The last action that an account showed the process. */
  newest(process: number): number {
    return this.#accounts.get(process)?.newest ?? 0;
  }

  /** The last action that an account showed the last process. */
  get newestAtEnd(): number {
    return this.newest(this.#last);
  }

  /** True shortly after its start: its first accounts may lag behind what the process before it received. */
  hasJustBegun(process: number): boolean {
    return this.#now() <= (this.#accounts.get(process)?.first ?? this.#now()) + MAX_IN_FLIGHT;
  }

  rolledBack(): void {
    this.#undoneAt = this.#now();
  }

  /** True if a process has received an account long enough after the last rollback to show it; false if there was none. */
  get hasSeenRollback(): boolean {
    const from = (this.#undoneAt ?? Number.POSITIVE_INFINITY) + MAX_IN_FLIGHT + 2 * AFTERMATH;
    return [...this.#accounts.values()].some(({ last }) => last > from);
  }

  /**
   * True if fills were undone, or lost with the state, and the bot reports that its fills do not explain the position. How an unknown order ended
   * cannot be known then.
   */
  get isUnexplained(): boolean {
    return (this.#undoneAt !== undefined || this.#record.losses > 0) && this.#record.alarms.some(({ alarm }) => alarm === 'position');
  }

  /**
   * True while a rolled-back exchange shows accounts with lower numbers than the process has seen: it accepts none of them, and holds, until the
   * numbers are higher.
   */
  isBehind(account: number): boolean {
    return this.#undoneAt !== undefined && account < this.newestAtEnd;
  }

  /** True while an account that was too old, or from before a rollback, may still mislead the process. */
  isMisled(process: number): boolean {
    if (this.#undoneAt !== undefined && this.#now() <= this.#undoneAt + AFTERMATH) return true;
    if (this.#undoneAt !== undefined && (this.#accounts.get(process)?.last ?? 0) <= this.#undoneAt + MAX_IN_FLIGHT) return true;
    const last = this.#oldAccounts.get(process);
    return last !== undefined && (last.still || this.#now() <= last.at + AFTERMATH);
  }

  /** Why an order that was reported as ended may still be executed now; undefined if the bot is simply wrong. */
  forExecution({ action, arrivals, executions, forgotten, misanswered, sentAt }: SignedAction): ToleratedReason | undefined {
    const latest = action.kind === 'placeOrder' ? this.#record.latest(action.clientOrderId ?? '') : undefined;
    if (executions.length > 1) return forgotten ? 'again' : undefined;
    if (latest === undefined || !hasEnded(latest)) return undefined;
    if (sentAt < this.#record.lostAt) return 'lost';
    if (latest.status === 'rejected' && misanswered) return 'mixed';
    if (latest.status === 'rejected') return arrivals > 1 && latest.reason !== DUPLICATE ? 'copy' : undefined;
    return latest.reason === NEVER_THERE && this.wentBackSince(sentAt) ? 'ghost' : undefined;
  }

  /** Why an order that rests may be reported as ended; undefined if the bot is simply wrong. */
  forEnding(signedAction: SignedAction, { status, reason, process, undone, hasId }: Ending): ToleratedReason | undefined {
    if (signedAction.executions.length > 1 && signedAction.forgotten) return 'again';
    if (undone) return 'undone';
    if (signedAction.sentAt < this.#record.lostAt) return 'lost';
    if (status === 'rejected' && signedAction.misanswered) return 'mixed';
    if (status === 'rejected' && signedAction.arrivals > 1 && reason !== DUPLICATE) return 'copy';
    if (!hasId && reason === NEVER_THERE && this.areOrdersHidden) return 'omitted';
    return this.isMisled(process) ? 'old' : undefined;
  }

  /** True if an order was reported as absent while no answer could show it. */
  wasOmitted(id: string): boolean {
    return this.pendingAlarms.some(({ clientOrderId, why }) => clientOrderId === id && why === 'omitted');
  }

  /** True while accounts lie, or did shortly before, that lack orders and do not count them: nothing shows an order without a known id then. */
  get areOrdersHidden(): boolean {
    const lies = this.#faults.of('lie').filter(({ detail }) => lieNamed(detail)?.isCounted === true);
    return lies.some(({ from, until }) => from <= this.#now() && this.#now() <= until + AFTERMATH);
  }

  wentBackSince(moment: Millis): boolean {
    return this.#faults.of('backward').some(({ from }) => from >= moment && from <= this.#now());
  }

  /** A process remembers an end for a minute by its own clock; if the next one's clock differs, the order may be foreign to it. */
  mayBeForgotten({ at }: PendingAlarm): boolean {
    return this.#faults.of('clockStep').some(({ from }) => from >= at - REMEMBERED && from <= this.#now());
  }

  /** True if what was written at that moment, or at some time in that span, may be lost with its process. */
  isDiskBad(since: Millis = this.#now(), to: Millis = since): boolean {
    return ON_DISK.some((kind) => this.#faults.of(kind).some(({ from, until }) => from <= to && since <= until + RETRIED));
  }

  expectAlarm(pending: Omit<PendingAlarm, 'at' | 'account' | 'resolved'>): void {
    if (!this.pendingAlarms.some(({ clientOrderId }) => clientOrderId === pending.clientOrderId))
      this.pendingAlarms.push({
        ...pending,
        at: this.#now(),
        account: Math.max(0, ...Array.from(this.#accounts.values(), ({ newest }) => newest)),
        resolved: undefined,
      });
  }

  /** The alarms that are overdue: an account that is recent enough must have raised them by now. */
  due(): readonly PendingAlarm[] {
    if (this.pendingAlarms.length === 0) return NONE;
    const before = this.#now() - AFTERMATH;
    return this.pendingAlarms.filter(({ clientOrderId, at, resolved }) => {
      const history = this.#record.orders.get(clientOrderId);
      const line = history?.lines.at(-1);
      return resolved === undefined && at < before && line !== undefined && hasEnded(line) && (history?.last ?? 0) < before;
    });
  }

  resolve(pending: PendingAlarm): void {
    pending.resolved ??= this.#now();
  }

  /** True while an alarm about an order of that market is pending, and shortly afterwards. */
  isAlarmPending(market: MarketId): boolean {
    return this.pendingAlarms.some(
      (pending) => pending.market === market && (pending.resolved === undefined || this.#now() <= pending.resolved + AFTERMATH),
    );
  }
}

const NONE: readonly PendingAlarm[] = [];
