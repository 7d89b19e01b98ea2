// Signs orders with a time in the past: their bytes expire sooner, so an order without an answer is resolved sooner.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import { meaningOf } from '../../../wire/errors.ts';
import type { EngineTime } from './engine-time.ts';
import type { Session } from './session.ts';
import { type SigningTools, sendCancel } from './sign-action.ts';

/** Seconds. Leaves 15 of the exchange's 60 for the latency; tested before use. */
const BACK_DATED_BY = 45;
/** Seconds. Bytes this old must be refused; otherwise expiry proves nothing. */
const SURELY_DEAD = 75;
const CHECKED_EVERY: Millis = 3_600_000;
/** Wait after an inconclusive answer. */
const CHECKED_AGAIN: Millis = 60_000;

/** The objects needed to sign and send an action in a run. */
export interface ActionTools extends SigningTools {
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly session: Session;
  readonly log: Log;
}

/**
 * Tests whether the exchange accepts bytes that are 45 s old and refuses bytes that are 75 s old, by two cancels of an order that is already
 * cancelled: when an order first gets no answer, and then at most once an hour. Orders are back-dated only after both answers were as expected.
 */
export class BackDating {
  readonly #options: ActionTools;
  #by = 0;
  #nextCheck: Millis = 0;
  #gone: OrderId | undefined;

  constructor(options: ActionTools) {
    this.#options = options;
  }

  /** Returns the engine seconds to sign an order with, never ahead of the observed time. Undefined if that was observed too long ago. */
  signable(now: Millis): number | undefined {
    const { time } = this.#options;
    const observed = time.signable(now);
    if (observed === undefined) return undefined;
    const sinceObserved = Math.ceil(time.estimate(now) - observed);
    return observed - Math.max(0, this.#by - sinceObserved);
  }

  /** Records an order of ours that the exchange has confirmed as cancelled: cancelling it again does nothing. */
  cancelled(orderId: OrderId): void {
    this.#gone = orderId;
  }

  /** Called when an order got no answer: an earlier expiry is then worth the test. Rejects only with an AssertionError. */
  async unanswered(now: Millis): Promise<void> {
    if (now < this.#nextCheck || this.#gone === undefined) return;
    this.#nextCheck = now + CHECKED_EVERY;
    const [young, dead] = await Promise.all([this.#cancelAgain(this.#gone, BACK_DATED_BY), this.#cancelAgain(this.#gone, SURELY_DEAD)]);
    this.#by = young === 'executed' && dead === 'refused' ? BACK_DATED_BY : 0;
    if (young === 'unclear' || dead === 'unclear') this.#nextCheck = now + CHECKED_AGAIN;
    if (dead !== 'executed') return;
    this.#options.log.warn(
      `the exchange executes actions that were signed ${SURELY_DEAD} s ago: an order without an answer may still be placed after the bot has given it up`,
    );
  }

  async #cancelAgain(orderId: OrderId, age: number): Promise<'executed' | 'refused' | 'unclear'> {
    const { client, clock, time, session } = this.#options;
    const observed = time.signable(clock.now());
    const sessionId = session.usable();
    if (observed === undefined || sessionId === undefined) return 'unclear';
    const reply = await sendCancel(orderId, { timestamp: observed - age, sessionId }, this.#options);
    if (reply.kind !== 'receipt') return 'unclear';
    if (reply.receipt.kind !== 'err') {
      if (reply.receipt.kind !== 'cancelOrder') client.reset('the receipt of a cancel belongs to another kind of action');
      return 'unclear';
    }
    const meaning = meaningOf(reply.receipt.error);
    return meaning === 'orderNotFound' ? 'executed' : meaning === 'time' ? 'refused' : 'unclear';
  }
}
