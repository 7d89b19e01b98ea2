// Which answers about the account are ours: by our orders in them, and by the positions and the worth that our fills explain.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { modeWanted } from '../../../src/bot/risk/escalation.ts';
import { passGates } from '../../../src/bot/risk/review.ts';
import { limitsSchema, rulesFrom, stopsFrom } from '../../../src/bot/risk/rules.ts';
import { LossKeeper } from '../../../src/bot/run/state/loss-entries.ts';
import { reduces } from '../../../src/bot/world/exposure.ts';
import { ACCEPTED_AFTER, LAG } from '../../../src/bot/world/orders/proof.ts';
import { BTC, WorldBuilder } from '../world-builder.ts';

const SECOND = 1_000;
let builder: WorldBuilder;
beforeEach(() => {
  builder = new WorldBuilder([BTC], { bindsAccounts: true }).info({ price: 60_000 }).time(1_700_000_000);
});

type Reported = Parameters<WorldBuilder['account']>[0];

/** Another account: less money, a short position, none of our orders. */
const OTHER: Reported = { balance: 250, position: -0.3 };
const ours = (): readonly string[] => builder.world.orders().map(({ clientOrderId }) => clientOrderId);
/** Answers once a second. */
const answers = (seconds: number, reported: Reported = {}, gone: readonly string[] = []): void => {
  for (let second = 0; second < seconds; second++) builder.after(SECOND).account(reported, gone).info({ price: 60_000 }).round();
};
const worth = (): number | undefined => builder.world.account?.value.margins.mf;
const heldBy = (): readonly string[] =>
  passGates(rulesFrom(limitsSchema.parse({})), builder.world)
    .findings.filter(({ guard }) => guard === 'account')
    .map(({ reason }) => reason);
const alarms = (): readonly string[] => builder.world.takeAlarms().map(({ name }) => name);
const wanted = (): string | undefined => modeWanted(builder.world, stopsFrom(limitsSchema.parse({})))?.reason;
/** An account with a position of 0.1 that our fills explain, and two resting orders. */
const holding = (): void => {
  builder
    .account()
    .round()
    .placed({ side: 'bid', price: 59_000, size: 0.1, id: 'a' })
    .placed({ side: 'ask', price: 61_000, size: 0.1, id: 'b' });
  builder.placed({ side: 'bid', price: 58_000, size: 0.1, id: 'c' }).account().round();
  builder.filled('a');
  answers(4, { position: 0.1 });
  expect([builder.world.held(0), heldBy(), builder.world.binding.isConfirmed]).toEqual([1_000, [], true]);
};

test.each([
  ['0', { mf: 0, omf: 0 }, '0.00'],
  ['less than the maintenance margin', { mf: 1, mmf: 2 }, '1.00'],
])('margins of %s beside balances are wrong, also in the first answers of a process', (_, margins, shown) => {
  answers(20, { margins });
  expect([builder.world.account, wanted(), heldBy()]).toEqual([
    undefined,
    undefined,
    [`the exchange shows a worth of ${shown} beside balances and positions of more`],
  ]);
  answers(3, { margins: {} });
  expect([worth(), heldBy(), builder.world.binding.isConfirmed]).toEqual([10_000e6, [], true]);
});

test('a fresh, flat account is ours at once, and confirmed by a second answer', () => {
  builder.account();
  expect([heldBy(), builder.world.binding.isConfirmed]).toEqual([[], false]);
  builder.after(LAG).account();
  expect([heldBy(), builder.world.binding.isConfirmed, wanted()]).toEqual([[], true, undefined]);
});

