// How a bench measures: contenders run alternately in short rounds, and the median round of each counts.
import type { RegimeName } from '../src/embedded/exchange/traders/regimes.ts';

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly figure: string;
  /** The figure to compare with, measured in the same run. */
  readonly baseline: string;
  /** How many times better than the baseline. */
  readonly ratio: string;
  readonly aim: string;
  /** Undefined if there is no aim. */
  readonly met: boolean | undefined;
}

/** What the command line asks of a bench; each has a default of its own. */
export interface BenchOptions {
  readonly strategies?: readonly string[] | undefined;
  /** How the embedded market moves. */
  readonly market?: RegimeName | undefined;
  /** Seeds, hours, or minutes. */
  readonly count?: number | undefined;
  /** Of `growth`: a part of the names of the rows that are measured, then also in the sizes that take long. Of `peers`: the recording. */
  readonly row?: string | undefined;
}

export type Bench = (options: BenchOptions) => Promise<readonly Row[]>;

/** Prepares one call, untimed, and returns it. If the call returns a promise, the time until it settles is measured. */
export type Contender = () => Call | Promise<Call>;
type Call = () => unknown;

/** Microseconds a call. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** Measures all contenders. Rounds alternate and the first ones do not count, because machine load, compiled code and caches change over time. */
export async function contest<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, calls, warmUp = WARM_UP }: { rounds: number; calls: number; warmUp?: number },
): Promise<Readonly<Record<Name, Spread>>> {
  const names = Object.keys(contenders) as Name[];
  const spreads = new Map(names.map((name): [Name, Spread[]] => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const spread = await spreadOf(contenders[name], calls);
      if (round >= 0) spreads.get(name)?.push(spread);
    }
  }
  const middle = (all: readonly Spread[]): Spread => ({ p50: median(all.map(({ p50 }) => p50)), p99: median(all.map(({ p99 }) => p99)) });
  return Object.fromEntries([...spreads].map(([name, all]) => [name, middle(all)])) as Record<Name, Spread>;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const spreadText = ({ p50, p99 }: Spread): string => `${micros(p50)} µs (p99 ${micros(p99)})`;
export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;

const WARM_UP = 4;

async function spreadOf(contender: Contender, calls: number): Promise<Spread> {
  const took: number[] = [];
  for (let call = 0; call < calls; call++) {
    const run = await contender();
    const began = performance.now();
    const result = run();
    if (result instanceof Promise) await result;
    took.push((performance.now() - began) * 1_000);
  }
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

const micros = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
