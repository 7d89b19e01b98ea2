// Three sets of assumptions: pessimistic, expected, optimistic.

import type { QueueModel } from '../../embedded/recorded/queue.ts';
import { slowed } from '../../exchange/embedded/latency.ts';
import type { Assumptions } from './backtest.ts';

export const BAND = ['pessimistic', 'expected', 'optimistic'] as const;
export type BandName = (typeof BAND)[number];

/**
 * Latency: doubled, as given, halved; it was measured at one place in one hour, and its spread within that hour is already in the model.
 * Polling phase: three points of the interval, a third apart, which shows how much of a result is chance.
 * Candles: the spread is doubled and halved, and the path is the shortest one, as given, or the one by `nearest`; see `CandlePathOptions`.
 * Queue: pessimistic assumes that all cancelled size was behind our order, the worst case; optimistic assumes that each lot in the queue was equally
 * likely to be cancelled. If the tape has order ids, the positions are known in all three.
 */
export function bandOf(expected: Assumptions): Readonly<Record<BandName, Assumptions>> {
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
