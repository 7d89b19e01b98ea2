// The exchange's own time: learned from `/timestamp`, never from a clock of ours, and the only time that is ever signed.
import type { Millis } from '../../../base/clock.ts';
import { HostedError } from '../client/error.ts';

/** A sample older than this signs nothing: the exchange refuses what is a minute old, and the request still has to travel. */
const SIGNABLE_FOR: Millis = 20_000;

/** Seconds, of the 60 for which signed bytes are good. */
const CANCEL_MARGIN = 15;

/**
 * Seconds of a `/timestamp` reading, whose unit the interface document does not name: ten digits can only be seconds, thirteen only milliseconds, and
 * what lost its end on the way has another number of them. HostedError `shape` for anything else.
 */
export function engineSeconds(reading: number): number {
  if (reading >= 1e9 && reading < 1e10) return Math.floor(reading);
  if (reading >= 1e12 && reading < 1e13) return Math.floor(reading / 1_000);
  const message = `GET /timestamp says ${reading}, which is neither seconds nor milliseconds since 1970`;
  throw new HostedError({ kind: 'shape', status: 200, message });
}

interface Reading {
  readonly seconds: number;
  readonly asked: Millis;
}

export class EngineTime {
  #latest: Reading;

  constructor(first: Reading) {
    this.#latest = first;
  }

  /** Of two readings the one that was asked for later counts, even where it shows an earlier time. */
  observe(reading: Reading): void {
    if (reading.asked >= this.#latest.asked) this.#latest = reading;
  }

  /** The last observed second, for signing: never ahead of the exchange. Undefined when it was observed too long ago. */
  signable(now: Millis): number | undefined {
    return now - this.#latest.asked <= SIGNABLE_FOR ? this.#latest.seconds : undefined;
  }

  /**
   * Seconds to sign a cancel with, however long ago the time was heard: then what went by on our clock since, less a margin for clocks that differ. The
   * exchange may refuse it, and that is the worst: a late cancel does no harm.
   */
  forCancels(now: Millis): number {
    return this.signable(now) ?? Math.floor(this.estimate(now)) - CANCEL_MARGIN;
  }

  /** Seconds, with what went by on our clock since; the exchange shows whole seconds, so its true time may be up to one later. For expiries, never for signing. */
  estimate(now: Millis): number {
    return this.#latest.seconds + Math.max(0, now - this.#latest.asked) / 1_000;
  }
}
