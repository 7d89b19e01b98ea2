// The way to the exchange and back: a request leaves now, meets the exchange in its state on arrival, and its answer travels back.
import type { Clock } from '../../base/clock.ts';
import type { Latencies } from './latency.ts';

/** An exchange whose time moves only by calls. */
interface Driven {
  advanceTo(when: number): void;
}

export interface NetworkOptions {
  readonly exchange: Driven;
  readonly clock: Clock;
  readonly latency: Latencies;
}

/**
 * The only caller of `advanceTo`, and never beyond the clock: no answer can hold what has not happened yet. The exchange counts whole milliseconds
 * and knows at the end of one what happened in it, so a request meets the last millisecond that has ended.
 */
export class Network {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** `answer` is called on arrival, `home` with its result when that is back; neither before this call has returned. */
  request<T>(way: keyof Latencies, answer: () => T, onReply: (answer: T) => void): void {
    const { exchange, clock, latency } = this.#options;
    const { there, back } = latency[way].draw();
    clock.at(clock.now() + there, () => {
      exchange.advanceTo(Math.floor(clock.now()));
      const given = answer();
      clock.at(clock.now() + back, () => onReply(given));
    });
  }
}
