// The position must equal the starting position plus our fills. If it does not twice in a row, a person is alarmed.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, micros } from '../../../src/bot/domain/numbers.ts';
import { BTC, calmWorld, marketOf, START, WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

const fault = (): string | undefined => builder.world.unexplained(0)?.reason;
const alarms = (): string[] => builder.world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);
const before = (): [number, number][] => [...builder.world.baselines()];
/** An account and a poll of fills, long after the earlier ones. */
const looked = (position: number, count = 1): WorldBuilder => {
  for (let look = 0; look < count; look++) builder.after(5_000).account({ position }).round();
  return builder;
};

describe('the starting position', () => {
  test('is known when a poll was requested after the first account', () => {
    builder.account({ position: 0.5 });
    expect(before()).toEqual([]);
    builder.round();
    expect(before()).toEqual([[0, 0]]); // the account of a calm world is flat
  });

  test('becomes known even if a fill happens in the first moments', () => {
    builder = new WorldBuilder();
    builder.account({ position: 0.3 }).round([maker({ orderId: 'x', size: 0.1 })]);
    expect(before()).toEqual([]);
    looked(0.3, 2);
    expect(before()).toEqual([[0, 2_000]]);
  });

  test('is not learned from an account if a foreign trade is listed 1.5 s later', () => {
    builder = new WorldBuilder();
    builder
      .round([maker({ orderId: 'x', size: 0.1 })])
      .after(5_000)
      .account({ position: 0.5 });
    const { now } = builder.world;
    builder.after(1_100).round([], now + 100); // requested 1.1 s after the account; reported with the assumed lag of 1 s
    builder.after(500).round([maker({ orderId: 'y', size: 0.2 })], now + 600);
    looked(0.5, 3);
    expect([before(), fault()]).toEqual([[[0, 2_000]], undefined]);
  });

  test('is not learned from an account that does not change while we trade', () => {
    builder = new WorldBuilder();
    builder.account({ position: 0 }).round([maker({ orderId: 'x', size: 0.1 })]);
    builder.after(5_000).account({ position: 0, still: true }).round();
    builder.after(5_000).account({ position: 0, still: true }).round();
    expect(before()).toEqual([]);
    looked(0.1, 2);
    expect([before(), fault()]).toEqual([[[0, 0]], undefined]);
  });

  test('is not learned from a cached account that is older than the newest fills of an earlier process', () => {
    builder = new WorldBuilder();
    builder.world.adopt({ orders: [], fills: [], newestFills: [[0, [-100, 1_100]]] });
    builder.account({ position: 0.3 }).round();
    builder.after(5_000).account({ position: 0.3, still: true }).round();
    expect([before(), fault()]).toEqual([[], undefined]); // it may lack the last fill, or both
    looked(0.29, 2);
    expect([before(), fault()]).toEqual([[[0, 2_900]], undefined]);
  });

  test('is learned from an account that has not changed for longer than any cache lags', () => {
    builder = new WorldBuilder();
    builder.world.adopt({ orders: [], fills: [], newestFills: [[0, [-100, 1_100]]] });
    builder.account({ position: 0.3 }).round();
    builder.after(55_000).account({ position: 0.3, still: true }).round();
    expect(before()).toEqual([]);
    builder.after(5_000).account({ position: 0.3, still: true }).round();
    expect(before()).toEqual([[0, 3_000]]);
  });

  test('is learned from the first account, however many come before the next poll of fills, so a rollback of the exchange is noticed', () => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 });
    builder
      .time(START / 1_000)
      .pending({ side: 'bid', price: 59_000, size: 1, id: '1' })
      .opened('1');
    builder.round([maker({ orderId: 'exchange-1', size: 1 })]);
    for (let look = 0; look < 30; look++) builder.after(500).account({ position: 0 }, ['1']); // it has forgotten the trade
    builder.after(5_000).round();
    expect([before(), fault()]).toEqual([[[0, 0]], expect.stringContaining('our fills explain 1.0000')]);
  });

  test('is not learned from a cached account whose last action is older than a trade from before the run, unless it stays so for longer than any cache lags', () => {
    const trade = { ...maker({ orderId: 'theirs', size: 0.2, actionId: '169' }), time: START, side: 'ask' as const };
    const old = { position: 0.5, actionId: '38' };
    const start = (): void => {
      builder = new WorldBuilder();
      builder.account(old).apply((at) => ({ kind: 'fillsSeen', at, asked: at, fills: [], earlier: [trade] }));
      builder
        .after(47_000)
        .account({ ...old, still: true })
        .round();
      expect(before()).toEqual([]);
    };
    start();
    builder.after(5_000).account({ position: 0.3, actionId: '169' }).round();
    expect([before(), fault()]).toEqual([[[0, 3_000]], undefined]);
    start();
    builder
      .after(20_000)
      .account({ ...old, still: true })
      .round(); // the exchange has rolled the trade back
    expect([before(), fault()]).toEqual([[[0, 5_000]], undefined]);
  });

  test('is learned from the first account if an earlier process had no fills', () => {
    builder = new WorldBuilder();
    builder.world.adopt({ orders: [], fills: [], newestFills: [] });
    builder.account({ position: 0.3 }).round();
    builder.after(5_000).account({ position: 0.3, still: true }).round();
    expect(before()).toEqual([[0, 3_000]]);
  });

  test('is the one that an earlier process has journaled, whatever the first account shows', () => {
    builder = new WorldBuilder();
    builder.world.adopt({ orders: [], fills: [], baselines: [[0, lots(2_000)]] });
    expect(before()).toEqual([[0, 2_000]]);
    looked(0.3, 2);
    expect(fault()).toContain('the position is 0.3000, our fills explain 0.2000');
  });

  test('is returned as the same map until it changes', () => {
    builder.round();
    const known = builder.world.baselines();
    looked(0, 3);
    expect(builder.world.baselines()).toBe(known);
  });
});

