// Candles of the chosen length, from the candles of the state and from the books received since.
import type { PageCandles } from '../state/store.ts';

export interface Bar {
  /** Seconds since the Unix epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export const SPANS = { '1s': 1, '5s': 5, '15s': 15, '1m': 60, '5m': 300, '1h': 3_600 } as const;
export type ChartSpan = keyof typeof SPANS;
const MINUTE = 60;

/** Merges the candles of the state into bars of the chosen length. */
export function barsOf(candles: PageCandles[string] | undefined, span: ChartSpan): readonly Bar[] {
  const length = SPANS[span];
  const rows = (length < MINUTE ? candles?.seconds : candles?.minutes) ?? [];
  const bars: Bar[] = [];
  for (const [start, open, high, low, close] of rows) {
    const bar = { time: Math.floor(start / 1_000), open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
    const joined = joinedTo(bars.at(-1), bar, length);
    if (joined.time === bars.at(-1)?.time) bars.pop();
    bars.push(joined);
  }
  return bars;
}

/** Returns the last bar updated with a price, or a new bar if the price is later. */
export const withPrice = (last: Bar | undefined, { at, price }: { at: number; price: number }, span: ChartSpan): Bar =>
  joinedTo(last, { time: Math.floor(at / 1_000), open: price, high: price, low: price, close: price }, SPANS[span]);

function joinedTo(last: Bar | undefined, bar: Bar, length: number): Bar {
  const time = bar.time - (bar.time % length);
  if (last === undefined || last.time < time) return { ...bar, time };
  return { ...last, high: Math.max(last.high, bar.high), low: Math.min(last.low, bar.low), close: bar.close };
}
