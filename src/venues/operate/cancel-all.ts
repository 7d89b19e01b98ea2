// Cancels all orders of an account until it is proved that none is left. Used by `bot kill` and the watchdog.
// program/commands/operate/find-account.ts  the exchange and account of a run, from what is left in its state directory
// venues/kind/account-canceller.ts          opens that account, and reads from the journal which orders may still arrive
// client-canceller.ts                       cancels with the client of an exchange
// check.ts                                  one line of `bot doctor`
// research/order-history.ts                 the history of one order, for `bot why`
import { type Clock, type Millis, sleep } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { ClientOrderId, OrderId } from '../../bot/domain/ids.ts';

export interface Resting {
  readonly orderId: OrderId;
  readonly clientOrderId?: ClientOrderId | undefined;
  /** Symbol; absent if the exchange needs none for a cancel. */
  readonly market?: string | undefined;
}

/** An account from which all orders are cancelled. Each call is one read or one cancel, and rejects if that fails. */
export interface AccountCanceller {
  /** Seconds after which an order sent now can no longer arrive. */
  readonly longestLife: number;
  /** The time, in seconds, by which orders expire. */
  seconds(): Promise<number>;
  /** All resting orders of the account, including those of others. */
  resting(): Promise<readonly Resting[]>;
  /** True if the exchange says that this call cancelled the order. */
  cancel(order: Resting): Promise<boolean>;
  close(): Promise<void>;
}

/** The outstanding orders in the run's journal; read at each use. */
export interface Outstanding {
  /**
   * For each order without a definite answer, the time until which it may still arrive, in seconds of `AccountCanceller.seconds`. Undefined if the
   * journal cannot be read: then anything sent before the first read of the account may still arrive.
   */
  readonly deadAfter: readonly number[] | undefined;
  /** When each of them was signed, by this machine's clock, and how long it could live then; `AccountCanceller.longestLife` if absent. */
  readonly signed?: readonly { readonly at: Millis; readonly life?: Millis | undefined }[] | undefined;
  /** Orders that rested at their last journal entry, whether or not the account lists them now. */
  readonly open?: readonly Resting[] | undefined;
  readonly isOurs: (order: Resting) => boolean;
}

/** What has been achieved so far. */
export interface CancelProgress {
  readonly resting: number;
  /** Orders cancelled so far. */
  readonly cancelled: number;
  /** Orders seen so far that the run did not place. */
  readonly foreign: number;
  /** How many orders may still arrive, and for how many more seconds. */
  readonly mayArrive: { readonly count: number; readonly seconds: number };
  /** Why the last round failed. */
  readonly failure?: string | undefined;
}

/** `late`: not proved in time. `superseded`: another process is responsible for the orders now. */
export type CancelAllEnd = CancelProgress & { readonly kind: 'empty' | 'late' | 'superseded' };

export interface CancelAllOptions {
  readonly clock: Clock;
  readonly canceller: AccountCanceller;
  readonly outstanding: () => Outstanding;
  readonly onProgress: (progress: CancelProgress) => void;
  readonly forMs: Millis;
  /** Returns true once another process is responsible for these orders. */
  readonly isSuperseded?: (() => boolean) | undefined;
}

/** Codes of errors that end it early. A missing key does not: it may be put back, and a live bot may cancel by itself. */
const FINAL_ERRORS: ReadonlySet<string> = new Set(['account']);
/** Maximum delay of an account; the two reads of the proof are at least this far apart. */
const LAG: Millis = 2_000;
/** The distance of the two reads if a cancel of an order that is known to have rested, and is not listed, got no answer. */
const LONG_LAG: Millis = 10_000;
const MAX_IN_FLIGHT = 8;
const PAUSE_WITH_ORDERS: Millis = 250;
const PAUSE: Millis = 1_000;
/** Maximum pause between tries while the exchange does not answer. */
const MAX_PAUSE: Millis = 5_000;
const NOTHING: CancelProgress = { resting: 0, cancelled: 0, foreign: 0, mayArrive: { count: 0, seconds: 0 } };

/**
 * Cancels all orders until it is proved that none is left: two reads of the account list no order, both requested after every order without an
 * answer had expired, by the exchange's time and by ours. A failed read starts the proof again. Rejects only with a UserError, if the key or the account is
 * not that of the run.
 */
export async function cancelAll(options: CancelAllOptions): Promise<CancelAllEnd> {
  const { clock, forMs, isSuperseded = () => false } = options;
  const until = clock.now() + forMs;
  const rounds = new Rounds(options);
  for (;;) {
    if (isSuperseded()) return { kind: 'superseded', ...rounds.progress };
    if (await rounds.next()) return { kind: 'empty', ...rounds.progress };
    const { pause } = rounds;
    if (clock.now() + pause >= until) return { kind: 'late', ...rounds.progress };
    await sleep(clock, pause);
  }
}

class Rounds {
  readonly #options: CancelAllOptions;
  readonly #cancelled = new Set<OrderId>();
  readonly #foreign = new Set<OrderId>();
  /** Orders that were not listed and not found when they were cancelled. */
  readonly #absent = new Set<OrderId>();
  /** When the first of the last reads in a row was requested that list no order, and after which none may arrive. */
  #emptySince: Millis | undefined;
  #needsLongLag = false;
  /** The exchange's time, in seconds, when it was first read. */
  #firstSeconds: number | undefined;
  /** By our clock without its jumps. */
  readonly #startedAt: Millis;
  /** Failed rounds in a row. */
  #failures = 0;
  progress: CancelProgress = NOTHING;

