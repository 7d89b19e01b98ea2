// The prices used for risk: the worse of index and mark, widened by the oracle's confidence interval.
import type { Market } from '../domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Ticks, toDecimal } from '../domain/numbers.ts';
import type { World } from '../world/world.ts';

export interface PriceBand {
  readonly low: Ticks;
  readonly high: Ticks;
}

/** `min(index, mark) − confidence` and `max(index, mark) + confidence`; undefined without an index price. */
export function priceBand(market: Market, world: World): PriceBand | undefined {
  const info = world.info(market.id)?.value;
  if (info?.index === undefined) return undefined;
  const { index, mark = index, indexConf: confidence = 0 } = info;
  return { low: Math.max(1, Math.min(index, mark) - confidence) as Ticks, high: (Math.max(index, mark) + confidence) as Ticks };
}

/** Returns the largest number of lots whose notional at `price` is at most `notional` (quote money). */
export function lotsFor({ market, price, notional }: { market: Market; price: Ticks; notional: number }): Lots {
  const countable = Math.min(notional, MAX_MONEY);
  const near = lots(Math.max(0, Math.round(countable / (market.price(price) * market.size(lots(1))))));
  return toDecimal(market.notional(price, near)) > countable ? lots(near - 1) : near;
}

/** Half of the largest safe amount in millionths, so that the sum of two stays exact. Higher limits are capped. */
const MAX_MONEY = Number.MAX_SAFE_INTEGER / MICROS_PER_UNIT / 2;

/** Returns a fraction as text for people: `2 %`, `0.25 %`. */
export const percent = (fraction: number): string => `${Number((fraction * 100).toPrecision(4))} %`;
