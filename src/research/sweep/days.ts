// Splits a long span into days at midnight, each a separate backtest, and joins the days of a point again.
import { createHash } from 'node:crypto';
import { DAY, type Millis } from '../../base/clock.ts';
import { momentsOf, sharpeOf } from '../../base/statistics/moments.ts';
import { moneyText } from '../../bot/accounting/lines.ts';
import { micros } from '../../bot/domain/numbers.ts';
import type { Span } from '../../embedded/recording/tapes.ts';
import type { JobOutcome, Result, SweepRow } from './row.ts';

/** A remainder shorter than this at either end is added to the day next to it. */
const SHORTEST: Millis = 3_600_000;

/** The days of a span in UTC. */
export function daysOf({ from, to }: Span): readonly Span[] {
  const cuts: Millis[] = [from];
  for (let midnight = Math.ceil(from / DAY) * DAY; midnight < to; midnight += DAY)
    if (midnight - from >= SHORTEST && to - midnight >= SHORTEST) cuts.push(midnight);
  return cuts.map((cut, index) => ({ from: cut, to: cuts[index + 1] ?? to }));
}

type Done = Extract<JobOutcome, { kind: 'done' }>;

/** Joins the rows of the days of one point, in order of time. The point has failed if one of its days has. */
export function joinDays(rows: readonly SweepRow[]): SweepRow {
  const [first, ...others] = rows;
  if (first === undefined) throw new Error('a point has at least one row');
  if (others.length === 0) return first;
  const last = rows.at(-1) ?? first;
  const row = { ...first, key: first.point, span: `${first.span.split('/')[0]}/${last.span.split('/')[1]}` };
  const failed = rows.find(({ outcome }) => outcome.kind === 'failed');
  if (failed?.outcome.kind === 'failed')
    return { ...row, outcome: { kind: 'failed', reason: `${failed.span.slice(0, 10)}: ${failed.outcome.reason}` } };
  return { ...row, outcome: joinOutcomes(rows.flatMap(({ outcome }) => (outcome.kind === 'done' ? [outcome] : []))) };
}

function joinOutcomes(days: readonly Done[]): Done {
  const returns = Float64Array.from(days.flatMap((day) => [...day.returns]));
  const results = days.map(({ result }) => result);
  const total = (figureOf: (result: Result) => number): number => results.reduce((sum, result) => sum + figureOf(result), 0);
  const hash = createHash('sha256');
  for (const { fingerprint } of results) hash.update(fingerprint);
  return {
    kind: 'done',
    returns,
    result: {
      fingerprint: hash.digest('hex'),
      pnl: money(total(({ pnl }) => millionths(pnl))),
      fees: money(total(({ fees }) => millionths(fees))),
      fills: total(({ fills }) => fills),
      maxDrawdown: money(drawdownOf(results)),
      sharpe: returns.length < 2 ? 0 : sharpeOf(momentsOf([...returns])),
      seconds: total(({ seconds }) => seconds),
    },
  };
}

/** Returns the largest drawdown within a day or between the ends of two days. */
function drawdownOf(results: readonly Result[]): number {
  let [equity, peak, drawdown] = [0, 0, 0];
  for (const { pnl, maxDrawdown } of results) {
    drawdown = Math.max(drawdown, millionths(maxDrawdown));
    equity += millionths(pnl);
    peak = Math.max(peak, equity);
    drawdown = Math.max(drawdown, peak - equity);
  }
  return drawdown;
}

const millionths = (money: string): number => Math.round(Number(money) * 1e6);
const money = (amount: number): string => moneyText(micros(amount));