describe("another account's answer", () => {
  test('changes nothing in the world and holds at once, until an answer is ours again', () => {
    holding();
    const before = builder.world.account;
    answers(60, OTHER, ours());
    expect(builder.world.account).toBe(before);
    expect([builder.world.held(0), builder.world.orders().length, wanted()]).toEqual([1_000, 2, undefined]);
    expect(heldBy()).toEqual([
      'the exchange shows an account that is not ours: none of our 2 orders; a position of -0.3000, where our fills explain 0.1000; a worth of 250.00, where our fills explain 10000.00',
    ]);
    answers(1, { balance: 10_000, position: 0.1 });
    expect([heldBy(), builder.world.binding.isConfirmed]).toEqual([[], false]);
  });

  test('raises an alarm after half a minute, once', () => {
    holding();
    alarms();
    answers(29, OTHER, ours());
    expect(alarms()).toEqual([]);
    answers(20, OTHER, ours());
    expect(alarms()).toEqual(['account']);
  });

  test('is accepted when it has lasted longer than any wrong answer', () => {
    holding();
    answers(ACCEPTED_AFTER / SECOND, OTHER, ours());
    expect(worth()).toBe(10_000e6);
    answers(1, OTHER, ours());
    expect([worth(), heldBy()]).toEqual([250e6, []]);
  });

  test('is forgotten with all that was learned from it if it came first and the next answers have our orders', () => {
    answers(3, OTHER);
    expect(builder.world.baselines().get(0)).toBe(-3_000);
    builder.placed({ side: 'bid', price: 59_000, size: 0.1 });
    answers(3, { balance: 10_000, position: 0 });
    expect([worth(), heldBy(), builder.world.baselines().get(0), alarms()]).toEqual([10_000e6, [], 0, []]);
  });

  test('is forgotten with its profit if it came first and the next answers differ while nothing of ours is in either', () => {
    const keeper = new LossKeeper(builder.world);
    const kept = () => keeper.entries(builder.world.now).map(({ held, profit }) => ({ held, profit }));
    answers(3, { balance: 250, position: 0.3 });
    expect(kept()).toMatchObject([{ held: { BTCUSDC: '0.3000' }, profit: 0 }]);
    for (const price of [61_000, 61_000, 61_000]) builder.info({ price });
    expect([builder.world.accounting.totals.profit, builder.world.accounting.losses.fromPeak?.amount]).toEqual([300e6, 0]);
    answers(2, { balance: 250, position: -0.1 });
    answers(7, { balance: 10_000, position: 0 });
    expect([worth(), heldBy()]).toEqual([10_000e6, []]);
    const { totals, losses } = builder.world.accounting;
    expect([builder.world.baselines().get(0), builder.world.unexplained(0), totals.profit, totals.today]).toEqual([0, undefined, 0, 0]);
    expect([losses.fromPeak?.amount, losses.dayOpening, kept()]).toEqual([0, 0, [{ held: {}, profit: 0 }]]);
    answers(ACCEPTED_AFTER / SECOND, { position: 0 });
    expect(wanted()).toBeUndefined();
  });
});

describe('money that no fill explains', () => {
  test('counts from the second answer on, and for the share of a loss only when it has lasted', () => {
    holding();
    answers(1, { balance: 4_000, position: 0.1 });
    expect([worth(), heldBy()]).toEqual([10_000e6, ['the exchange shows a worth of 4000.00, where our fills explain 10000.00']]);
    answers(2, { balance: 4_000, position: 0.1 });
    expect([worth(), heldBy(), builder.world.binding.worthWithoutUnexplained]).toEqual([4_000e6, [], 10_000e6]);
    answers(ACCEPTED_AFTER / SECOND, { balance: 4_000, position: 0.1 });
    expect([worth(), builder.world.binding.worthWithoutUnexplained]).toEqual([4_000e6, undefined]);
  });

  test('is not a loss', () => {
    holding();
    builder.round([fill(60_200)]).info({ price: 60_000 });
    answers(20, { balance: 12, position: 0.2 });
    expect([worth(), wanted()]).toEqual([12e6, undefined]);
  });

  test.each([
    ['no money', { balance: 0 }],
    ['margins of 0', { margins: { mf: 0, omf: 0 } }],
    ['a worth below the maintenance margin', { margins: { mf: 100, mmf: 150 } }],
    ['bankrupt, and worth more than its maintenance margin', { bankruptcy: true }],
  ])('%s holds for as long as it is shown, and stops nothing', (_, reported) => {
    holding();
    answers(20, { ...reported, position: 0.1 });
    expect([worth(), wanted(), heldBy().length, alarms()]).toEqual([10_000e6, undefined, 1, []]);
    answers(3, { balance: 10_000, position: 0.1 });
    expect([wanted(), heldBy(), builder.world.binding.isConfirmed]).toEqual([undefined, [], true]);
  });
});

