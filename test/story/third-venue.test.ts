// Whole runs at the third exchange, through the venue kit: no order is sent twice, and the summary agrees with the exchange's record.
import { expect, test } from 'vitest';
import { expectAgreement, GRID } from '../third-venue/agreement.ts';
import { ACCOUNT, ThirdStage } from '../third-venue/stage.ts';

test('without faults the bot trades, and the socket pushes books', async () => {
  const stage = new ThirdStage('fair');
  const bot = await stage.bot(GRID);
  await stage.pass(60);
  expectAgreement(stage, await bot.stop());
  expect(stage.exchange.placed.length).toBeGreaterThan(20);
  expect(stage.exchange.fills.filter(({ account }) => account === ACCOUNT).length).toBeGreaterThan(5);
  expect(stage.counts.pushedBooks).toBeGreaterThan(200);
});
