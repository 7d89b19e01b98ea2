// How good a fill was: what it won against the middle of the book, and where the middle went afterwards.
import type { Millis } from '../../base/clock.ts';
import type { Market } from '../../domain/market.ts';
import { lots, ticks } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';
import type { TopSteps } from './report-collector.ts';

export const HORIZONS_MS = [1_000, 10_000, 60_000] as const;

/** Positive in our favour. */
export interface Edge {
  /** In quote money, for the whole size. */
  readonly money: number;
  /** Of the mid at the fill, in hundredths of a percent. */
  readonly bps: number;
}

/** Of one fill; undefined where the bot had seen no sound book shortly before. */
export interface FillQuality {
  /** `(best bid + best ask) / 2` as the bot last saw it, decimal. */
  readonly mid: number | undefined;
  /** `mid × size` in quote money; 0 without a mid. */
  readonly notional: number;
  /** `sign × (mid − price)`: the spread captured. */
  readonly spread: Edge | undefined;
  /** `sign × (mid after the horizon − mid)`, one for each of `HORIZONS_MS`; a negative one is adverse selection. */
  readonly markouts: readonly (Edge | undefined)[];
}

/**
 * Mids are those of the polled books: the last one that had arrived by that time. At the fill it may be as old as `tops` says, after a horizon as old
 * or the horizon, whichever is less; else the fill is not counted there. Fills bear the exchange's time, books ours.
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

/** `money` is the sum. */
export interface EdgeTotal {
  readonly money: number;
  /** `Σ money / Σ notional` of those counted, so that large fills weigh more; undefined where none is. */
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
