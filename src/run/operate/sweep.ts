// The sweep: an account is emptied of orders, again and again, until nothing rests there and nothing can arrive any more.
import { type Clock, type Millis, sleep } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { ClientOrderId, OrderId } from '../../domain/ids.ts';

export interface Resting {
  readonly orderId: OrderId;
  readonly clientOrderId?: ClientOrderId | undefined;
}

/** One account, as far as it takes to empty it: each call is one look or one deed, and rejects where that fails. */
export interface AccountSweeper {
  /** For how many seconds an order that is sent now may arrive at the latest. */
  readonly longestLife: number;
  /** The time in seconds by which orders on their way die. */
  seconds(): Promise<number>;
  /** All orders of the account that rest, whoever placed them. */
  resting(): Promise<readonly Resting[]>;
  /** True when the exchange says that this cancelled it. */
  cancel(order: Resting): Promise<boolean>;
  close(): Promise<void>;
}

/** What the run's own record says, read again whenever it is asked. */
export interface Outstanding {
  /**
   * Until when each order that has no definite answer may still arrive: seconds, as the desk's. Undefined where the record cannot be read: then
   * whatever was sent before the first look may.
   */
  readonly deadAfter: readonly number[] | undefined;
  /** Orders that rested when they were last written of, whether or not the account lists them now. */
  readonly open?: readonly Resting[] | undefined;
  readonly isOurs: (order: Resting) => boolean;
}

/** How far it has come. */
export interface Progress {
  readonly resting: number;
  /** So far, by this sweep. */
  readonly cancelled: number;
  /** Orders seen so far that are none of the run's own. */
  readonly foreign: number;
  /** How many orders may still arrive, and for how many seconds more. */
  readonly mayArrive: { readonly count: number; readonly seconds: number };
  /** Why the last round proved nothing. */
  readonly failure?: string | undefined;
}

/** `late`: not proved in time. `relieved`: it is another's business by now. */
export type SweepEnd = Progress & { readonly kind: 'empty' | 'late' | 'relieved' };

export interface SweepOptions {
  readonly clock: Clock;
  readonly sweeper: AccountSweeper;
  readonly outstanding: () => Outstanding;
  readonly tell: (progress: Progress) => void;
  readonly forMs: Millis;
  /** True as soon as somebody else minds these orders. */
  readonly relieved?: (() => boolean) | undefined;
}

/** What no repetition mends. A key that cannot be had may be put back meanwhile, and a living bot may cancel by itself. */
const LASTING: ReadonlySet<string> = new Set(['account']);
/** How late an account may show what happened: two looks that prove something are at least so far apart. */
const LAG: Millis = 2_000;
/** The same where the account lists none of the orders that are known to have rested, and the exchange does not answer for each of them. */
const LONG_LAG: Millis = 10_000;
const IN_FLIGHT = 8;
const SOON: Millis = 250;
const LATER: Millis = 1_000;
/** The longest pause, where nothing answers for long. */
const LATEST: Millis = 5_000;
const NOTHING: Progress = { resting: 0, cancelled: 0, foreign: 0, mayArrive: { count: 0, seconds: 0 } };

/**
 * Empty is an account that lists no order twice, both times asked for after the exchange's own time had passed the death of every order without an
 * answer. A look that failed proves nothing, and begins it anew. Rejects with a UserError alone, where the key or the account is not what the run had.
 */
export async function sweep(options: SweepOptions): Promise<SweepEnd> {
  const { clock, forMs, relieved = () => false } = options;
  const until = clock.now() + forMs;
  const round = new Rounds(options);
  for (;;) {
    if (relieved()) return { kind: 'relieved', ...round.progress };
    if (await round.take()) return { kind: 'empty', ...round.progress };
    const { pause } = round;
    if (clock.now() + pause >= until) return { kind: 'late', ...round.progress };
    await sleep(clock, pause);
  }
}

