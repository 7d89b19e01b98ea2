// Signs orders with a time in the past: their bytes expire sooner, so an order without an answer is resolved sooner.
// For exchanges that refuse an action by its signed time.
import type { Clock, Millis } from '../../base/clock.ts';
import { orElse } from '../../base/transport/client-error.ts';
import type { CancelOrder } from '../../bot/domain/action.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';
import type { SigningTime } from './signing-time.ts';

const CHECKED_EVERY: Millis = 3_600_000;
/** Wait after an inconclusive answer. */
const CHECKED_AGAIN: Millis = 60_000;

export interface BackDatingTimes {
  /** Seconds by which orders are signed for the past. Bytes this old must be accepted. */
  readonly backDatedBy: number;
  /** Seconds. Bytes this old must be refused; otherwise expiry proves nothing. */
  readonly surelyDead: number;
}

/** What became of the repeated cancel of an order that is already cancelled. `executed`: its time was accepted. */
export type AgedCancel = 'executed' | 'refused' | 'unclear';

export interface BackDatingOptions extends BackDatingTimes {
  readonly clock: Clock;
  readonly log: AdapterLog;
  readonly time: SigningTime;
  /** Signs a cancel for a second of the exchange's time and sends it. */
  readonly cancelAt: (order: CancelOrder, seconds: number) => Promise<AgedCancel>;
}

/**
 * Tests whether the exchange accepts bytes that are `backDatedBy` old and refuses bytes that are `surelyDead` old, by two cancels of an order that is already
 * cancelled: when an order first gets no answer, and then at most once an hour. Orders are back-dated only after both answers were as expected.
 */
export class BackDating {
  readonly #options: BackDatingOptions;
  /** Seconds; 0 until the test has succeeded. */
  #backDatedBy = 0;
  #nextCheck: Millis = 0;
  /** The last order whose cancel was confirmed. */
  #cancelledOrder: CancelOrder | undefined;

  constructor(options: BackDatingOptions) {
    this.#options = options;
  }

  /**
   * Returns the seconds to sign an order with, never ahead of the observed time. Undefined if that was observed too long ago. Example: 10 s after a
   * reading of 1,000 s it is about 1,010 s; back-dated by 45 s, an order is signed for 965 s.
   */
  signable(now: Millis): number | undefined {
    const { time } = this.#options;
    const observed = time.signable(now);
    if (observed === undefined) return undefined;
    const sinceObserved = Math.ceil(time.estimate(now) - observed);
    return observed - Math.max(0, this.#backDatedBy - sinceObserved);
  }

  /** Records a cancel that the exchange has confirmed: cancelling the order again does nothing. */
  cancelled(order: CancelOrder): void {
    this.#cancelledOrder = order;
  }

  /** Called when an order got no answer: an earlier expiry is then worth the test. Rejects only with an AssertionError. */
  async unanswered(now: Millis): Promise<void> {
    if (now < this.#nextCheck || this.#cancelledOrder === undefined) return;
    this.#nextCheck = now + CHECKED_EVERY;
    const { backDatedBy, surelyDead, log } = this.#options;
    const [young, dead] = await Promise.all([
      this.#cancelAgain(this.#cancelledOrder, backDatedBy),
      this.#cancelAgain(this.#cancelledOrder, surelyDead),
    ]);
    this.#backDatedBy = young === 'executed' && dead === 'refused' ? backDatedBy : 0;
    if (young === 'unclear' || dead === 'unclear') this.#nextCheck = now + CHECKED_AGAIN;
    if (dead !== 'executed') return;
    log.warn(
      `the exchange executes actions that were signed ${surelyDead} s ago: an order without an answer may still be placed after the bot has given it up`,
    );
  }

  async #cancelAgain(order: CancelOrder, age: number): Promise<AgedCancel> {
    const { clock, time, cancelAt } = this.#options;
    const observed = time.signable(clock.now());
    return observed === undefined ? 'unclear' : orElse(cancelAt(order, observed - age), 'unclear');
  }
}
