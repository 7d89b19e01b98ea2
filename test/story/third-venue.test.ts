// Whole runs at the third exchange, through the venue kit: no order is sent twice, and the summary agrees with the exchange's record.
import { expect, test } from 'vitest';
import { expectAgreement, GRID } from '../third-venue/agreement.ts';
import { ACCOUNT, NO_FAULTS, ThirdStage } from '../third-venue/stage.ts';

test('without faults the bot trades, and the socket pushes books', async () => {
  const stage = new ThirdStage('fair');
  const bot = await stage.bot(GRID);
  await stage.pass(60);
  expectAgreement(stage, await bot.stop());
  expect(stage.exchange.placed.length).toBeGreaterThan(20);
  expect(stage.exchange.fills.filter(({ account }) => account === ACCOUNT).length).toBeGreaterThan(5);
  expect(stage.counts.pushedBooks).toBeGreaterThan(200);
});

test('after a kill the next process finds the orders and counts each fill once', async () => {
  for (const seed of [1, 2]) {
    const stage = new ThirdStage(`kill ${seed}`);
    for (let kills = 0; kills < 2; kills++) {
      const killed = await stage.bot(GRID);
      stage.networkFaults = { lost: 2, unanswered: 4, late: 5, cut: 0.3, stall: 0.5 };
      await stage.pass(20 + seed);
      killed.kill();
      stage.networkFaults = NO_FAULTS;
      await stage.pass(kills * 15);
    }
    const bot = await stage.bot(GRID);
    await stage.pass(40);
    expectAgreement(stage, await bot.stop());
  }
});

test('an exchange that numbers nothing: accounts are counted anew in each process, whatever the journal says, without an alarm', async () => {
  const stage = new ThirdStage('unnumbered');
  const killed = await stage.bot(GRID);
  await stage.pass(20);
  killed.kill();
  const bot = await stage.bot(GRID, String(2n ** 60n));
  const before = stage.exchange.placed.length;
  await stage.pass(20);
  expect(stage.exchange.placed.length).toBeGreaterThan(before + 3);
  expect(Number(bot.world.account?.value.updateId)).toBeLessThan(200);
  expect([...killed.alarms, ...bot.alarms]).toEqual([]);
  expectAgreement(stage, await bot.stop());
});
