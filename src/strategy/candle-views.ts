// A market's candles in decimals: each is converted once.
import type { Millis } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { type Candle, resolutionText } from '../domain/candle.ts';
import type { Market } from '../domain/market.ts';
import { type CandleView, candleView } from './market-parts.ts';

interface Converted {
  readonly candles: readonly Candle[];
  readonly views: readonly CandleView[];
}

/** Converts the finished candles of a length. Each caller gets a list of its own. */
export function candleViewer(market: Market): (candles: readonly Candle[], span: Millis) => readonly CandleView[] {
  const bySpan = new Map<Millis, Converted>();
  return (candles, span) => {
    const last = bySpan.get(span);
    if (last?.candles === candles) return last.views.slice();
    const views = converted(candles, last, market);
    bySpan.set(span, { candles, views });
    return views.slice();
  };
}

/** Takes over the views of the candles that the last list had. */
function converted(candles: readonly Candle[], last: Converted | undefined, market: Market): readonly CandleView[] {
  const views: CandleView[] = [];
  let before = last === undefined ? -1 : last.candles.indexOf(candles[0]!);
  for (const candle of candles) {
    const known = before >= 0 && last?.candles[before] === candle ? last.views[before] : undefined;
    views.push(known ?? candleView(candle, market));
    if (before >= 0) before += 1;
  }
  return views;
}

/** Throws a UserError if candles of that length cannot be made of the lengths that there are. */
export function checkSpan(lengths: readonly Millis[] | undefined, span: Millis, { symbol }: Market): void {
  if (lengths === undefined || lengths.length === 0 || lengths.some((length) => span % length === 0)) return;
  const [found, asked] = [lengths.map(resolutionText).join(' and '), resolutionText(span)];
  throw new UserError({
    code: 'resolution',
    message: `${symbol}: the data has candles of ${found}; candles of ${asked} cannot be made of them`,
    hint: `ask for candles('${found}') or a multiple of it, or give data with shorter candles`,
  });
}
