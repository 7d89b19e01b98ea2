// Fill quality: the spread captured against the mid price, and the markout, the move of the mid price afterwards.
import type { Millis } from '../../../../base/clock.ts';
import { signOf } from '../../../../bot/domain/book.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { lots, ticks } from '../../../../bot/domain/numbers.ts';
import type { Fill } from '../../../../bot/domain/order.ts';
import type { TopSteps } from '../report-collector.ts';

export const HORIZONS_MS = [1_000, 10_000, 60_000] as const;

/** A gain; positive is in our favour. */
export interface Edge {
  /** In quote money, for the whole size. */
  readonly money: number;
  /** In basis points of the mid price at the fill. */
  readonly bps: number;
}

/** Quality of one fill. Values are undefined if the bot had no valid book from shortly before. */
export interface FillQuality {
  /** `(best bid + best ask) / 2` of the newest book that the bot had, decimal. */
  readonly mid: number | undefined;
  /** `mid × size` in quote money; 0 without a mid. */
  readonly notional: number;
  /** The spread captured: `sign × (mid − price)`. */
  readonly spread: Edge | undefined;
  /** Markouts: `sign × (mid after the horizon − mid)`, one for each of `HORIZONS_MS`. A negative one is adverse selection. */
  readonly markouts: readonly (Edge | undefined)[];
}

/**
 * Returns the quality of a fill. A mid price is that of the last polled book that had arrived by then. At the fill it may be at most `tops.freshMs`
 * old, after a horizon at most the smaller of `tops.freshMs` and the horizon; otherwise the value is undefined. Fills have the exchange's time, books
 * the local time.
 */
export function qualityOf({ side, price, size, time }: Fill, { market, tops }: { market: Market; tops: TopSteps }): FillQuality {
  const midAt = midsOf(market, tops);
  const mid = midAt(time, tops.freshMs);
  if (mid === undefined) return { mid, notional: 0, spread: undefined, markouts: HORIZONS_MS.map(() => undefined) };
  const edge = (move: number): Edge => {
    const ours = signOf(side) * move;
    return { money: ours * market.size(lots(size)), bps: (ours / mid) * 1e4 };
  };
  const markouts = HORIZONS_MS.map((horizon) => {
    const then = midAt(time + horizon, Math.min(horizon, tops.freshMs));
    return then === undefined ? undefined : edge(then - mid);
  });
  return { mid, notional: mid * market.size(lots(size)), spread: edge(mid - market.price(ticks(price))), markouts };
}

function midsOf(market: Market, tops: TopSteps): (time: Millis, maxAge: Millis) => number | undefined {
  const [bids, asks] = [tops.column('bid'), tops.column('ask')];
  return (time, maxAge) => {
    const row = tops.rowAt(time, maxAge);
    return row === undefined ? undefined : market.price(ticks(bids[row]! + asks[row]!)) / 2;
  };
}

/** The total over several fills; `money` is the sum. */
export interface EdgeTotal {
  readonly money: number;
  /** `Σ money / Σ notional` of the fills counted, so that large fills weigh more; undefined if none is. */
  readonly bps: number | undefined;
  readonly counted: number;
  readonly notCounted: number;
}

export interface QualityTotal {
  readonly fills: number;
  readonly spread: EdgeTotal;
  /** One for each of `HORIZONS_MS`. */
  readonly markouts: readonly EdgeTotal[];
}

export function qualityTotal(qualities: readonly FillQuality[]): QualityTotal {
  return {
    fills: qualities.length,
    spread: totalOf(qualities, ({ spread }) => spread),
    markouts: HORIZONS_MS.map((_, i) => totalOf(qualities, ({ markouts }) => markouts[i])),
  };
}

function totalOf(qualities: readonly FillQuality[], edgeOf: (quality: FillQuality) => Edge | undefined): EdgeTotal {
  let [money, notional, counted] = [0, 0, 0];
  for (const quality of qualities) {
    const edge = edgeOf(quality);
    if (edge === undefined) continue;
    counted++;
    money += edge.money;
    notional += quality.notional;
  }
  return { money, bps: counted === 0 ? undefined : (money / notional) * 1e4, counted, notCounted: qualities.length - counted };
}