class Rounds {
  readonly #options: SweepOptions;
  readonly #cancelled = new Set<OrderId>();
  readonly #foreign = new Set<OrderId>();
  /** Not listed, and not there when they were asked to be cancelled. */
  readonly #absent = new Set<OrderId>();
  #emptySince: Millis | undefined;
  #doubted = false;
  #begun: number | undefined;
  /** In a row. */
  #failures = 0;
  progress: Progress = NOTHING;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Before the next. */
  get pause(): Millis {
    if (this.#failures > 0) return Math.min(LATEST, LATER * 2 ** (this.#failures - 1));
    return this.progress.resting > 0 ? SOON : LATER;
  }

  /** True when it is proved. */
  async take(): Promise<boolean> {
    try {
      const asked = await this.#look();
      this.#failures = 0;
      if (asked === undefined) this.#emptySince = undefined;
      else this.#emptySince ??= asked;
      return asked !== undefined && this.#emptySince !== undefined && asked >= this.#emptySince + (this.#doubted ? LONG_LAG : LAG);
    } catch (error) {
      if (error instanceof UserError && LASTING.has(error.code)) throw error;
      this.#emptySince = undefined;
      this.#failures++;
      this.#tell({ failure: messageOf(error) });
      return false;
    }
  }

  /** When an account was asked for that counts; undefined where something rests, or may arrive. */
  async #look(): Promise<Millis | undefined> {
    const { clock, sweeper, outstanding } = this.#options;
    const time = await settled(sweeper.seconds());
    const seconds = time.value ?? 0; // where it is not known, all that was signed may still arrive
    this.#begun ??= time.value;
    const { deadAfter = [(this.#begun ?? seconds) + sweeper.longestLife], isOurs, open = [] } = outstanding();
    const alive = deadAfter.filter((last) => seconds <= last);
    const asked = clock.now();
    const resting = await sweeper.resting();
    for (const order of resting) if (!isOurs(order)) this.#foreign.add(order.orderId);
    if (time.error === undefined)
      this.#tell({
        resting: resting.length,
        mayArrive: { count: alive.length, seconds: Math.max(0, ...alive.map((last) => last + 1 - seconds)) },
      });
    await this.#cancelAll(resting);
    const listed = new Set(resting.map(({ orderId }) => orderId));
    const found = await this.#cancelUnlisted(open.filter(({ orderId }) => !listed.has(orderId)));
    if (time.error !== undefined) throw time.error; // cancelled, and proves nothing
    return resting.length === 0 && alive.length === 0 && !found ? asked : undefined;
  }

  /**
   * An account may be wrong: what is known to have rested is cancelled by its id, listed or not. True where one of them was there. What cannot be
   * asked makes the account doubted, which then has to be empty for longer.
   */
  async #cancelUnlisted(orders: readonly Resting[]): Promise<boolean> {
    const before = this.#cancelled.size;
    this.#doubted = false;
    for (const order of orders) {
      if (this.#absent.has(order.orderId) || this.#cancelled.has(order.orderId)) continue;
      try {
        if (await this.#options.sweeper.cancel(order)) this.#cancelled.add(order.orderId);
        else this.#absent.add(order.orderId);
      } catch (error) {
        if (error instanceof UserError && LASTING.has(error.code)) throw error;
        this.#doubted = true;
        break; // what hinders one hinders all; the next round asks again
      }
    }
    return this.#cancelled.size > before;
  }

  /** One that fails is tried again in the next round, with whatever rests then. */
  async #cancelAll(resting: readonly Resting[]): Promise<void> {
    const left = [...resting];
    const work = async (): Promise<void> => {
      for (let order = left.shift(); order !== undefined; order = left.shift()) {
        if (await this.#options.sweeper.cancel(order)) this.#cancelled.add(order.orderId);
      }
    };
    const done = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, work));
    if (resting.length > 0) this.#tell({ resting: resting.filter(({ orderId }) => !this.#cancelled.has(orderId)).length });
    const failed = done.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #tell(news: Partial<Progress>): void {
    const [cancelled, foreign] = [this.#cancelled.size, this.#foreign.size];
    this.progress = { ...this.progress, failure: undefined, ...news, cancelled, foreign };
    this.#options.tell(this.progress);
  }
}

interface Settled<T> {
  readonly value?: T;
  readonly error?: Error;
}

async function settled<T>(asked: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await asked };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(messageOf(error)) };
  }
}
