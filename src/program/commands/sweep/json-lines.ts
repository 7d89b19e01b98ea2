// The JSON lines of `bot sweep`. The words: docs/sweeps.md.

import type { Valued } from '../../../research/statistics/plateau.ts';
import type { JobOutcome, SweepRow } from '../../../research/sweep/row.ts';
import { type Shown, trackRecordWords } from './words.ts';

/** The line of a finished point. A failed one has `failed` instead of figures. */
export function rowLine(
  { key, params, tapes, span, outcome }: SweepRow,
  { reused, command }: { reused: boolean; command: string },
): object {
  return { kind: 'row', key, params, tapes, span, ...figuresOf(outcome), reused, command };
}

function figuresOf(outcome: JobOutcome): object {
  if (outcome.kind === 'failed') return { failed: outcome.reason };
  const { fingerprint, pnl, fees, fills, maxDrawdown, sharpe, seconds } = outcome.result;
  return { fingerprint, pnl, fees, fills, maxDrawdown, sharpe, seconds };
}

export function summaryLine({ summary, ranks, objective, reused, jobs, skipped, paramsOf, paramsOfTrial }: Shown): object {
  const { sweep, points, failed, answer, middle, figures, walk, last, verdict } = summary;
  const valued = ({ at, value }: Valued): object => ({ params: paramsOf(at), value });
  return {
    kind: 'summary',
    sweep,
    points,
    rows: jobs,
    reused,
    failed,
    ...(skipped > 0 && { skipped }),
    objective,
    best: answer === undefined ? null : { ...valued(answer.best), ...(ranks.length > 0 && { ranks }) },
    plateau: answer === undefined ? null : valued(answer.plateau),
    ...(middle !== undefined && { middle: valued(middle) }),
    edge: answer?.edge ?? [],
    trials: figures?.trials ?? points,
    dsr: figures?.dsr ?? null,
    pbo: figures?.pbo ?? null,
    spa: figures?.spa ?? null,
    minTrackRecord: figures?.minTrackRecordMs === undefined ? null : trackRecordWords(figures.minTrackRecordMs),
    ...(walk !== undefined && {
      walk: {
        folds: walk.folds.map(({ trial, result }) => ({ params: paramsOfTrial(trial), return: result })),
        return: walk.result,
        efficiency: walk.efficiency ?? null,
        agreement: walk.agreement ?? null,
      },
    }),
    ...(last !== undefined && {
      last: { from: last.from, to: last.to, return: last.result, expected: last.expected, looks: last.looks },
    }),
    verdict,
  };
}
