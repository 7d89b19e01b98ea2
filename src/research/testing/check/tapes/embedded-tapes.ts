// Records the embedded exchange in memory, for checks without given tapes.
import type { Millis } from '../../../../base/clock.ts';
import { Exchange } from '../../../../embedded/exchange/exchange.ts';
import { STEP } from '../../../../embedded/exchange/rules/step.ts';
import { listedAs } from '../../../../embedded/exchange/state/listing.ts';
import { flowNamed } from '../../../../embedded/exchange/traders/flow.ts';
import { FUNDING_INTERVAL, fundingOf, MarketRows } from '../../../../embedded/recording/market-rows.ts';
import { STAMPS_PER_MILLI } from '../../../../embedded/rows/rows.ts';
import type { Tape } from '../../../../embedded/tape/reader.ts';
import { SCRIPT_START } from '../../market-script.ts';
import { MemoryRows } from '../../memory-tape.ts';

const SOURCE = 'the embedded exchange';
/** The exchange's traders run for this long before the tapes begin. */
const WARM_UP: Millis = 30_000;
/** Interval between two rows of mark and index prices. */
const PRICES_EVERY: Millis = 1_000;

/**
 * Returns the hourly funding rate after a share of the recording. It changes sign, so that strategies that trade on funding have a reason to trade.
 */
const fundingAt = (share: number): number => (share < 0.1 ? 0 : share < 0.6 ? 1e-4 : -1e-4);

/** Records the named markets of an exchange with only these markets. The embedded exchange must list them. */
export function embeddedTapes({
  seed,
  markets,
  spanMs,
}: {
  readonly seed: string;
  readonly markets: readonly string[];
  readonly spanMs: Millis;
}): readonly Tape[] {
  const exchange = new Exchange({ seed, markets: listedAs(markets), flow: flowNamed('swinging'), start: SCRIPT_START - WARM_UP });
  exchange.advanceTo(SCRIPT_START);
  const recorded = exchange.markets.map((market) => {
    const memory = new MemoryRows();
    return { market, memory, rows: new MarketRows((row) => memory.add(row)), basePrice: market.price(exchange.live(market.id)!.index!) };
  });
  for (let now = SCRIPT_START; now <= SCRIPT_START + spanMs; now += STEP) {
    exchange.advanceTo(now);
    const when = { time: now * STAMPS_PER_MILLI, lag: 0 };
    for (const { market, rows } of recorded) {
      for (const trade of exchange.trades({ marketId: market.id, since: now }).items.toReversed()) rows.trade(trade, when);
      const book = exchange.book(market.id);
      if (book !== undefined) rows.book(book, when);
      const live = now % PRICES_EVERY === 0 ? exchange.live(market.id) : undefined;
      if (live === undefined) continue;
      rows.info(live.fundingRate === undefined ? live : { ...live, fundingRate: fundingAt((now - SCRIPT_START) / spanMs) }, when);
    }
  }
  return recorded.flatMap(({ market: { spec }, memory, basePrice }) => {
    const tape = memory.tape({
      market: spec,
      basePrice,
      source: SOURCE,
      books: 'changes',
      fundingIntervalMs: FUNDING_INTERVAL,
      ...fundingOf(spec),
    });
    return tape === undefined ? [] : [tape];
  });
}
