// An embedded exchange in its own process, with so many markets.
import { systemClock } from '../src/base/clock.ts';
import { serve } from '../src/base/server/http.ts';
import { Exchange } from '../src/embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS, LISTED_MARKETS, type ListedMarket } from '../src/embedded/exchange/state/listing.ts';
import { flowNamed } from '../src/embedded/exchange/traders/flow.ts';
import { advanceWithClock } from '../src/embedded/server/advance-time.ts';
import { hostedApi } from '../src/embedded/server/hosted/api.ts';
import { ActionCodec } from '../src/venues/wire/codec.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { answerParent } from './forked-server.ts';

/** Exchange time before the first request, so that every book is filled. */
const WARM_UP = 60_000;

const exchange = new Exchange({
  seed: 'bench',
  flow: flowNamed('swinging'),
  start: systemClock.now() - WARM_UP,
  markets: listed(Number(process.argv[2])),
});
exchange.advanceTo(exchange.now() + WARM_UP);
const { catchUp } = advanceWithClock({ exchange, clock: systemClock, speed: 1 });
const surface = hostedApi({ exchange, codec: new ActionCodec(bundledSchema()), faucet: DEFAULT_FUNDS, catchUp });
const { url } = await serve(surface, { port: 0, host: '127.0.0.1', onBug: (thrown) => console.error(thrown) });
answerParent(url);

/** Returns `count` markets: the listed perpetuals repeated, with a suffix on the symbol from the second round on. */
function listed(count: number): readonly ListedMarket[] {
  const perpetuals = LISTED_MARKETS.filter(({ spec }) => spec.kind === 'perp');
  return Array.from({ length: count }, (_, id) => {
    const { spec, basePrice } = perpetuals[id % perpetuals.length]!;
    const symbol = id < perpetuals.length ? spec.symbol : `${spec.symbol}-${id}`;
    return { spec: { ...spec, id, symbol }, basePrice };
  });
}
