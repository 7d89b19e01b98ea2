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

test('a grid on a spot market: the fee of each purchase is taken from the tokens, and nothing disagrees', async () => {
  const markets = withBaseFees(listedAs([SPOT]));
  const params = { market: SPOT, spacingBps: 1, levels: 3, notional: 300, maxPositionNotional: 3_000 };
  const stage = await HyperliquidStage.open('spot', { markets, params });
  const bot = await stage.bot();
  await stage.pass(120);
  const finished = await bot.stop();
  expectAgreement(stage, finished, 'spot');
  const bought = stage.exchange.records.tradesSince({ account: stage.accounts[1]! }, { after: 0, most: 1_000 });
  expect(bought.filter(({ baseFee }) => baseFee !== undefined).length).toBeGreaterThan(3);
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

/** Plays a run, which loses its socket in the middle, and returns how late its fills were on average. */
const fillAges = async (streams: boolean): Promise<{ stage: HyperliquidStage; age: number }> => {
  const stage = await HyperliquidStage.open('socket', streams ? { streams: true } : {});
  const bot = await stage.bot();
  const ages: number[] = [];
  bot.turns.subscribe((turn) => ages.push(...turn.fills.map(({ time }) => turn.at - time)));
  await stage.pass(60);
  const pushed = { ...stage.pushed };
  stage.cutSockets();
  const before = bot.world.accounting.totals.fills;
  await stage.pass(60);
  const finished = await bot.stop();
  expectAgreement(stage, finished, `streams ${streams}`);
  expect(finished.summary.fills).toBeGreaterThan(before);
  expect(stage.pushed).toEqual(pushed);
  expect(bot.alarms).toEqual([]);
  return { stage, age: ages.reduce((sum, age) => sum + age, 0) / ages.length };
};

test('with the socket the bot sees books and fills earlier, and a lost socket leaves the polls', async () => {
  const [polled, both] = [await fillAges(false), await fillAges(true)];
  expect(polled.stage.pushed).toEqual({});
  expect(both.stage.pushed['l2Book']).toBeGreaterThan(50);
  expect(both.stage.pushed['userFills']).toBeGreaterThan(3);
  expect(both.age).toBeLessThan(polled.age);
});
