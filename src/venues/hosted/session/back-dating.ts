// Signs orders with a time in the past: their bytes expire sooner, so an order without an answer is resolved sooner.
import type { Millis } from '../../../base/clock.ts';
import { orElse } from '../../../base/transport/client-error.ts';
import type { CancelOrder } from '../../../bot/domain/action.ts';
import { meaningOf } from '../../../bot/exchange/error-meanings.ts';
import type { Receipt } from '../../wire/codec.ts';
import type { SigningContext } from '../signing-context.ts';

/** Seconds. Leaves 15 of the exchange's 60 for the latency; tested before use. */
const BACK_DATED_BY = 45;
/** Seconds. Bytes this old must be refused; otherwise expiry proves nothing. */
const SURELY_DEAD = 75;
const CHECKED_EVERY: Millis = 3_600_000;
/** Wait after an inconclusive answer. */
const CHECKED_AGAIN: Millis = 60_000;

export interface BackDatingOptions extends Pick<SigningContext, 'clock' | 'time' | 'log'> {
  /** Signs a cancel for a second of engine time and sends it; undefined if nothing can be signed. */
  readonly cancelAt: (order: CancelOrder, seconds: number) => Promise<Receipt | undefined>;
}

/**
 * Tests whether the exchange accepts bytes that are 45 s old and refuses bytes that are 75 s old, by two cancels of an order that is already
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
   * Returns the engine seconds to sign an order with, never ahead of the observed time. Undefined if that was observed too long ago. Example: 10 s after a
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
    const [young, dead] = await Promise.all([
      this.#cancelAgain(this.#cancelledOrder, BACK_DATED_BY),
      this.#cancelAgain(this.#cancelledOrder, SURELY_DEAD),
    ]);
    this.#backDatedBy = young === 'executed' && dead === 'refused' ? BACK_DATED_BY : 0;
    if (young === 'unclear' || dead === 'unclear') this.#nextCheck = now + CHECKED_AGAIN;
    if (dead !== 'executed') return;
    this.#options.log.warn(
      `the exchange executes actions that were signed ${SURELY_DEAD} s ago: an order without an answer may still be placed after the bot has given it up`,
    );
  }

  async #cancelAgain(order: CancelOrder, age: number): Promise<'executed' | 'refused' | 'unclear'> {
    const { clock, time, cancelAt } = this.#options;
    const observed = time.signable(clock.now());
    const receipt = observed === undefined ? undefined : await orElse(cancelAt(order, observed - age), undefined);
    if (receipt?.kind !== 'err') return 'unclear';
    const meaning = meaningOf(receipt.error);
    return meaning === 'orderNotFound' ? 'executed' : meaning === 'time' ? 'refused' : 'unclear';
  }
}
