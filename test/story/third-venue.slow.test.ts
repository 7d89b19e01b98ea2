// Whole runs at the third exchange while its network fails, and with kills.
import { expect, test } from 'vitest';
import { expectAgreement, GRID } from '../third-venue/agreement.ts';
import { type NetworkFaults, NO_FAULTS, ThirdStage } from '../third-venue/stage.ts';

const NETWORK_FAULTS: readonly (readonly [string, NetworkFaults])[] = [
  ['lost requests', { ...NO_FAULTS, lost: 4 }],
  ['lost replies', { ...NO_FAULTS, unanswered: 6 }],
  ['late replies', { ...NO_FAULTS, late: 10 }],
  ['cut and stalled sockets', { ...NO_FAULTS, cut: 2, stall: 3 }],
  ['all of it', { lost: 2, unanswered: 3, late: 5, cut: 0.3, stall: 0.5 }],
];

test.each(NETWORK_FAULTS)('with %s no order is sent twice, and nothing is lost', async (name, networkFaults) => {
  for (const seed of name === 'all of it' ? [1, 2] : [1]) {
    const stage = new ThirdStage(`${name} ${seed}`);
    const bot = await stage.bot(GRID);
    stage.networkFaults = networkFaults;
    await stage.pass(60);
    stage.networkFaults = NO_FAULTS;
    await stage.pass(10);
    expectAgreement(stage, await bot.stop());
    const { lost, unanswered, late, cuts, stalls } = stage.counts;
    expect(lost + unanswered + late + cuts + stalls).toBeGreaterThan(2);
    expect(stage.exchange.placed.length).toBeGreaterThan(10);
  }
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
