// Serves a fake exchange on a local port, with other traders, so that a run can trade there.
import { systemClock } from '../../../base/clock.ts';
import { rngFrom } from '../../../base/rng.ts';
import { serve } from '../../../base/server/http.ts';
import type { OpenStreams } from '../../../base/server/sockets.ts';
import type { VenueDefinition } from '../../../venues/kind/modules/define-venue.ts';
import { subjectOf, VenueBench } from './bench.ts';
import type { FakeDefinition, FakeExchange } from './fake.ts';
import { OtherTraders } from './other-traders.ts';

/** A fake exchange that is served. */
export interface FakeServer {
  /** For `--url`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where a fake is served, and the seed of its other traders. */
export interface ServeFakeOptions {
  /** A free one if absent. */
  readonly port?: number | undefined;
  readonly seed?: string | undefined;
}

/**
 * Serves a fake on loopback by the machine's clock, with other traders around its usual price. Rejects with a UserError if the port cannot be used. An
 * error of the fake is thrown out of the server, because it is a mistake of its author.
 */
export async function serveFake<K>(
  venue: VenueDefinition<K>,
  fake: FakeDefinition,
  { port = 0, seed = 'fake' }: ServeFakeOptions = {},
): Promise<FakeServer> {
  const { market } = await new VenueBench(subjectOf(venue, fake, seed)).open({ connected: false });
  const rng = rngFrom(seed);
  const exchange = fake.open({ clock: systemClock, rng: rng.fork('fake') });
  const others = new OtherTraders({ ...fake, market, exchange, clock: systemClock, rng: rng.fork('others') });
  const served = await serve((request) => exchange.handle(request), {
    port,
    host: '127.0.0.1',
    onBug(thrown) {
      throw thrown;
    },
    streams: exchange.connect && streamsOf(exchange),
  });
  return {
    url: served.url,
    close() {
      others.stop();
      return served.close();
    },
  };
}

const streamsOf =
  (exchange: FakeExchange): OpenStreams =>
  (path) =>
  (send, listen) => {
    const socket = exchange.connect?.(path, send);
    listen?.((text) => socket?.message(text));
    return () => socket?.closed();
  };