describe('a position', () => {
  beforeEach(() => {
    builder.round();
  });

  test('that our fills explain causes no alarm', () => {
    builder.round([maker({ orderId: 'x', size: 0.3 })]);
    looked(0.3, 3);
    expect(fault()).toBeUndefined();
  });

  test('may be ahead of the fills until a poll that was requested after it', () => {
    builder.account({ position: 0.3 }).account({ position: 0.3 }).account({ position: 0.3 });
    builder.round([maker({ orderId: 'x', size: 0.3 })]);
    expect(fault()).toBeUndefined();
  });

  test('may lag behind fills that were just reported, but not behind older ones', () => {
    builder.round([maker({ orderId: 'x', size: 0.3 })]).after(1_000);
    builder.account({ position: 0 }).account({ position: 0 }).round();
    expect(fault()).toBeUndefined();
    builder.after(2_000);
    builder.account({ position: 0 }).account({ position: 0 }).round();
    expect(fault()).toContain('the position is 0.0000, our fills explain 0.3000');
  });

  test.each([
    ['until its last action', '500', /^the position is 0\.5000/],
    ['and may lack later ones', '501', undefined],
  ])('must include the trades %s, however late they are listed', (_, actionId, expected) => {
    builder = new WorldBuilder();
    looked(0.5, 2);
    builder.after(1_000).account({ position: 0.5, actionId: '500' });
    builder.round([maker({ orderId: 'x', size: 0.1, actionId })]);
    builder.after(1_000).account({ position: 0.5, actionId: '500' }).round();
    expect(fault()).toEqual(expected === undefined ? undefined : expect.stringMatching(expected));
  });

  test('that is old is not explained by newer fills, although they add up to it', () => {
    builder.round([maker({ orderId: 'x', size: 0.3, actionId: '500' })]);
    const shown = { position: 0.3, actionId: '500' };
    builder.after(5_000).account(shown).round();
    builder.round([maker({ orderId: 'x', size: 0.2, actionId: '600' })]).after(5_000);
    builder.account(shown).round([{ ...maker({ orderId: 'y', size: 0.2, actionId: '700' }), side: 'ask' }]);
    builder.account(shown).round();
    const reason = 'the position is 0.3000, our fills explain 0.3000: the account shows it as of action 500, which is older than our fills';
    expect(fault()).toBe(reason);
    looked(0.3, 1);
    expect(fault()).toBeUndefined();
    builder.account({ position: 0.3, actionId: '700' }).round();
    expect(fault()).toBeUndefined();
  });

  test('may lie between two fills, but not outside them', () => {
    builder.round([maker({ orderId: 'x', size: 0.3 }), maker({ orderId: 'y', size: 0.2 })]);
    builder.account({ position: 0.3 }).account({ position: 0.3 }).round();
    expect(fault()).toBeUndefined();
    builder.account({ position: 0.2 }).account({ position: 0.2 }).round();
    expect(fault()).toContain('the position is 0.2000');
  });

  test('is not changed by a trade with ourselves', () => {
    const made = maker({ orderId: 'x', size: 0.3 });
    builder.round([made, { ...made, side: 'ask', role: 'taker', orderId: 'x' }]);
    looked(0, 2);
    expect(fault()).toBeUndefined();
  });

  test('that is unexplained once may be a partial snapshot; twice in a row it is reported, once', () => {
    looked(0.3);
    expect([fault(), alarms()]).toEqual([undefined, []]);
    looked(0, 1);
    looked(0.3, 1);
    expect(fault()).toBeUndefined();
    looked(0.3, 3);
    const reason = 'the position is 0.3000, our fills explain 0.0000: a trade is missing from the record, or it was not ours';
    expect([fault(), alarms()]).toEqual([reason, [`position: ${reason}`]]);
  });

  test('keeps the time since when it is unexplained, until it is explained again', () => {
    looked(0.3, 2);
    const since = builder.world.now;
    looked(0.3, 2);
    expect(builder.world.unexplained(0)?.since).toBe(since);
    builder.round([taker({ actionId: '50', size: 0.3 })]);
    looked(0.3, 1);
    expect(fault()).toBeUndefined();
    looked(0, 2);
    expect(alarms().filter((line) => line.startsWith('position'))).toHaveLength(2);
  });
});

