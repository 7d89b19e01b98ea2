// Three sets of assumptions: pessimistic, expected, optimistic.

import { slowed } from '../../embedded/adapter/latency.ts';
import type { QueueModel } from '../../embedded/exchange/recorded/queue.ts';
import type { BandAssumption } from '../report/band.ts';
import type { Assumptions } from './backtest.ts';

export const BAND = ['pessimistic', 'expected', 'optimistic'] as const;
export type BandName = (typeof BAND)[number];
export type Band = Readonly<Record<BandName, Assumptions>>;

/**
 * Latency: doubled, as given, halved; it was measured at one place in one hour, and its spread within that hour is already in the model.
 * Polling phase: three points of the interval, a third apart, which shows how much of a result is chance.
 * Candles: the spread is doubled and halved, and the path is the shortest one, as given, or the one by `nearest`; see `CandlePathOptions`.
 * Queue: pessimistic assumes that all cancelled size was behind our order, the worst case; optimistic assumes that each lot in the queue was equally
 * likely to be cancelled. If the tape has order ids, the positions are known in all three.
 */
export function bandOf(expected: Assumptions): Band {
  const { latency, queue, phase, candles } = expected;
  const queueIf = (model: QueueModel): QueueModel => (queue.kind === 'exact' ? queue : model);
  const later = (thirds: number): number => (phase + thirds / 3) % 1;
  return {
    pessimistic: {
      latency: slowed(latency, 2),
      queue: queueIf({ kind: 'conservative' }),
      phase: later(1),
      candles: { ...candles, path: 'pessimistic', halfSpreadBps: 2 * candles.halfSpreadBps },
    },
    expected,
    optimistic: {
      latency: slowed(latency, 0.5),
      queue: queueIf({ kind: 'probabilistic', power: 1 }),
      phase: later(2),
      candles: { ...candles, path: 'nearest', halfSpreadBps: candles.halfSpreadBps / 2 },
    },
  };
}

/** Which of the assumptions matter: a tape of candles has no polls, one of order books no assumed spread and path. */
const OF_BOOKS = ['latency', 'queue', 'polls'] as const satisfies readonly BandAssumption[];
const OF_CANDLES = ['latency', 'queue', 'spread', 'path'] as const satisfies readonly BandAssumption[];

export interface AssumptionStep {
  readonly assumption: BandAssumption;
  readonly assumptions: Assumptions;
}

/** Leads from one run of a band to another, one assumption after the other; without those that are equal in both. */
export function stepsBetween(
  from: Assumptions,
  to: Assumptions,
  { ofCandles }: { readonly ofCandles: boolean },
): readonly AssumptionStep[] {
  const steps: AssumptionStep[] = [];
  let assumptions = from;
  for (const assumption of ofCandles ? OF_CANDLES : OF_BOOKS) {
    const next = withOne(assumptions, assumption, to);
    if (JSON.stringify(next) === JSON.stringify(assumptions)) continue;
    assumptions = next;
    steps.push({ assumption, assumptions });
  }
  return steps;
}

function withOne(assumptions: Assumptions, name: BandAssumption, { latency, queue, phase, candles }: Assumptions): Assumptions {
  switch (name) {
    case 'latency':
      return { ...assumptions, latency };
    case 'queue':
      return { ...assumptions, queue };
    case 'polls':
      return { ...assumptions, phase };
    case 'spread':
      return { ...assumptions, candles: { ...assumptions.candles, halfSpreadBps: candles.halfSpreadBps } };
    case 'path':
      return { ...assumptions, candles: { ...assumptions.candles, path: candles.path } };
  }
}
