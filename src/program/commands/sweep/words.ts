// The result of `bot sweep` as text for a terminal: the verdict, the best rows, and the statistics.
import type { Millis } from '../../../base/clock.ts';
import type { Valued } from '../../../research/statistics/plateau.ts';
import type { SweepRow } from '../../../research/sweep/row.ts';
import type { SweepSummary } from '../../../research/sweep/summary.ts';
import type { SweepFacts } from '../../../research/sweep-page/sweep-page.ts';
import { safeText, tableLines } from '../../output/table.ts';
import { pageLine } from '../../output/words.ts';

const MAX_ROWS = 10;

const UNITS: readonly (readonly [Millis, string])[] = [
  [365 * 86_400_000, 'years'],
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1_000, 'seconds'],
];

export function spanWords(ms: Millis): string {
  const [length, unit] = UNITS.find(([size]) => ms >= size) ?? [1_000, 'seconds'];
  return `${(ms / length).toFixed(1)} ${unit}`;
}

export const trackRecordWords = (ms: Millis): string => (Number.isFinite(ms) ? spanWords(ms) : 'never');

export const paramsWords = (params: SweepRow['params']): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Maximum number of ranks shown. */
const MAX_RANKS = 12;

/** Returns the ranks as text; empty without folds. */
export const ranksWords = (ranks: readonly number[]): string =>
  ranks.length === 0
    ? ''
    : `, rank ${ranks.slice(-MAX_RANKS).join(' ')} in the ${ranks.length > MAX_RANKS ? `last ${MAX_RANKS} of ${ranks.length} ` : ''}folds`;

export interface Shown extends Pick<SweepFacts, 'summary' | 'values' | 'objective' | 'days' | 'command'> {
  /** The best point's rank in each fold. */
  readonly ranks: readonly number[];
  /** One row for each point. */
  readonly trials: readonly SweepRow[];
  /** Number of jobs: points × days. */
  readonly jobs: number;
  /** Number of points that the strategy does not accept. */
  readonly skipped: number;
  readonly reused: number;
  readonly store: string;
  readonly paramsOf: (at: readonly number[]) => SweepRow['params'];
  /** Returns the parameters of a trial, by its index among the trials with a result. */
  readonly paramsOfTrial: (trial: number) => SweepRow['params'];
}

/** The first line is the verdict. */
export function sweepWords(shown: Shown): string {
  const { summary, trials, days, reused, store, command } = shown;
  const { points, failed, figures, verdict } = summary;
  const counts = [
    `${points} points`,
    ...(days > 1 ? [`${days} days each`] : []),
    ...(reused > 0 ? [`${reused} reused`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return [
    safeText(verdict),
    ...tableOf(shown),
    pageLine(['points', counts.join(', ')]),
    ...answerLines(shown),
    ...(figures === undefined ? [] : figureLines(figures)),
    ...walkLines(shown),
    ...lastLines(summary),
    ...failures(trials),
    pageLine(['results', store]),
    ...(command === undefined ? [] : [pageLine(['repeat', command])]),
  ].join('\n');
}

/** Returns the best rows by the objective. The figures cover the whole span, including the last window. */
function tableOf({ trials, values }: Shown): readonly string[] {
  const done = trials.flatMap(({ params, outcome }) => (outcome.kind === 'done' ? [{ params, result: outcome.result }] : []));
  const best = done
    .map((trial, index) => ({ ...trial, value: values[index]?.value ?? 0 }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MAX_ROWS);
  const cells = best.map(({ params, result: { pnl, sharpe, maxDrawdown, fees, fills } }) => {
    return [...Object.values(params).map(String), pnl, sharpe.toFixed(4), maxDrawdown, fees, String(fills)];
  });
  const [first] = best;
  if (first === undefined) return [];
  const table = [[...Object.keys(first.params), 'profit', 'sharpe', 'drawdown', 'fees', 'fills'], ...cells];
  return tableLines(table, 'right').map((line) => safeText(`  ${line}`));
}

function answerLines({ summary: { answer, middle, last }, ranks, objective, paramsOf }: Shown): readonly string[] {
  if (answer === undefined) return [];
  const before = last === undefined ? '' : ' before the last window';
  const valued = ({ at, value }: Valued): string => `${paramsWords(paramsOf(at))}, ${objective} ${numberText(value)}${before}`;
  return [
    pageLine(['best', `${valued(answer.best)}${ranksWords(ranks)}`]),
    ...(middle === undefined ? [] : [pageLine(['middle', `${valued(middle)}: the middle of the best five, and the answer to prefer`])]),
    pageLine([
      'plateau',
      `${paramsWords(paramsOf(answer.plateau.at))}, mean ${objective} with its neighbours ${numberText(answer.plateau.value)}`,
    ]),
  ];
}

function figureLines({ trials, dsr, pbo, spa, minTrackRecordMs }: NonNullable<SweepSummary['figures']>): readonly string[] {
  return [
    pageLine(['chance', `deflated Sharpe ratio ${text(dsr)} over ${trials} trials, SPA p ${text(spa)}, PBO ${text(pbo)}`]),
    ...(minTrackRecordMs === undefined ? [] : [pageLine(['needs', needWords(minTrackRecordMs)])]),
  ];
}

const text = (value: number | undefined): string => (value === undefined ? 'unknown' : value.toFixed(3));
const percent = (share: number): string => `${(100 * share).toFixed(3)} %`;

const needWords = (ms: Millis): string =>
  Number.isFinite(ms)
    ? `${spanWords(ms)} of the same returns, for a Sharpe ratio above 0 with 95 % confidence`
    : 'no length of time: its Sharpe ratio is not above 0';

function walkLines({ summary: { walk }, paramsOfTrial }: Shown): readonly string[] {
  if (walk === undefined) return [];
  const [efficiency, agreement] = [walk.efficiency, walk.agreement].map((value) => value?.toFixed(2) ?? 'unknown');
  return [
    pageLine([
      'walk',
      `${percent(walk.result)} out of sample in ${walk.folds.length} folds, efficiency ${efficiency}, agreement of ranks ${agreement}`,
    ]),
    ...walk.folds.map(({ trial, result }, fold) =>
      pageLine([`fold ${fold + 1}`, `${paramsWords(paramsOfTrial(trial))}, ${percent(result)}`]),
    ),
  ];
}

function lastLines({ last }: SweepSummary): readonly string[] {
  if (last === undefined) return [];
  const uses = last.looks === 0 ? '' : `; ${last.looks} other sweeps have used it`;
  return [
    pageLine([
      'last',
      `the best point: ${percent(last.result)} in the last window, which no choice used, after ${percent(last.expected)} in the same length of time before it${uses}`,
    ]),
  ];
}

const failures = (rows: readonly SweepRow[]): readonly string[] =>
  rows
    .flatMap(({ params, outcome }) =>
      outcome.kind === 'failed' ? [pageLine(['failed', `${paramsWords(params)}: ${outcome.reason}`])] : [],
    )
    .slice(0, MAX_ROWS);

const numberText = (value: number): string => String(Number(value.toPrecision(6)));
