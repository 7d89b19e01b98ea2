// The simulated network to the exchange: a request is handled in the exchange's state at its arrival, and its answer travels back.
import type { Clock } from '../../base/clock.ts';
import type { Latencies } from './latency.ts';

/** An exchange whose time moves only by calls. */
interface Advanceable {
  advanceTo(when: number): void;
}

export interface NetworkOptions {
  readonly exchange: Advanceable;
  readonly clock: Clock;
  readonly latency: Latencies;
}

/**
 * The only caller of `advanceTo`, never beyond the clock, so that no answer contains future data. The exchange counts whole milliseconds, so a
 * request is handled in the state at the end of the last complete one.
 */
export class Network {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** Calls `answer` when the request arrives, and `onReply` with its result when the reply is back. Both are called after this function has returned. */
  request<T>(way: keyof Latencies, answer: () => T, onReply: (answer: T) => void): void {
    const { exchange, clock, latency } = this.#options;
    const { there, back } = latency[way].draw();
    clock.at(clock.now() + there, () => {
      exchange.advanceTo(Math.floor(clock.now()));
      const reply = answer();
      clock.at(clock.now() + back, () => onReply(reply));
    });
  }
}
