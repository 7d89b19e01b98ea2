// A whole run at Hyperliquid's API of the embedded exchange. With a bad network, and with kills: `hyperliquid.slow.test.ts`.
import { expect, test } from 'vitest';
import { expectAgreement } from '../hyperliquid/agreement.ts';
import { HyperliquidStage } from '../hyperliquid/stage.ts';

test('without faults the bot trades, and its summary agrees with the exchange', async () => {
  const stage = await HyperliquidStage.open('fair');
  const bot = await stage.bot();
  await stage.pass(60);
  const finished = await bot.stop();
  expectAgreement(stage, finished, 'fair');
  expect(finished.summary.fills).toBeGreaterThan(5);
  expect(stage.cloids.length).toBeGreaterThan(10);
  expect(bot.alarms).toEqual([]);
});
