// The prices that a risk is counted at: the worse of index and mark, with the oracle's doubt added against us.
import type { Market } from '../domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Ticks } from '../domain/numbers.ts';
import type { World } from '../world/world.ts';

export interface PriceBand {
  readonly low: Ticks;
  readonly high: Ticks;
}

/** `min(index, mark) − confidence` and `max(index, mark) + confidence`; undefined while the exchange shows no index. */
export function priceBand(market: Market, world: World): PriceBand | undefined {
  const info = world.info(market.id)?.value;
  if (info?.index === undefined) return undefined;
  const mark = info.mark ?? info.index;
  const doubt = info.indexConf ?? 0;
  return { low: Math.max(1, Math.min(info.index, mark) - doubt) as Ticks, high: (Math.max(info.index, mark) + doubt) as Ticks };
}

/** The whole lots whose notional at `price` is at most `notional` (quote money). */
export function lotsFor({ market, price, notional }: { market: Market; price: Ticks; notional: number }): Lots {
  const perLot = market.price(price) * market.size(lots(1));
  return lots(Math.max(0, Math.floor(notional / perLot + 1 / MICROS_PER_UNIT)));
}
