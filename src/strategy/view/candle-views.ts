// A market's candles in decimals: each is converted once.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { resolutionText } from '../../domain/candle.ts';
import type { Market } from '../../domain/market.ts';
import type { CandleSeries } from '../../world/market/candle-series.ts';
import { type CandleView, candleView } from './market-parts.ts';

interface Converted {
  readonly views: CandleView[];
  readonly restarts: number;
  added: number;
}

/** Returns a function that returns the finished candles of a length, as a new list in each call. */
export function candleViewer(market: Market): (series: CandleSeries | undefined, span: Millis) => readonly CandleView[] {
  const bySpan = new Map<Millis, Converted>();
  return (series, span) => {
    if (series === undefined) return [];
    let known = bySpan.get(span);
    if (known?.restarts !== series.restarts) bySpan.set(span, (known = { views: [], restarts: series.restarts, added: 0 }));
    const { kept, added } = series;
    for (const candle of series.last(Math.min(kept, added - known.added))) known.views.push(candleView(candle, market));
    known.added = added;
    if (known.views.length > 2 * kept) known.views.splice(0, known.views.length - kept);
    return known.views.slice(-kept);
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
