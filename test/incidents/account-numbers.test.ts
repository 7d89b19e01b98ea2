// Accounts whose numbers are lower for good, or leap once: an alarm at once, and the bot trades on with a new series of numbers, also in the next process.
import { expect, test } from 'vitest';
import { alarmsIn, type Bot, type Change, placedIn, type Scene, trading, until } from './account-lies.ts';

const LEAP = 2n ** 60n;
/** Half of the true number: it grows, and stays lower. */
const lower: Change = (body) => ({ ...body, updateId: Math.floor(Number(body.updateId) / 2) });
const leaping: Change = (body) => ({ ...body, updateId: String(LEAP + BigInt(body.updateId)) });

const healthOf = ({ world }: Bot): boolean => ![...world.unhealthy()].some(({ stream }) => stream === 'account' || stream === 'numbering');

/** Runs until the bot has placed five more orders on healthy accounts. */
async function tradesOn(scene: Scene, process: Bot): Promise<boolean> {
  const before = placedIn(process);
  const isTrading = (): boolean => placedIn(process) >= before + 5 && healthOf(process);
  await until(scene, isTrading, 120);
  return isTrading();
}

test('lower for good: an alarm within seconds, then trading on a new series, in this process and in the next', async () => {
  const scene = await trading('numbers lower');
  const { process } = scene;
  scene.lie(lower);
  await until(scene, () => alarmsIn(process).length > 0, 45);
  expect(alarmsIn(process)).toEqual(['account-numbers']);
  expect(await tradesOn(scene, process)).toBe(true);
  expect(process.world.account?.value.updateId).toMatch(/^1\/\d+$/);
  await process.die();
  const next = await scene.bot();
  expect(await tradesOn(scene, next)).toBe(true);
  expect(next.world.account?.value.updateId).toMatch(/^1\/\d+$/);
  expect([alarmsIn(next), next.world.mode, process.world.mode]).toEqual([[], 'active', 'active']);
});

test('2^60 once: an alarm, and the next account counts as before', async () => {
  const scene = await trading('numbers leap');
  const { process } = scene;
  scene.lie(leaping, 1);
  await scene.run(2);
  expect(alarmsIn(process)).toEqual(['account-numbers']);
  expect(healthOf(process)).toBe(true);
  expect(await tradesOn(scene, process)).toBe(true);
  expect(process.world.account?.value.updateId).toMatch(/^\d+$/);
});

test('2^60 in the journal: the next process begins a new series, and orders of the earlier one end', async () => {
  const scene = await trading('numbers journaled');
  scene.lie(leaping);
  await until(scene, () => scene.process.world.account?.value.updateId.startsWith('1/') === true, 120);
  expect(await tradesOn(scene, scene.process)).toBe(true);
  const earlier = new Set(scene.process.world.orders().map(({ clientOrderId }) => clientOrderId));
  expect(earlier.size).toBeGreaterThan(0);
  await scene.process.die();
  scene.lie(undefined);
  const next = await scene.bot();
  expect(await tradesOn(scene, next)).toBe(true);
  expect([next.world.account?.value.updateId.startsWith('2/'), alarmsIn(next)]).toEqual([true, ['account-numbers']]);
  next.trading.run.stop('the test ends');
  await scene.run(120);
  expect(await next.trading.run.done).toEqual({ kind: 'settled' });
});
