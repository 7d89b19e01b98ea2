// The engine time that is lost while it stands still: once, however stalls overlap.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { scheduleStalls } from '../../../src/research/simulation/environment/exchange/market-faults.ts';
import type { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import type { InjectedFault } from '../../../src/research/simulation/plan/faults.ts';

test.each([
  ['one', [[1, 3]], [2]],
  [
    'one after another',
    [
      [1, 3],
      [5, 6],
    ],
    [2, 1],
  ],
  [
    'overlapping',
    [
      [1, 5],
      [3, 7],
    ],
    [6],
  ],
  [
    'overlapping, with the same end',
    [
      [1, 7],
      [3, 7],
    ],
    [6],
  ],
] as const)('%s', (_, spans, expected) => {
  const clock = new VirtualClock(0);
  const stalls = spans.map(
    ([from, until], index) => ({ id: String(index), kind: 'stall', from, until, detail: 'behind' }) as unknown as InjectedFault,
  );
  const on = () => stalls.find(({ from, until }) => from <= clock.now() && clock.now() < until);
  const lost: number[] = [];
  scheduleStalls({
    clock,
    faults: { on } as unknown as FaultBox,
    each: (_kind, begin) => {
      for (const stall of stalls) clock.at(stall.from, () => begin(stall));
    },
    when: (at, run) => void clock.at(at, run),
    lose: (span) => void lost.push(span),
  });
  clock.advanceTo(10);
  expect(lost).toEqual(expected);
});
