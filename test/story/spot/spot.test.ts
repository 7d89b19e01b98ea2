// A spot market: the position is the balance of the base token, from accounts and fills together, and is never bought twice.
import { describe, expect, test } from 'vitest';
import type { Trading } from '../../../src/bot/run/core/trading.ts';
import { testOldAccount, testPurchases } from './spot-faults.ts';
import { HELD, SPOT, SpotStage } from './spot-stage.ts';

testPurchases(['hosted'], ['last']);
testOldAccount([1_000]);

describe('a restarted run', () => {
  test('buys nothing again', async () => {
    const stage = await SpotStage.open();
    await stage.run((view) => [view.market(SPOT).target({ position: 1 })], { seconds: 20 });
    stage.lagMs = 10_000;
    const trades = stage.trades;
    const summary = await stage.run((view) => [view.market(SPOT).target({ position: 1 })], { seconds: 30 });
    expect([stage.sol, stage.trades, summary.positions]).toEqual([1, trades, HELD]);
  });

  test('counts the balance from before the run', async () => {
    const stage = await SpotStage.open();
    await stage.run(() => [], { seconds: 1 });
    stage.deposit(3);
    await stage.run((view) => [view.market(SPOT).target({ position: 2 })], { seconds: 30 });
    expect(stage.sol).toBe(2);
  });
});

test('flatten sells the whole balance', async () => {
  const stage = await SpotStage.open();
  const summary = await stage.run((view) => [view.market(SPOT).target({ position: 1.234 })], {
    seconds: 50,
    meanwhile: (second) => {
      if (second === 20) expect(stage.sol).toBe(1.234);
      if (second === 20) stage.killSwitch.raise('flatten', { reason: 'the test', at: '2026-01-05T12:00:20Z', by: 'test' });
    },
  });
  expect([stage.sol, summary.positions]).toEqual([0, {}]);
});

test('a deposit is reported, blocks new exposure for 150 s, and then counts as position', async () => {
  const stage = await SpotStage.open();
  const alarms: string[] = [];
  const listen = (second: number, { lines }: Trading): void => {
    if (second === 0) lines.subscribe((line) => line.kind === 'alarm' && alarms.push(`${line.alarm}: ${line.reason}`));
  };
  await stage.run((view) => [view.market(SPOT).target({ position: 6.5 })], {
    seconds: 240,
    meanwhile: (second, trading) => {
      listen(second, trading);
      if (second === 20) expect(stage.sol).toBe(6.5);
      if (second === 20) stage.deposit(1);
      if (second === 160) expect(stage.sol).toBe(7.5);
    },
  });
  expect(stage.sol).toBe(6.5);
  expect(alarms).toEqual([
    'position: the position is 7.500, our fills explain 6.500: a trade is missing from the record, or it was not ours, or the balance was moved otherwise',
    'position: the balance has been off by 1.000 for 150 s: counted as a deposit or a withdrawal from now on',
  ]);

  alarms.length = 0;
  await stage.run((view) => [view.market(SPOT).target({ position: 6 })], { seconds: 30, meanwhile: listen });
  expect([stage.sol, alarms]).toEqual([6, []]);
});

test('profit and report include the balance', async () => {
  const stage = await SpotStage.open();
  const summary = await stage.run((view) => [view.market(SPOT).target({ position: 10 })], { seconds: 20 });
  expect(Math.abs(Number(summary.pnl))).toBeLessThan(20); // 1 500 were paid for the balance
  expect(summary.positions).toEqual({ [SPOT]: '10.000' });
});
