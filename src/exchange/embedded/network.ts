// The way to the exchange and back: a request leaves now, meets the exchange as it is on arrival, and its answer travels home.
import type { Clock } from '../../base/clock.ts';
import type { Latencies } from './latency.ts';

/** An exchange whose time moves only when told to. */
interface Driven {
  advanceTo(when: number): void;
}

export interface NetworkOptions {
  readonly exchange: Driven;
  readonly clock: Clock;
  readonly latency: Latencies;
}

/**
 * The only caller of `advanceTo`, and never beyond the clock: no answer can hold what has not happened yet. The exchange counts whole milliseconds,
 * and knows at the end of one what happened in it: an arrival meets the last that has ended.
 */
export class Network {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** `answer` is called on arrival, `home` with its answer when that is back; neither before the caller has returned. */
  request<T>(way: keyof Latencies, answer: () => T, home: (answer: T) => void): void {
    const { exchange, clock, latency } = this.#options;
    const { there, back } = latency[way].draw();
    clock.at(clock.now() + there, () => {
      exchange.advanceTo(Math.floor(clock.now()));
      const given = answer();
      clock.at(clock.now() + back, () => home(given));
    });
  }
}
