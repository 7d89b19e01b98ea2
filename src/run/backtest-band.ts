// What cannot be known, three times: against us, as is to be expected, and for us.
import { slowed } from '../exchange/simulated/latency.ts';
import type { QueueModel } from '../simulator/recorded/queue.ts';
import type { Assumptions } from './backtest.ts';

/** Basis points, where nobody said. */
const USUAL_HALF_SPREAD = 1;

export const BAND = ['pessimistic', 'expected', 'optimistic'] as const;
export type BandName = (typeof BAND)[number];

/**
 * Requests take twice as long, as said, and half as long: a latency is measured at one place in one hour, and a spread within it is in the model
 * already. The pollers start at three different points of their intervals, a third of one apart: which moments the bot gets to see is luck, and how
 * much of a result it makes is to be seen too. Of candles, the spread is doubled and halved, and the price takes the longer way for us.
 */
export function bandOf({ latency, queue, phase, candles }: Assumptions): Readonly<Record<BandName, Assumptions>> {
  const later = (thirds: number): number => (phase + thirds / 3) % 1;
  return {
    pessimistic: {
      latency: slowed(latency, 2),
      queue: queueOf('pessimistic', queue),
      phase: later(1),
      candles: { path: 'pessimistic', halfSpreadBps: 2 * spreadOf(candles) },
    },
    expected: { latency, queue: queueOf('expected', queue), phase, candles },
    optimistic: {
      latency: slowed(latency, 0.5),
      queue: queueOf('optimistic', queue),
      phase: later(2),
      candles: { path: 'nearest', halfSpreadBps: spreadOf(candles) / 2 },
    },
  };
}

const spreadOf = (candles: Assumptions['candles']): number => candles?.halfSpreadBps ?? USUAL_HALF_SPREAD;

/**
 * Where the tape names orders their places are known. Else: all that is cancelled was behind us, which no market does worse; it was mostly where most
 * of the queue is; every lot of it was as likely as any other.
 */
function queueOf(name: BandName, given: QueueModel): QueueModel {
  if (given.kind === 'exact') return given;
  switch (name) {
    case 'pessimistic':
      return { kind: 'conservative' };
    case 'expected':
      return given.kind === 'probabilistic' ? given : { kind: 'probabilistic', power: 3 };
    case 'optimistic':
      return { kind: 'probabilistic', power: 1 };
  }
}
