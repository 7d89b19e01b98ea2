// A whole run at Hyperliquid's API of the embedded exchange. With a bad network, and with kills: `hyperliquid.slow.test.ts`.
import { expect, test } from 'vitest';
import { listedAs, withBaseFees } from '../../src/embedded/exchange/state/listing.ts';
import { expectAgreement } from '../hyperliquid/agreement.ts';
import { HyperliquidStage, SPOT } from '../hyperliquid/stage.ts';

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

test('carry holds the spot and is short the perpetual, with money that is apart', async () => {
  const markets = withBaseFees(listedAs(['SOLUSDC', SPOT]));
  const params = { spotMarket: SPOT, perpMarket: 'SOLUSDC', size: 5, enterRate: -0.9, exitRate: -1 };
  const stage = await HyperliquidStage.open('carry', { markets, params, strategy: 'carry' });
  const bot = await stage.bot();
  await stage.pass(90);
  const finished = await bot.stop();
  expectAgreement(stage, finished, 'carry');
  expect(Number(finished.summary.positions[SPOT])).toBeGreaterThan(4.9);
  expect(Number(finished.summary.positions['SOLUSDC'])).toBeLessThan(-4.9);
  expect(bot.alarms).toEqual([]);
});
