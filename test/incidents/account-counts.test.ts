// An account that omits our orders, and counts them, for long: an alarm after 30 s, and trading goes on when an account agrees with itself again.
import { expect, test } from 'vitest';
import { alarmsIn, type Change, placedIn, trading, until } from './account-lies.ts';

const withoutOrders: Change = (body) => ({ ...body, orders: [] });

test('an account that contradicts its own counts for 30 s raises an alarm, and then trading goes on', async () => {
  const scene = await trading('counts for long');
  const { process } = scene;
  scene.lie(withoutOrders);
  await scene.run(25);
  expect(alarmsIn(process)).toEqual([]);
  await scene.run(10);
  expect(alarmsIn(process)).toEqual(['account-counts']);
  const placed = placedIn(process);
  scene.lie(undefined);
  await until(scene, () => placedIn(process) >= placed + 5, 60);
  expect(placedIn(process)).toBeGreaterThanOrEqual(placed + 5);
  expect([...process.world.unhealthy()].map(({ stream }) => stream)).toEqual([]);
  expect([alarmsIn(process), process.world.mode]).toEqual([['account-counts'], 'active']);
});
