// Whole runs at Hyperliquid's API of the embedded exchange, over a bad network and with kills.
import { expect, test } from 'vitest';
import { listedAs, withBaseFees } from '../../src/embedded/exchange/state/listing.ts';
import { expectAgreement } from '../hyperliquid/agreement.ts';
import { HyperliquidStage, NO_FAULTS, SPOT } from '../hyperliquid/stage.ts';

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

test('a grid on a spot market: the fee of each purchase is taken from the tokens, and nothing disagrees', async () => {
  const markets = withBaseFees(listedAs(['SOLUSDC', SPOT])); // the exchange always has perpetuals
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