/** Accounts with this amount of base tokens, each followed by a poll of fills. */
const holds = (amount: number, count = 1): WorldBuilder => {
  for (let look = 0; look < count; look++)
    builder
      .after(5_000)
      .account({ tokens: { 1: amount } })
      .round();
  return builder;
};

describe('the balance of a spot market', () => {
  const SPOT = marketOf({ kind: 'spot', symbol: 'BTC/USDC' });
  beforeEach(() => {
    builder = new WorldBuilder([SPOT]).account({ tokens: { 1: 0.5 } }).round();
  });

  test('is a position that our fills must explain', () => {
    expect(before()).toEqual([[0, 5_000]]);
    builder.round([taker({ actionId: '50', size: 0.3 })]);
    holds(0.8, 3);
    expect(fault()).toBeUndefined();
    holds(0.9, 2);
    expect(fault()).toMatch(/^the position is 0\.9000, our fills explain 0\.8000: .*, or the balance was moved otherwise$/);
  });

  test('counts whole lots: less than a lot changes nothing', () => {
    holds(0.50009, 3);
    expect([fault(), builder.world.position(0)?.size]).toEqual([undefined, 5_000]);
  });

  test('that differs by the same amount for long is accepted, whatever we trade meanwhile', () => {
    holds(1.5, 8);
    expect(fault()).toBeDefined();
    builder.round([taker({ actionId: '50', size: 0.3 })]);
    holds(1.8, 22);
    expect(fault()).toBeDefined();
    holds(1.8, 3);
    expect([fault(), before()]).toEqual([undefined, [[0, 15_000]]]);
    expect(alarms().at(-1)).toContain('off by 1.0000 for 150 s');
  });

  test('that differs by one amount and then by another is not accepted yet', () => {
    holds(1.5, 8);
    holds(1.7, 26);
    expect(fault()).toBeDefined();
    holds(1.7, 6);
    expect(before()).toEqual([[0, 17_000]]);
  });

  test('and the fills bound the exposure, however long an account lags', () => {
    builder.round([taker({ actionId: '50', size: 0.3 })]);
    holds(0.5, 1);
    expect([builder.world.exposure(0).low, builder.world.exposure(0).high]).toEqual([5_000, 8_000]);
    expect(builder.world.held(0)).toBe(8_000);
    holds(0.8, 1);
    expect([builder.world.exposure(0).low, builder.world.exposure(0).high]).toEqual([8_000, 8_000]);
  });

  test('is not taken as zero while the trade list lacks what a receipt reported', () => {
    builder.pending({ side: 'bid', price: 59_000, size: 0.3, id: '1', fillMode: 'IMMEDIATE_OR_CANCEL' });
    builder
      .opened('1', { actionId: '50', taken: [[59_000, 0.3]], resting: 0 })
      .after(5_000)
      .account();
    expect(builder.world.exposure(0)).toMatchObject({ low: 0, high: 8_000 });
    builder.round([taker({ actionId: '50', size: 0.3 })]);
    holds(0.8, 1);
    expect(builder.world.exposure(0)).toMatchObject({ low: 8_000, high: 8_000 });
  });
});

test('is not explained by fills of another market', () => {
  builder.round();
  builder.round([{ ...maker({ orderId: 'x', size: 0.3 }), market: 5 }]);
  looked(0.3, 2);
  expect(fault()).toContain(`the position is ${BTC.sizeText(lots(3_000))}, our fills explain 0.0000`);
  expect(builder.world.now).toBeGreaterThan(START);
});

describe('a purchase whose fee is taken from the tokens', () => {
  const SPOT = marketOf({ kind: 'spot', sizeDecimals: 8, orderLots: 10_000, buyFee: 'base' });
  const bought = { ...maker({ orderId: 'x', size: 0 }), size: SPOT.lots(0.1), baseFee: SPOT.wholeLots(0.000_07) };

  test('adds what the fee leaves', () => {
    builder = new WorldBuilder([SPOT]);
    builder.account({ tokens: { 1: 0.5 } }).round();
    builder.after(5_000).round([bought]);
    builder
      .after(5_000)
      .account({ tokens: { 1: 0.599_93 } })
      .round();
    builder
      .after(5_000)
      .account({ tokens: { 1: 0.599_93 } })
      .round();
    expect([fault(), builder.world.held(0)]).toEqual([undefined, 59_993_000]);
  });

  test('counts in the balances before the account shows it', () => {
    builder = new WorldBuilder([SPOT]);
    builder.account({ tokens: { 1: 0.5 } }).round();
    builder.after(5_000).round([{ ...bought, fee: micros(4_130_000) }]);
    const [quote, base] = builder.world.balances();
    expect(builder.world.held(0)).toBe(59_993_000);
    expect(base?.amount).toBeCloseTo(0.599_93, 9);
    expect((builder.world.account?.value.balances[0]?.amount ?? 0) - (quote?.amount ?? 0)).toBeCloseTo(5_900, 6);
  });
});
