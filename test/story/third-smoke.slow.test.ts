// The third exchange in the smoke profile of the simulation: lost, late, repeated, damaged and mixed-up messages, kills at every call, full disks, and
// a websocket. Each order arrives once, no order is left behind, and fills, fees and position agree with the exchange.
import { expect, test } from 'vitest';
import { ACCOUNT, playThird, type SimulationResult } from '../third-venue/simulation.ts';

const LOT = 0.001;
/** Together they meet faults of the network, of the disk, of the process and of the exchange. */
const SEEDS = ['2', '12'];

const ownFills = ({ exchange }: SimulationResult) => exchange.fills.filter(({ account }) => account === ACCOUNT);

const ordersOf = (result: SimulationResult) => [result.exchange.placed, ownFills(result)];

test.each(SEEDS)('seed %s', async (seed) => {
  const result = await playThird(seed);
  if (seed === SEEDS[0]) expect(ordersOf(await playThird(seed)), 'the same seed is the same run').toEqual(ordersOf(result));
  const { exchange, ending, summary, alarms, bugs, struck } = result;
  const [own, account] = [ownFills(result), exchange.account(ACCOUNT)];
  const ids = exchange.placed.map(({ clientId }) => clientId);
  expect([...bugs, ...alarms]).toEqual([]);
  expect(ending).toEqual({ kind: 'settled' });
  expect(new Set(ids).size, 'each order arrived once').toBe(ids.length);
  expect(account.orders, 'left behind').toEqual([]);
  expect(summary?.orders, 'orders').toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(summary?.fills, 'fills').toBe(own.length);
  expect(Number(summary?.positions['BTC-PERP'] ?? 0), 'position').toBeCloseTo(account.position * LOT, 9);
  expect(Number(summary?.fees), 'fees').toBeCloseTo(
    own.reduce((sum, { fee }) => sum + fee, 0),
    3,
  );
  expect(own.length).toBeGreaterThan(10);
  expect(struck.size).toBeGreaterThan(2);
});
