// Which provisional fills the venue is asked to read again, and when.
import { expect, test } from 'vitest';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { ReadAgain } from '../../../src/bot/run/core/read-again.ts';
import type { World } from '../../../src/bot/world/world.ts';

const PROVISIONAL = { tradeId: '1', price: 2, provisional: { price: 1, fee: undefined, limit: undefined } } as unknown as Fill;

test('the list is passed on when it changes, and again in each read once the run stops', () => {
  const asked: unknown[] = [];
  const judgedFills = { provisional: [] as readonly Fill[] };
  const world = { judgedFills, stopping: undefined as string | undefined };
  const venue = { readAgain: (fills: readonly Fill[], how: object) => void asked.push([fills.map(({ tradeId }) => tradeId), how]) };
  const readAgain = new ReadAgain({ venue, world: world as unknown as World });
  const check = (): unknown[] => {
    readAgain.check();
    return asked.splice(0);
  };
  judgedFills.provisional = [PROVISIONAL];
  expect(check()).toEqual([[['1'], { inEach: false }]]);
  expect(check()).toEqual([]);
  world.stopping = 'a test';
  expect(check()).toEqual([[['1'], { inEach: true }]]);
  expect(check()).toEqual([]);
  judgedFills.provisional = [];
  expect(check()).toEqual([[[], { inEach: true }]]);
});
