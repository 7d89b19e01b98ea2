// The candles that servers show from before the start of the exchange, by market.
import { MINUTE } from '../../base/clock.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { CandlesWithPast, type Past } from '../exchange/history/past.ts';

/** Returns an empty map if `past` is absent. Leaves out a market that has no candle of its own yet. */
export function pastsOf(
  { markets, records }: Exchange,
  past: Pick<Past, 'seed' | 'moves'> | undefined,
): ReadonlyMap<MarketId, CandlesWithPast> {
  if (past === undefined) return new Map();
  return new Map(
    markets.flatMap(({ id, symbol }) => {
      const oldest = records.candles(id, MINUTE).at(-1); // newest first
      return oldest === undefined ? [] : [[id, new CandlesWithPast({ ...past, symbol, first: oldest })] as const];
    }),
  );
}