describe('a true loss', () => {
  test('that brings the worth below the maintenance margin stops with the second answer', () => {
    holding();
    builder.info({ price: 20_000 });
    builder
      .after(SECOND)
      .account({ position: 0.1, margins: { mf: 6_000, omf: 6_000, mmf: 6_500 } })
      .round();
    expect([wanted(), heldBy()]).toEqual([
      undefined,
      ['the exchange has reported once that the account is bankrupt or below its maintenance margin; a second answer decides'],
    ]);
    builder
      .after(LAG)
      .account({ position: 0.1, margins: { mf: 6_000, omf: 6_000, mmf: 6_500 } })
      .round();
    expect([wanted(), heldBy()]).toEqual(['the account is worth less than its maintenance margin (mf below mmf)', []]);
  });

  test('in a liquidation, with our orders cancelled, is ours by its trades', () => {
    holding();
    builder.info({ price: 20_000 }).round([fill(20_000, 'ask')]);
    builder.after(SECOND).account({ balance: 6_000, position: 0 }, ours()).round();
    expect([worth(), heldBy()]).toEqual([6_000e6, []]);
    for (let second = 0; second < 8; second++)
      builder.after(SECOND).account({ balance: 6_000, position: 0 }, ours()).info({ price: 20_000 }).round();
    expect(wanted()).toMatch(/^4000\.00 lost since the highest profit, 40 % of the account/);
  });

  test('stops nothing while the newest answer is not ours', () => {
    holding();
    builder.info({ price: 20_000 }).account(OTHER, ours());
    for (let second = 0; second < 8; second++) builder.after(SECOND).account(OTHER, ours()).info({ price: 20_000 }).round();
    expect(wanted()).toBeUndefined();
    for (let second = 0; second < 3; second++)
      builder.after(SECOND).account({ balance: 6_000, position: 0.1 }).info({ price: 20_000 }).round();
    expect(wanted()).toMatch(/^4000\.00 lost/);
  });
});

describe('a position that differs from our fills', () => {
  beforeEach(() => {
    holding();
    answers(1, { position: -0.1 });
  });

  test('bounds the position together with them: only what reduces both reduces', () => {
    const { world } = builder;
    expect(world.exposure(0)).toMatchObject({ low: -1_000, high: 1_000 });
    for (const side of ['bid', 'ask'] as const)
      expect(reduces({ ...world.exposure(0), bids: lots(0), asks: lots(0) }, { side, size: lots(1) })).toBe(false);
    expect(world.binding.disagreement(0)).toEqual({ shown: -1_000, explained: 1_000 });
  });

  test('bounds it together with what a cancelled order had traded, until its fill is listed', () => {
    const { world } = builder;
    const highest = (): number => world.exposure(0).high;
    builder.after(SECOND).account({ left: { c: 0.04 } });
    expect(highest()).toBe(1_600);
    builder.cancelling('c').cancelAnswered('c', 'cancelled').after(SECOND).account({}, ['c']);
    expect([world.orders().some(({ clientOrderId }) => clientOrderId === 'c'), highest()]).toEqual([false, 1_600]);
    builder.round([{ ...fill(58_000), size: lots(600), role: 'maker', orderId: 'exchange-c' }]);
    expect([world.binding.disagreement(0)?.explained, highest()]).toEqual([1_600, 1_600]);
  });

  test('stops nothing for as long as an answer may be wrong, and then does', () => {
    answers(ACCEPTED_AFTER / SECOND, { position: -0.1 });
    expect(wanted()).toBeUndefined();
    answers(5, { position: -0.1 });
    expect(wanted()).toMatch(/^BTCUSDC: the position is -0\.1000, our fills explain 0\.1000/);
    expect([builder.world.binding.disagreement(0), builder.world.exposure(0).high]).toEqual([undefined, -1_000]);
  });

  test('in mode flatten is reported with both figures while nothing reduces both', () => {
    expect(heldBy()).toEqual([]);
    builder.apply((at) => ({ kind: 'command', at, command: 'mode', mode: 'flatten', reason: 'a test' }));
    expect(heldBy()).toEqual(['nothing can be closed: the exchange shows a position of -0.1000, our fills explain 0.1000']);
    answers(2, { position: 0.1 });
    expect(heldBy()).toEqual([]);
  });
});

/** A taker fill of 0.1. */
function fill(price: number, side: 'bid' | 'ask' = 'bid') {
  const id = String(Math.abs(price) * 10 + (side === 'bid' ? 1 : 2));
  const [inTicks, size] = [ticks(price * 10), lots(1_000)];
  return { tradeId: id, actionId: id, market: 0, side, price: inTicks, size, role: 'taker' as const, orderId: '' };
}
