// The figures of runs, and their sums.
import type { Millis } from '../../base/clock.ts';

type Counts = Readonly<{ [name: string]: number }>;

export interface SimulationFigures {
  readonly runs: number;
  readonly simulatedMs: Millis;
  readonly orders: number;
  readonly fills: number;
  /** Orders that were without a definite answer for a while. */
  readonly unknown: number;
  /** Orders that were executed more than once, unless the exchange had forgotten its duplicates. */
  readonly doubled: number;
  /** Runs in which the bot reported an order wrongly or missed a fill. */
  readonly lost: number;
  readonly deaths: number;
  /** Distinct calls at which a process was killed on purpose, one after the other. */
  readonly crashPoints: number;
  /** How often each kind of fault struck. */
  readonly struck: Counts;
  /** How often each dangerous situation occurred. */
  readonly facts: Counts;
  /** Keys are `kind/state of an order`. */
  readonly matrix: Counts;
}

export const NO_FIGURES: SimulationFigures = {
  runs: 0,
  simulatedMs: 0,
  orders: 0,
  fills: 0,
  unknown: 0,
  doubled: 0,
  lost: 0,
  deaths: 0,
  crashPoints: 0,
  struck: {},
  facts: {},
  matrix: {},
};

/** Returns the figures of the runs of both. */
export function sumOf(a: SimulationFigures, b: SimulationFigures): SimulationFigures {
  return {
    runs: a.runs + b.runs,
    simulatedMs: a.simulatedMs + b.simulatedMs,
    orders: a.orders + b.orders,
    fills: a.fills + b.fills,
    unknown: a.unknown + b.unknown,
    doubled: a.doubled + b.doubled,
    lost: a.lost + b.lost,
    deaths: a.deaths + b.deaths,
    crashPoints: a.crashPoints + b.crashPoints,
    struck: summed(a.struck, b.struck),
    facts: summed(a.facts, b.facts),
    matrix: summed(a.matrix, b.matrix),
  };
}

function summed(a: Counts, b: Counts): Counts {
  const sum: { [name: string]: number } = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
