// What cannot be known, three times: against us, as is to be expected, and for us.

import type { QueueModel } from '../../embedded/recorded/queue.ts';
import { slowed } from '../../exchange/embedded/latency.ts';
import type { Assumptions } from './backtest.ts';

export const BAND = ['pessimistic', 'expected', 'optimistic'] as const;
export type BandName = (typeof BAND)[number];

/**
 * Requests take twice as long, as said, and half as long: a latency is measured at one place in one hour, and a spread within it is in the model
 * already. The pollers start at three different points of their intervals, a third of one apart: which moments the bot gets to see is luck, and how
 * much of a result it makes is to be seen too. Of candles, the spread is doubled and halved, and the price takes the longer way for us. Against us all
 * that is cancelled was behind us, which no market does worse; for us every lot of it was as likely as any other; where the tape names orders their
 * places are known.
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
      candles: { path: 'pessimistic', halfSpreadBps: 2 * candles.halfSpreadBps },
    },
    expected,
    optimistic: {
      latency: slowed(latency, 0.5),
      queue: queueIf({ kind: 'probabilistic', power: 1 }),
      phase: later(2),
      candles: { path: 'nearest', halfSpreadBps: candles.halfSpreadBps / 2 },
    },
  };
}
