// The exchange's time, read from `/timestamp`, never from a local clock. Only this time is signed.
// If the exchange's clock jumps, forwards or backwards, the next reading applies at once. `session.ts` then replaces a session that the jump has ended;
// `bot/world/market/engine-time.ts` says which placements have expired.
import type { Millis } from '../../../base/clock.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import type { HostedClient } from '../../client/hosted.ts';
import { ExchangeTime, type ExchangeTimeOptions, type TimeReading } from '../../shared/exchange-time.ts';

/** Samples older than this are not used for signing: the exchange refuses bytes that are a minute old, and the request takes time too. */
const SIGNABLE_FOR: Millis = 20_000;

/** Seconds, of the 60 for which signed bytes are valid. */
const CANCEL_MARGIN = 15;
/** Seconds by which our clock may be ahead of the exchange's. */
const CLOCK_MARGIN = 5;

/**
 * Returns the seconds of a `/timestamp` reading, whose unit the API document does not name: ten digits can only be seconds, thirteen only
 * milliseconds, and a truncated reading has another number of digits. Throws a ClientError `shape` for anything else.
 */
export function secondsOfReading(reading: number): number {
  if (reading >= 1e9 && reading < 1e10) return Math.floor(reading);
  if (reading >= 1e12 && reading < 1e13) return Math.floor(reading / 1_000);
  const message = `GET /timestamp says ${reading}, which is neither seconds nor milliseconds since 1970`;
  throw new ClientError({ kind: 'shape', status: 200, message });
}

export interface EngineTimeOptions extends Omit<ExchangeTimeOptions, 'readSeconds'> {
  readonly client: Pick<HostedClient, 'timestamp'>;
}

/** Nothing can be signed before the first reading. */
export class EngineTime extends ExchangeTime {
  /** The newest trade, and when it was listed first. */
  #trade: TimeReading | undefined;

  constructor({ client, ...options }: EngineTimeOptions) {
    super({ ...options, readSeconds: async () => secondsOfReading(await client.timestamp()) });
  }

  /** Assumes our clock's time until a reading is observed: sufficient for a cancel, which at worst is refused. */
  assume(now: Millis): void {
    this.observe({ seconds: Math.floor(now / 1_000) - CLOCK_MARGIN, asked: now });
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
    return now - asked <= SIGNABLE_FOR ? seconds : undefined;
  }

  /**
   * Returns the seconds to sign a cancel with, also if the time was observed long ago: then the last reading plus the local time since, minus a
   * margin for clock drift. The worst outcome is a refusal; a late cancel is harmless.
   */
  forCancels(now: Millis): number {
    return this.signable(now) ?? Math.floor(this.estimate(now)) - CANCEL_MARGIN;
  }
}
