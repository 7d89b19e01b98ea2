// Whole runs at Hyperliquid's API of the embedded exchange, over a bad network and with kills.
import { expect, test } from 'vitest';
import { expectAgreement } from '../hyperliquid/agreement.ts';
import { HyperliquidStage, NO_FAULTS } from '../hyperliquid/stage.ts';

test('lost requests and replies, late answers and refused requests: every order gets a definite end', async () => {
  const counts = { lost: 0, unanswered: 0, late: 0, limited: 0 };
  for (const seed of ['weather 1', 'weather 2', 'weather 3']) {
    const stage = await HyperliquidStage.open(seed);
    const bot = await stage.bot();
    stage.networkFaults = { lost: 2, unanswered: 3, late: 4, limited: 2 };
    await stage.pass(120);
    stage.networkFaults = NO_FAULTS;
    await stage.pass(60);
    expectAgreement(stage, await bot.stop(), seed);
    for (const fault of Object.keys(counts) as (keyof typeof counts)[]) counts[fault] += stage.counts[fault];
  }
  for (const [fault, count] of Object.entries(counts)) expect(count, fault).toBeGreaterThan(0);
});

test('after a kill the next process finds the orders and counts each fill once', async () => {
  for (const seed of ['kill 1', 'kill 2']) {
    const stage = await HyperliquidStage.open(seed);
    for (let kills = 0; kills < 2; kills++) {
      const killed = await stage.bot();
      stage.networkFaults = { lost: 2, unanswered: 4, late: 4, limited: 1 };
      await stage.pass(25);
      killed.kill();
      stage.networkFaults = NO_FAULTS;
      await stage.pass(kills * 15);
    }
    const bot = await stage.bot();
    await stage.pass(60);
    expectAgreement(stage, await bot.stop(), seed);
  }
});
