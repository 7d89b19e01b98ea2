// The embedded exchange, started: it lives on a clock, and answers in this process or on a loopback port.
import type { Clock, Millis } from '../base/clock.ts';
import type { Handler } from '../base/transport.ts';
import type { Micros } from '../domain/numbers.ts';
import { Exchange } from '../simulator/exchange.ts';
import { ActionCodec } from '../wire/codec.ts';
import type { ActionSchema } from '../wire/schema.ts';
import { drive } from './drive.ts';
import { hostedSurface } from './hosted/surface.ts';
import { serve } from './http.ts';

export interface EmbeddedOptions {
  /** Of everything that the other traders do. */
  readonly seed: string;
  /** Exchange time at the beginning. */
  readonly start: Millis;
  readonly clock: Clock;
  /** Simulated seconds a second of the clock. */
  readonly speed: number;
  /** Quote money that a user unknown so far is given; 0 turns it away. */
  readonly faucet: Micros;
  readonly schema: ActionSchema;
  /** 0 is any that is free; without one it answers in this process only. */
  readonly port?: number | undefined;
  /** Hears of what the server should not have thrown. */
  readonly onBug: (thrown: unknown) => void;
}

export interface Embedded {
  readonly exchange: Exchange;
  /** Surface B. */
  readonly hosted: Handler;
  /** Where surface B is served; undefined without a port. */
  readonly url: string | undefined;
  /** Stops its time and its server. */
  readonly close: () => Promise<void>;
}

/** The other traders are at work for so long before anybody else comes: whoever asks first sees a book, and trades. */
const WARM_UP: Millis = 30_000;

/** Rejects with a `UserError` where the port cannot be had. */
export async function startEmbedded({ seed, start, clock, speed, faucet, schema, port, onBug }: EmbeddedOptions): Promise<Embedded> {
  const exchange = new Exchange({ seed, start: start - WARM_UP });
  exchange.advanceTo(start);
  const { tick, stop } = drive({ exchange, clock, speed });
  const hosted = hostedSurface({ exchange, codec: new ActionCodec(schema), faucet, tick });
  try {
    const served = port === undefined ? undefined : await serve(hosted, { port, host: '127.0.0.1', onBug });
    const close = async (): Promise<void> => {
      stop();
      await served?.close();
    };
    return { exchange, hosted, url: served?.url, close };
  } catch (thrown) {
    stop();
    throw thrown;
  }
}
