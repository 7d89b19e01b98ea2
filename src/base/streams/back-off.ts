// Back-off: the wait before a failed request is repeated. Who waits: polls (`poll.ts`), sockets (`venues/shared/reconnecting.ts`), a start
// (`bot/exchange/kit/start-retries.ts`) and the streams of a strategy (`bot/run/inputs/open-stream.ts`).
import type { Millis } from '../clock.ts';
import type { Rng } from '../rng.ts';

const MAX_BACK_OFF_MS = 5_000;

interface BackOff {
  /** Draws the jitter. */
  readonly rng: Rng;
  /** The upper bound of the wait after the first failure; it doubles with each further one, up to 5 s. */
  readonly firstMs: Millis;
  /** The wait that the server requested. */
  readonly retryAfterMs?: Millis | undefined;
  /** Maximum of `retryAfterMs`. */
  readonly retryAfterCapMs: Millis;
}

/**
 * Returns the wait that the server requested, capped, plus a random time below `min(5 s, firstMs × 2^(failures-1))` (full jitter: Brooker, AWS,
 * 2015).
 */
export function backOffMs({ rng, firstMs, retryAfterMs = 0, retryAfterCapMs }: BackOff, failures: number): Millis {
  return Math.min(retryAfterMs, retryAfterCapMs) + Math.floor(rng.next() * Math.min(MAX_BACK_OFF_MS, firstMs * 2 ** (failures - 1)));
}
