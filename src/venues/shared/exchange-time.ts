// The time of an exchange that has a clock: the newest reading, and what follows from it for now.
import type { Clock, Millis } from '../../base/clock.ts';
import type { VenueClock } from '../../bot/exchange/kit/venue-client.ts';

export type TimeReading = ReturnType<VenueClock['latest']>;

export interface ExchangeTimeOptions extends Pick<VenueClock, 'dates'> {
  readonly clock: Clock;
  /** Reads the exchange's time, in whole seconds. */
  readonly readSeconds: () => Promise<number>;
}

const NO_READING: TimeReading = { seconds: 0, asked: Number.NEGATIVE_INFINITY };

export class ExchangeTime implements VenueClock {
  readonly dates: VenueClock['dates'];
  readonly #options: ExchangeTimeOptions;
  #latest = NO_READING;

  constructor(options: ExchangeTimeOptions) {
    this.#options = options;
    this.dates = options.dates;
  }

  async read(): Promise<number> {
    const asked = this.#options.clock.now();
    const seconds = await this.#options.readSeconds();
    this.observe({ seconds, asked });
    return seconds;
  }

  latest(): TimeReading {
    return this.#latest;
  }

  /** Keeps the reading that was requested later, even if it shows an earlier time. */
  observe(reading: TimeReading): void {
    if (reading.asked >= this.#latest.asked) this.#latest = reading;
  }

  /**
   * Returns seconds: the last reading plus the local time since. The exchange shows whole seconds, so its true time may be up to one second later.
   * For expiries, never for signing.
   */
  estimate(now: Millis): number {
    return this.#latest.seconds + Math.max(0, now - this.#latest.asked) / 1_000;
  }
}