  constructor(options: CancelAllOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now() - options.clock.skipped();
  }

  /** Pause before the next round. */
  get pause(): Millis {
    if (this.#failures > 0) return Math.min(MAX_PAUSE, PAUSE * 2 ** (this.#failures - 1));
    return this.progress.resting > 0 ? PAUSE_WITH_ORDERS : PAUSE;
  }

  /** Does one round. Returns true when it is proved that no order is left. */
  async next(): Promise<boolean> {
    try {
      const asked = await this.#readAndCancel();
      this.#failures = 0;
      if (asked === undefined) this.#emptySince = undefined;
      else this.#emptySince ??= asked;
      return asked !== undefined && this.#emptySince !== undefined && asked >= this.#emptySince + (this.#needsLongLag ? LONG_LAG : LAG);
    } catch (error) {
      if (error instanceof UserError && FINAL_ERRORS.has(error.code)) throw error;
      this.#emptySince = undefined;
      this.#failures++;
      this.#report({ failure: messageOf(error) });
      return false;
    }
  }

  /**
   * Reads the account and cancels what it lists. Returns the request time of the read if it counts for the proof; undefined if an order rests or may
   * still arrive.
   */
  async #readAndCancel(): Promise<Millis | undefined> {
    const { clock, canceller, outstanding } = this.#options;
    const time = await outcomeOf(canceller.seconds());
    const seconds = time.value ?? 0; // if unknown, every signed order may still arrive
    this.#firstSeconds ??= time.value;
    const { deadAfter = [(this.#firstSeconds ?? seconds) + canceller.longestLife], signed = [], isOurs, open = [] } = outstanding();
    const remaining = [...deadAfter.map((last) => last + 1 - seconds), ...this.#livesOf(signed)].filter((left) => left > 0);
    const asked = clock.now();
    const resting = await canceller.resting();
    for (const order of resting) if (!isOurs(order)) this.#foreign.add(order.orderId);
    if (time.error === undefined)
      this.#report({
        resting: resting.length,
        mayArrive: { count: Math.min(remaining.length, deadAfter.length), seconds: Math.max(0, ...remaining) },
      });
    await this.#cancelAll(resting);
    const listed = new Set(resting.map(({ orderId }) => orderId));
    const found = await this.#cancelUnlisted(open.filter(({ orderId }) => !listed.has(orderId)));
    if (time.error !== undefined) throw time.error; // the cancels went out, but this round proves nothing
    return resting.length === 0 && remaining.length === 0 && !found ? asked : undefined;
  }

  /** How many more seconds each order may live by our clock, whose jumps do not count. None was signed after this began, whatever the clock said. */
  #livesOf(signed: NonNullable<Outstanding['signed']>): readonly number[] {
    const { clock, canceller } = this.#options;
    const now = clock.now() - clock.skipped();
    return signed.map(({ at, life = canceller.longestLife * 1_000 }) => Math.ceil((Math.min(at, this.#startedAt) + life - now) / 1_000));
  }

  /**
   * Cancels orders known to have rested by their ids, because an account may be incomplete. Returns true if one of them was there. If one of these
   * cancels gets no answer, the account must be empty for longer.
   */
  async #cancelUnlisted(orders: readonly Resting[]): Promise<boolean> {
    const before = this.#cancelled.size;
    this.#needsLongLag = false;
    for (const order of orders) {
      if (this.#absent.has(order.orderId) || this.#cancelled.has(order.orderId)) continue;
      try {
        if (await this.#options.canceller.cancel(order)) this.#cancelled.add(order.orderId);
        else this.#absent.add(order.orderId);
      } catch (error) {
        if (error instanceof UserError && FINAL_ERRORS.has(error.code)) throw error;
        this.#needsLongLag = true;
        break; // the others would fail too; the next round tries again
      }
    }
    return this.#cancelled.size > before;
  }

  /** Cancels the orders; a failed one is tried again in the next round. */
  async #cancelAll(resting: readonly Resting[]): Promise<void> {
    const left = [...resting];
    const work = async (): Promise<void> => {
      for (let order = left.shift(); order !== undefined; order = left.shift()) {
        if (await this.#options.canceller.cancel(order)) this.#cancelled.add(order.orderId);
      }
    };
    const done = await Promise.allSettled(Array.from({ length: MAX_IN_FLIGHT }, work));
    if (resting.length > 0) this.#report({ resting: resting.filter(({ orderId }) => !this.#cancelled.has(orderId)).length });
    const failed = done.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #report(change: Partial<CancelProgress>): void {
    const [cancelled, foreign] = [this.#cancelled.size, this.#foreign.size];
    this.progress = { ...this.progress, failure: undefined, ...change, cancelled, foreign };
    this.#options.onProgress(this.progress);
  }
}

interface Outcome<T> {
  readonly value?: T;
  readonly error?: Error;
}

async function outcomeOf<T>(request: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await request };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(messageOf(error)) };
  }
}
