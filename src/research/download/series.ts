// The kinds of history that a download fetches, as rows of CSV files that an import reads: candles, funding rates, trades.
import { DAY, HOUR, type Millis } from '../../base/clock.ts';
import { isDecimalText } from '../../base/text/decimal.ts';

/** One row as an exchange answered it. Values are decimal texts, not checked yet. */
export interface HistoryEntry {
  /** The opening of a candle, the settlement of a funding rate, the time of a trade. */
  readonly time: Millis;
  /** The id of a trade. A trade with the same id is written once. */
  readonly id?: string | undefined;
  readonly values: readonly string[];
}

/** How many rows were left out, by reason. */
export type LeftOut = Record<string, number>;

export type SeriesName = 'candles' | 'funding' | 'trades';

export interface HistorySeries {
  readonly name: SeriesName;
  /** The first line of a file. */
  readonly header: string;
  /** The time that one file covers. */
  readonly period: Period;
  /** How much later the next request begins after an empty page. For candles and funding: the least time that a full page covers. */
  readonly pageMs: Millis;
  /** The next request begins this much after the last row. 0: at its time, because more trades may have the same time. */
  readonly stepMs: Millis;
  /** Returns a page of rows from `since` on, in any order; the caller drops earlier rows. Rejects with a UserError. */
  ask(since: Millis): Promise<readonly HistoryEntry[]>;
  /** Returns the line of a row, or why it is left out. */
  lineOf(entry: HistoryEntry): { readonly line: string } | { readonly fault: string };
}

export type Period = 'day' | 'month' | 'year';

/** Files of short candles cover a month, those of an hour and longer a year. */
export const periodOfCandles = (span: Millis): Period => (span < HOUR ? 'month' : 'year');

export interface SeriesOptions {
  readonly ask: HistorySeries['ask'];
  /** The most rows of one answer. */
  readonly limit: number;
}

/** Values: open, high, low, close, volume. A candle that does not begin at a multiple of its length since 1970 is left out. */
export const candleSeries = (span: Millis, { ask, limit }: SeriesOptions): HistorySeries => ({
  name: 'candles',
  header: 'time,open,high,low,close,volume',
  period: periodOfCandles(span),
  pageMs: limit * span,
  stepMs: span,
  ask,
  lineOf({ time, values }) {
    if (time % span !== 0) return { fault: 'off the grid' };
    if (!values.every((text) => isDecimalText(text) && !text.startsWith('-'))) return { fault: 'not numbers' };
    const [open = 0, high = 0, low = 0, close = 0] = values.map(Number);
    const holds = low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close);
    return holds ? { line: [time, ...values].join(',') } : { fault: 'contradictory prices' };
  },
});

/** Values: the rate, a fraction. Funding is settled hourly at most. */
export const fundingSeries = ({ ask, limit }: SeriesOptions): HistorySeries => ({
  name: 'funding',
  header: 'time,funding_rate',
  period: 'year',
  pageMs: limit * HOUR,
  stepMs: 1,
  ask,
  lineOf: ({ time, values: [rate = ''] }) => (isDecimalText(rate) ? { line: `${time},${rate}` } : { fault: 'not numbers' }),
});

/** Values: side of the taker, price, amount. The columns are those of Tardis, in microseconds, so that `import --from tardis` reads the files beside a book. */
export const tradeSeries = ({
  exchange,
  symbol,
  ask,
}: Omit<SeriesOptions, 'limit'> & { exchange: string; symbol: string }): HistorySeries => ({
  name: 'trades',
  header: 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
  period: 'day',
  pageMs: HOUR,
  stepMs: 0,
  ask,
  lineOf({ time, id, values: [side = '', price = '', amount = ''] }) {
    if (id === undefined) return { fault: 'without an id' };
    if (!(Number(price) > 0) || !(Number(amount) > 0) || ![price, amount].every(isDecimalText)) return { fault: 'not numbers' };
    if (side !== 'buy' && side !== 'sell') return { fault: 'without a side' };
    return { line: [exchange, symbol, time * 1_000, time * 1_000, id, side, price, amount].join(',') };
  },
});

/** Returns the beginning of the period after the one of `time`, in UTC. */
export function periodEnd(period: Period, time: Millis): Millis {
  const date = new Date(time);
  if (period === 'day') return (Math.floor(time / DAY) + 1) * DAY;
  return period === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) : Date.UTC(date.getUTCFullYear() + 1, 0);
}

/** `2025`, `2025-03` or `2025-03-09`. */
export const periodName = (period: Period, time: Millis): string =>
  new Date(time).toISOString().slice(0, period === 'day' ? 10 : period === 'month' ? 7 : 4);
