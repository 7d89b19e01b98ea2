// A market's candles in decimals, each converted once, and averages of them.
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { resolutionText } from '../../domain/candle.ts';
import type { Market } from '../../domain/market.ts';
import { ticks } from '../../domain/numbers.ts';
import type { CandleSeries } from '../../world/market/candle-series.ts';
import { interval } from '../indicators/indicator.ts';
import { type CandleView, candleView } from './market-parts.ts';

interface Converted {
  readonly views: CandleView[];
  /** The sum of the closes before the first view, and up to each view, in ticks: whole numbers, which add up without rounding. */
  readonly sums: number[];
  readonly restarts: number;
  added: number;
}

/** The candles of one market in decimals. */
export interface CandleViews {
  /** The finished candles of a length, as a new list in each call. */
  readonly finished: (series: CandleSeries | undefined, span: Millis) => readonly CandleView[];
  /** The average close of the newest `length` of them; undefined if there are fewer. */
  readonly averageClose: (series: CandleSeries | undefined, span: Millis, length: number) => number | undefined;
}

export function candleViews(market: Market): CandleViews {
  const bySpan = new Map<Millis, Converted>();
  const converted = (series: CandleSeries, span: Millis): Converted => {
    let done = bySpan.get(span);
    if (done?.restarts !== series.restarts) bySpan.set(span, (done = { views: [], sums: [0], restarts: series.restarts, added: 0 }));
    const { kept, added } = series;
    const { views, sums } = done;
    if (added === done.added) return done;
    for (const candle of series.last(Math.min(kept, added - done.added))) {
      views.push(candleView(candle, market));
      sums.push(sums.at(-1)! + candle.close);
    }
    done.added = added;
    if (views.length > 2 * kept) for (const list of [sums, views]) list.splice(0, views.length - kept);
    return done;
  };
  return {
    finished: (series, span) => (series === undefined ? [] : converted(series, span).views.slice(-series.kept)),
    averageClose: (series, span, length) => {
      interval('averageClose', length);
      if (series === undefined) return undefined;
      const { views, sums } = converted(series, span);
      if (length > Math.min(views.length, series.kept)) return undefined;
      return market.price(ticks(sums.at(-1)! - sums.at(-1 - length)!)) / length;
    },
  };
}

/** Throws a UserError if candles of this length cannot be built from the available lengths. */
export function checkSpan(lengths: readonly Millis[] | undefined, span: Millis, { symbol }: Market): void {
  if (lengths === undefined || lengths.length === 0 || lengths.some((length) => span % length === 0)) return;
  const [found, asked] = [lengths.map(resolutionText).join(' and '), resolutionText(span)];
  throw new UserError({
    code: 'resolution',
    message: `${symbol}: the data has candles of ${found}; candles of ${asked} cannot be made of them`,
    hint: `ask for candles('${found}') or a multiple of it, or give data with shorter candles`,
  });
}

/** Returns the candles of each time that all lists have, in the order of the lists. Each list is in order of time. */
export function aligned(lists: readonly (readonly CandleView[])[]): readonly (readonly CandleView[])[] {
  const [first = [], ...others] = lists;
  const positions = others.map(() => 0);
  return first.flatMap((candle) => {
    const row = [candle];
    for (const [rank, other] of others.entries()) {
      let at = positions[rank] ?? 0;
      while (at < other.length && other[at]!.start < candle.start) at++;
      positions[rank] = at;
      const found = other[at];
      if (found?.start !== candle.start) return [];
      row.push(found);
    }
    return [row];
  });
}
