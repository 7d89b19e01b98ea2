// A whole run at an exchange of another make, through the kit: what is lost on the way is never sent twice, and the run's books are the exchange's.
import { expect, test } from 'vitest';
import { ACCOUNT, FAIR, type Finished, ThirdStage, type Weather } from '../third-venue/stage.ts';

const GRID = { market: 'BTC-PERP', spacingBps: 1, levels: 3, notional: 500, maxPositionNotional: 8_000 };
const LOT = 0.001;

/** What the exchange itself knows of the run. */
function expectAgreement({ exchange }: ThirdStage, { ending, summary }: Finished): void {
  const own = exchange.fills.filter(({ account }) => account === ACCOUNT);
  const ids = exchange.placed.map(({ clientId }) => clientId);
  expect(ending, 'ending').toEqual({ kind: 'settled' });
  expect(new Set(ids).size, 'each order arrived once').toBe(ids.length);
  expect(exchange.account(ACCOUNT).orders, 'left behind').toEqual([]);
  expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(summary.fills, 'fills').toBe(own.length);
  expect(Number(summary.positions['BTC-PERP'] ?? 0), 'position').toBeCloseTo(exchange.account(ACCOUNT).position * LOT, 9);
  expect(Number(summary.fees), 'fees').toBeCloseTo(
    own.reduce((sum, { fee }) => sum + fee, 0),
    4,
  );
}

test('in fair weather it trades, and the socket reports sooner than the polls', async () => {
  const stage = new ThirdStage('fair');
  const bot = await stage.bot(GRID);
  await stage.pass(60);
  expectAgreement(stage, await bot.stop());
  expect(stage.exchange.placed.length).toBeGreaterThan(20);
  expect(stage.exchange.fills.filter(({ account }) => account === ACCOUNT).length).toBeGreaterThan(5);
  expect(stage.counts.pushedBooks).toBeGreaterThan(200);
});

const WEATHERS: readonly (readonly [string, Weather])[] = [
  ['lost requests', { ...FAIR, lost: 4 }],
  ['lost replies', { ...FAIR, unanswered: 6 }],
  ['late replies', { ...FAIR, late: 10 }],
  ['cut and stalled sockets', { ...FAIR, cut: 2, stall: 3 }],
  ['all of it', { lost: 2, unanswered: 3, late: 5, cut: 0.3, stall: 0.5 }],
];

test.each(WEATHERS)('with %s no order is sent twice, and nothing is lost', async (name, weather) => {
  for (const seed of name === 'all of it' ? [1, 2] : [1]) {
    const stage = new ThirdStage(`${name} ${seed}`);
    const bot = await stage.bot(GRID);
    stage.weather = weather;
    await stage.pass(60);
    stage.weather = FAIR;
    await stage.pass(10);
    expectAgreement(stage, await bot.stop());
    const { lost, unanswered, late, cuts, stalls } = stage.counts;
    expect(lost + unanswered + late + cuts + stalls).toBeGreaterThan(2);
    expect(stage.exchange.placed.length).toBeGreaterThan(10);
  }
});

test('a process that is killed is continued by the next: its orders are found again, and its fills counted once', async () => {
  for (const seed of [1, 2]) {
    const stage = new ThirdStage(`kill ${seed}`);
    for (let kills = 0; kills < 2; kills++) {
      const killed = await stage.bot(GRID);
      stage.weather = { lost: 2, unanswered: 4, late: 5, cut: 0.3, stall: 0.5 };
      await stage.pass(20 + seed);
      killed.kill();
      stage.weather = FAIR;
      await stage.pass(kills * 15);
    }
    const bot = await stage.bot(GRID);
    await stage.pass(40);
    expectAgreement(stage, await bot.stop());
  }
});
