// The time to sign with at an exchange that refuses an action by its signed time: only readings of the exchange's own clock are signed.
// `cancel-times.ts` has other times for cancels while that clock is wrong, `back-dating.ts` signs orders with a time in the past.
import type { Millis } from '../../base/clock.ts';
import { ExchangeTime, type ExchangeTimeOptions, type TimeReading } from './exchange-time.ts';

/** How an exchange treats the times that are signed. */
export interface SignedTimes {
  /** Readings older than this are not used for orders: the exchange refuses old bytes, and the request takes time too. */
  readonly signableForMs: Millis;
  /** Seconds, of those for which signed bytes are valid, that are left for the drift of our clock in cancels. */
  readonly cancelMargin: number;
  /** Seconds by which our clock may be ahead of the exchange's. */
  readonly clockMargin: number;
}

export interface SigningTimeOptions extends ExchangeTimeOptions {
  readonly signedTimes: SignedTimes;
}

/** Nothing can be signed before the first reading. */
export class SigningTime extends ExchangeTime {
  readonly #rules: SignedTimes;
  /** The newest trade, and when it was listed first. */
  #trade: TimeReading | undefined;

  constructor({ signedTimes, ...options }: SigningTimeOptions) {
    super(options);
    this.#rules = signedTimes;
  }

  /** Assumes our clock's time until a reading is observed: sufficient for a cancel, which at worst is refused. */
  assume(now: Millis): void {
    this.observe({ seconds: Math.floor(now / 1_000) - this.#rules.clockMargin, asked: now });
  }

  /** Records when a trade happened, by its own time, that has been listed now. */
  traded(seconds: number, listed: Millis): void {
    if (seconds > (this.#trade?.seconds ?? 0)) this.#trade = { seconds, asked: listed };
  }

  /** Returns the seconds by the newest trade and the local time since it was listed; undefined without one. Never for signing orders. */
  byTrades(now: Millis): number | undefined {
    return this.#trade && this.#trade.seconds + (now - this.#trade.asked) / 1_000;
  }

  /** Returns the last observed second, for signing; it is never ahead of the exchange. Undefined if it was observed too long ago. */
  signable(now: Millis): number | undefined {
    const { seconds, asked } = this.latest();
    return now - asked <= this.#rules.signableForMs ? seconds : undefined;
  }

  /**
   * Returns the seconds to sign a cancel with, also if the time was observed long ago: then the last reading plus the local time since, minus a
   * margin for clock drift. The worst outcome is a refusal; a late cancel is harmless.
   */
  forCancels(now: Millis): number {
    return this.signable(now) ?? Math.floor(this.estimate(now)) - this.#rules.cancelMargin;
  }
}
