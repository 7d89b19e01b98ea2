// The simulated network to the exchange: a request is handled in the exchange's state at its arrival, and its answer travels back.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Latencies, Trip } from './latency.ts';

/** An exchange whose time moves only by calls. */
interface Advanceable {
  advanceTo(when: number): void;
}

export interface EmbeddedNetworkOptions {
  readonly exchange: Advanceable;
  readonly clock: Clock;
  readonly latency: Latencies;
}

/** When a request arrives. Default: after its latency. */
export interface Arrival {
  /** Not before this time. */
  readonly notBefore?: Millis | undefined;
  /** Without latency. */
  readonly isInstant?: boolean | undefined;
}

const INSTANT: Trip = { there: 0, back: 0 };

/**
 * Advances the exchange to the clock's time before each request, never further, so that no answer contains future data. The exchange counts whole
 * milliseconds, so a request is handled in the state at the end of the last complete one. Besides it, only `CandleEnd` advances the exchange.
 */
export class EmbeddedNetwork {
  readonly #options: EmbeddedNetworkOptions;
  /** When the newest reply of `look` arrives. */
  #newestReplyAt: Millis = Number.NEGATIVE_INFINITY;

  constructor(options: EmbeddedNetworkOptions) {
    this.#options = options;
  }

  /**
   * Calls `answer` when the request arrives, and `onReply` with its result when the reply is back. Both are called after this function has returned.
   */
  request<T>(
    way: keyof Latencies,
    answer: () => T,
    onReply: (answer: T) => void,
    { notBefore = 0, isInstant = false }: Arrival = {},
  ): void {
    const { exchange, clock, latency } = this.#options;
    const { there, back } = isInstant ? INSTANT : latency[way].draw();
    clock.at(Math.max(notBefore, clock.now() + there), () => {
      exchange.advanceTo(Math.floor(clock.now()));
      const reply = answer();
      clock.at(clock.now() + back, () => onReply(reply));
    });
  }

  /** Calls `answer` now, and `onReply` with its result as late as the answer to a request would be, in the order of the calls. */
  look<T>(answer: () => T, onReply: (answer: T) => void): void {
    const { exchange, clock, latency } = this.#options;
    const { there, back } = latency.seen.draw();
    exchange.advanceTo(Math.floor(clock.now()));
    const reply = answer();
    this.#newestReplyAt = Math.max(this.#newestReplyAt, clock.now() + there + back);
    clock.at(this.#newestReplyAt, () => onReply(reply));
  }
}
