// The request budget: a burst, then a steady rate, high priority first.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { Budget, BudgetError, type Priority } from '../../src/base/streams/budget.ts';

/** Returns the names that passed, with their times. */
async function through(
  asks: readonly { at: number; name: string; priority: Priority; weight?: number }[],
  until: number,
): Promise<readonly string[]> {
  const clock = new VirtualClock(0);
  const budget = new Budget({ clock, ratePerSecond: 10, burst: 2 });
  const lines: string[] = [];
  for (const { at, name, priority, weight } of asks) {
    clock.at(at, () => void budget.take(priority, weight).then(() => lines.push(`${clock.now()} ${name}`)));
  }
  await clock.drive(until);
  return lines;
}

test('a burst passes at once, then one request every tenth of a second', async () => {
  const asks = ['a', 'b', 'c', 'd'].map((name) => ({ at: 0, name, priority: 'normal' as const }));
  expect(await through(asks, 1_000)).toEqual(['0 a', '0 b', '100 c', '200 d']);
});

test('high priority passes first, and equal priorities in order of arrival', async () => {
  const asks = [
    ...['a', 'b', 'n1', 'n2'].map((name) => ({ at: 0, name, priority: 'normal' as const })),
    ...['h1', 'h2'].map((name) => ({ at: 50, name, priority: 'high' as const })),
  ];
  expect(await through(asks, 1_000)).toEqual(['0 a', '0 b', '100 h1', '200 h2', '300 n1', '400 n2']);
});

test('the budget refills while idle, at most to the burst', async () => {
  const asks = ['a', 'b', 'c'].map((name) => ({ at: 60_000, name, priority: 'normal' as const }));
  expect(await through(asks, 61_000)).toEqual(['60000 a', '60000 b', '60100 c']);
});

test('a heavy request waits for its weight, and one above the burst for the whole burst', async () => {
  const asks = [
    { at: 0, name: 'a', weight: 1 },
    { at: 0, name: 'b', weight: 2 },
    { at: 0, name: 'c', weight: 1 },
    { at: 5_000, name: 'd', weight: 9 },
    { at: 5_000, name: 'e', weight: 1 },
  ].map((ask) => ({ ...ask, priority: 'normal' as const }));
  expect(await through(asks, 6_000)).toEqual(['0 a', '100 b', '200 c', '5000 d', '5100 e']);
});

test('the queue is bounded', async () => {
  const budget = new Budget({ clock: new VirtualClock(0), ratePerSecond: 1, burst: 1 });
  const takes = Array.from({ length: 1_002 }, () => budget.take('normal'));
  await expect(takes[1_001]).rejects.toBeInstanceOf(BudgetError);
});

test('no second has more than the burst plus one second of the rate', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(times, async (asked) => {
      const asks = asked.map((at) => ({ at, name: 'x', priority: at % 2 === 0 ? ('high' as const) : ('normal' as const) }));
      const passed = (await through(asks, 60_000)).map((text) => Number.parseInt(text, 10));
      expect(passed).toHaveLength(asked.length);
      for (const start of passed) expect(passed.filter((at) => at >= start && at < start + 1_000).length).toBeLessThanOrEqual(12);
    }),
    { seed: 1, numRuns: 30 },
  );
});
