// The profit of a run by day, week or month, from its totals at the end of each day.
import type { PageHistory } from '../contract.ts';

export const PERIODS = ['day', 'week', 'month'] as const;
export type PeriodLength = (typeof PERIODS)[number];

export interface PeriodRow {
  /** `2026-01-31`; of a week its Monday; `2026-01` of a month. */
  readonly period: string;
  readonly pnl: number;
  readonly fills: number;
  /** Closed round trips. */
  readonly trips: number;
  readonly won: number;
  readonly heldMs: number;
}

const DAY_MS = 86_400_000;

/** Returns the name of the period that a day is in. */
function nameOf(day: string, period: PeriodLength): string {
  if (period === 'day') return day;
  if (period === 'month') return day.slice(0, 7);
  const at = Date.parse(day);
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the rows, newest first; periods without a turn are absent. */
export function periodsOf({ start, days }: Pick<PageHistory, 'start' | 'days'>, period: PeriodLength): readonly PeriodRow[] {
  const last = new Map(days.map((day) => [nameOf(day.day, period), day]));
  let before = start;
  const rows: PeriodRow[] = [];
  for (const [name, totals] of last) {
    rows.push({ period: name, ...difference(totals, before) });
    before = totals;
  }
  return rows.reverse();
}

type Totals = PageHistory['start'];

const difference = (now: Totals, before: Totals): Omit<PeriodRow, 'period'> => ({
  pnl: Number(now.pnl) - Number(before.pnl),
  fills: now.fills - before.fills,
  trips: now.trips - before.trips,
  won: now.won - before.won,
  heldMs: now.heldMs - before.heldMs,
});

/** Returns the sums of all days. */
export const totalOf = ({ start, days }: Pick<PageHistory, 'start' | 'days'>): Omit<PeriodRow, 'period'> =>
  difference(days.at(-1) ?? start, start);
