// Spans of time in which orders rested, for drawing, sampled at a fixed number of moments so that their number is bounded.
import type { Millis } from '../../../base/clock.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { ticks } from '../../../bot/domain/numbers.ts';
import type { RestingTimes } from '../figures/trades/resting-times.ts';

export interface RestingSpan {
  readonly from: Millis;
  readonly to: Millis;
  readonly price: number;
  readonly side: Side;
}

const MOMENTS = 500;

/**
 * Returns the spans. The time is divided into `moments` equal intervals; an order is drawn in each interval in whose middle it rested. Orders of one side and
 * price in neighbouring intervals are one span, so there are at most `moments × simultaneous orders` spans.
 */
export function restingSpans(
  { count, starts, ends, prices, signs }: RestingTimes,
  { market, from, to, moments = MOMENTS }: { market: Market; from: Millis; to: Millis; moments?: number },
): readonly RestingSpan[] {
  const width = (to - from) / moments;
  if (width <= 0) return [];
  const spans: { first: number; last: number; price: number; sign: number }[] = [];
  const newest = new Map<number, (typeof spans)[number]>();
  for (let row = 0; row < count; row++) {
    const first = Math.max(0, Math.ceil((starts[row]! - from) / width - 0.5));
    const last = Math.min(moments, Math.ceil((ends[row]! - from) / width - 0.5)) - 1;
    if (last < first) continue;
    const [price, sign] = [prices[row]!, signs[row]!];
    const before = newest.get(sign * price);
    if (before !== undefined && first <= before.last + 1) {
      before.last = Math.max(before.last, last);
      continue;
    }
    const span = { first, last, price, sign };
    spans.push(span);
    newest.set(sign * price, span);
  }
  return spans.map(({ first, last, price, sign }) => ({
    from: from + first * width,
    to: from + (last + 1) * width,
    price: market.price(ticks(price)),
    side: sign > 0 ? 'bid' : 'ask',
  }));
}
