// Compares what was downloaded of a market with what was asked for: counts, gaps and missing parts.
import type { Millis } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Manifest, StoredMarket, StoredSeries } from './manifest.ts';
import type { Gap } from './period-file.ts';
import type { LeftOut } from './series.ts';

export interface Coverage {
  readonly candles: number;
  /** Openings of the first and the last candle; absent if there are none. */
  readonly first: Millis | undefined;
  readonly last: Millis | undefined;
  /** Candles that are missing between the first and the last one. */
  readonly missing: number;
  readonly gapCount: number;
  readonly longestGap: Gap | undefined;
  /** Numbers of rows; undefined if they were not asked for. */
  readonly funding: number | undefined;
  readonly trades: number | undefined;
  /** One sentence for each part of the asked time that the exchange does not have. */
  readonly shortOf: readonly string[];
  /** Rows that were left out, by kind and reason. */
  readonly leftOut: LeftOut;
}

export function coverageOf(market: StoredMarket, { since, until, intervalMs: span }: Manifest): Coverage {
  const { candles, funding, trades } = market;
  const filled = candles.files.filter(({ rows }) => rows > 0);
  // The gaps between two files; those within a file are listed by the file.
  const between = filled.flatMap(({ first = 0 }, index): Gap[] => {
    const from = (filled[index - 1]?.last ?? first - span) + span;
    return first > from ? [{ from, to: first }] : [];
  });
  const gaps = [...filled.flatMap((file) => file.gaps), ...between];
  const [first, last] = [filled[0]?.first, filled.at(-1)?.last];
  return {
    candles: rowsOf(candles),
    first,
    last,
    missing: sum(filled.map((file) => file.missing)) + sum(between.map(({ from, to }) => (to - from) / span)),
    gapCount: sum(filled.map((file) => file.gapCount)) + between.length,
    longestGap: gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0],
    funding: funding && rowsOf(funding),
    trades: trades && rowsOf(trades),
    shortOf: [
      ...shortOfCandles({ first, last }, { since, until, span }),
      ...[funding && beginsText('funding rates', funding), trades && beginsText('trades', trades)].flatMap((text) => text ?? []),
    ],
    leftOut: leftOutOf(market),
  };
}

interface Ends {
  readonly first: Millis | undefined;
  readonly last: Millis | undefined;
}

function shortOfCandles({ first, last }: Ends, { since, until, span }: { since: Millis; until: Millis; span: Millis }): readonly string[] {
  if (first === undefined || last === undefined) return [`no candles from ${shortTimeText(since)} to ${shortTimeText(until)}`];
  return [
    ...(first > since ? [`asked for from ${shortTimeText(since)}, the candles begin at ${shortTimeText(first)}`] : []),
    ...(last + span < until ? [`asked for to ${shortTimeText(until)}, the candles end at ${shortTimeText(last + span)}`] : []),
  ];
}

function beginsText(what: string, { begins, files }: StoredSeries): string | undefined {
  if (files.every(({ rows }) => rows === 0)) return `no ${what}`;
  return begins === undefined ? undefined : `the ${what} begin at ${shortTimeText(begins)}`;
}

function leftOutOf({ candles, funding, trades }: StoredMarket): LeftOut {
  const all: LeftOut = {};
  for (const [kind, series] of Object.entries({ candles, funding, trades })) {
    for (const { leftOut } of series?.files ?? [])
      for (const [reason, count] of Object.entries(leftOut)) {
        const name = `${kind} ${reason}`;
        all[name] = (all[name] ?? 0) + count;
      }
  }
  return all;
}

const rowsOf = ({ files }: StoredSeries): number => sum(files.map(({ rows }) => rows));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
/** Returns a time without its seconds if they are zero: `2026-01-31T08:00Z`. */
const shortTimeText = (time: Millis): string => timeText(time).replace(/:00\.000Z$/, 'Z');
