// Check: processor time of the strategy itself per turn. Never fails, because the result depends on the machine.

import { performance } from 'node:perf_hooks';
import { counted } from '../../../../base/text/phrases.ts';
import type { Params, Strategy } from '../../../../bot/strategy/contract.ts';
import { playTapes } from '../subject.ts';
import { type PlayCounts, pass, type StrategyCheck, skip, warn } from '../verdict.ts';

/** In microseconds; a run has about ten turns a second in each market. */
const SLOW = 2_000;
/** Turns before the code is compiled. */
const WARM_UP = 100;

/** How often the tapes are played. The shortest time of each turn counts, because a busy machine seldom disturbs the same turn twice. */
const TIMES = 2;

export const costPlayCounts: PlayCounts = { tapeBacktests: TIMES };

export const cost: StrategyCheck = async (subject) => {
  const times: number[][] = [];
  for (let time = 0; time < TIMES; time++) {
    const spans: number[] = [];
    await playTapes(subject, { strategy: timed(subject.strategy, spans) });
    times.push(spans);
  }
  const spans = (times[0] ?? []).map((_, turn) => Math.min(...times.map((one) => one[turn] ?? Number.POSITIVE_INFINITY)));
  const sorted = spans.slice(Math.min(WARM_UP, spans.length / 2)).sort((a, b) => a - b);
  if (sorted.length === 0) return skip('the strategy was never called');
  const [median, slowest] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0) as [number, number];
  const text = `${median.toFixed(1)} µs of processor time a turn, ${slowest.toFixed(1)} µs in the slowest hundredth of ${counted(sorted.length, 'turn')}`;
  return slowest > SLOW ? warn(`${text}; more than ${SLOW} µs delays orders`) : pass(text);
};

function timed(strategy: Strategy<Params>, spans: number[]): Strategy<Params> {
  return {
    ...strategy,
    create(params, tools) {
      const decide = strategy.create(params, tools);
      return (view) => {
        const span = busyTime();
        const intents = decide(view);
        spans.push(span());
        return intents;
      };
    },
  };
}

/**
 * Measures the processor time of what runs between two calls, in microseconds. The wall clock counts the time of other programs too; the process's
 * time counts its other threads, and some systems count it in steps of 10 ms. The smaller of the two is the closest bound.
 */
function busyTime(): () => number {
  const [began, usage] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(usage);
    return Math.min((performance.now() - began) * 1_000, user + system);
  };
}
