// The projected margins of an order, against numbers computed by hand. BTC at 60 000: imf 5 %, cmf 3.75 %, mmf 2.5 %; a fee of 0.1 %.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { project } from '../../../src/bot/risk/margin-projection.ts';
import { BTC, calmWorld, ETH, START, WorldBuilder } from '../world-builder.ts';
import { candidateOf, circumstancesOf, type ProposedOrder } from './verdicts.ts';

const ASSUMED = { feeRate: 0.001, adverseMove: 0.02 };

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

/** In the quote token. */
function projected(want: ProposedOrder) {
  const all = project(candidateOf(builder.world, want), circumstancesOf(builder.world), ASSUMED);
  if (all === undefined) return undefined;
  const { distance, ...rest } = all;
  const money = Object.entries(rest).map(([name, figure]) => [name, [figure!.value / 1e6, figure!.needed / 1e6]]);
  return { ...(Object.fromEntries(money) as Record<'resting' | 'filled' | 'filledOpen' | 'allFilled', [number, number]>), distance };
}

describe('an order of a flat account', () => {
  test('to buy 0.1 at 59 000', () => {
    // Worth 6 000. Resting: imf 300. Filled: a fee of 5.90; mmf 150, cmf 225. All filled and a move of 2 %: 6 000 × 2.1 % lost, mmf of 6 120.
    const { distance, ...rest } = projected({ side: 'bid', price: 59_000, size: 0.1 }) ?? {};
    expect(rest).toEqual({ resting: [10_000, 300], filled: [9_994.1, 150], filledOpen: [9_994.1, 225], allFilled: [9_874, 153] });
    expect(distance).toBeCloseTo((9_994.1 - 150) / (6_000 - 150), 9);
  });

  test('to sell 0.1 at 61 000: the requirement of a short position grows with its loss', () => {
    const { distance, ...rest } = projected({ side: 'ask', price: 61_000, size: 0.1 }) ?? {};
    expect(rest).toEqual({ resting: [10_000, 300], filled: [9_993.9, 150], filledOpen: [9_993.9, 225], allFilled: [9_874, 153] });
    expect(distance).toBeCloseTo((9_993.9 - 150) / (6_000 + 150), 9);
  });

  test('to buy 0.1 at 61 000, with an oracle confidence of 100: the excess price is an immediate loss', () => {
    // Filled: paid 6 100, worth 5 990 at the lowest, a fee of 6.10. Requirements of 6 010.
    builder.info({ price: 60_000, indexConf: ticks(1_000) });
    const { distance: _, ...rest } = projected({ side: 'bid', price: 61_000, size: 0.1 }) ?? {};
    expect(rest).toEqual({
      resting: [10_000, 300.5],
      filled: [9_883.9, 150.25],
      filledOpen: [9_883.9, 225.375],
      allFilled: [10_000 - 110 - 6_010 * 0.021, 6_010 * 1.02 * 0.025],
    });
  });
});

describe('an order beside others', () => {
  test('adds what the account does not include yet: orders in flight or without an answer, newer trades', () => {
    // 0.1 in flight, 0.2 unknown, 0.3 bought since: with the new 0.1 up to 0.7 could be held, worth 42 000; the account counts nothing.
    builder.placed({ side: 'bid', price: 59_000, size: 0.3, id: '3' }).filled('3');
    builder
      .pending({ side: 'bid', price: 59_000, size: 0.1, id: '1' })
      .pending({ side: 'bid', price: 59_000, size: 0.2, id: '2' })
      .unknown('2', START);
    expect(projected({ side: 'bid', price: 60_000, size: 0.1 })).toMatchObject({
      resting: [10_000, 2_100],
      filled: [9_994, 900], // 0.6: what may be held now, and this one
      filledOpen: [9_994, 1_575],
      allFilled: [10_000 - 42_000 * 0.021, 42_000 * 1.02 * 0.025],
    });
  });

  test('adds nothing if the other side is the worse one', () => {
    builder.placed({ side: 'ask', price: 61_000, size: 0.5, id: '1' }).account({ margins: { imf: 1_500, cmf: 1_125 } });
    expect(projected({ side: 'bid', price: 60_000, size: 0.1 })).toMatchObject({ resting: [10_000, 1_500], filledOpen: [9_994, 1_125] });
  });

  test('starts from the figures of the exchange, not from the model', () => {
    builder.account({ position: 0.1, margins: { omf: 9_000, mf: 9_500, imf: 333, cmf: 222, mmf: 111 } });
    expect(projected({ side: 'bid', price: 60_000, size: 0.1 })).toMatchObject({
      resting: [9_000, 633],
      filled: [9_494, 261],
      filledOpen: [8_994, 447],
    });
  });

  test('counts every market with a possible position', () => {
    builder = new WorldBuilder([BTC, ETH]).info({ price: 60_000 }).account();
    builder.apply((at) => ({
      kind: 'infoSeen',
      at,
      asked: at,
      infos: [{ market: 1, index: ticks(300_000), mark: ticks(300_000), frozen: false }],
    }));
    builder.sent([
      { kind: 'place', clientOrderId: 'e', market: 1, side: 'bid', price: ticks(290_000), size: lots(2_000), fillMode: 'LIMIT' },
    ]);
    expect(projected({ side: 'bid', price: 60_000, size: 0.1 })).toMatchObject({
      resting: [10_000, 600],
      allFilled: [10_000 - 12_000 * 0.021, 12_000 * 1.02 * 0.025],
    });
  });
});

describe('an order that reverses a position', () => {
  test('realises its loss, which gains elsewhere offset in mf but not in omf', () => {
    // Long 0.1 with a loss of 500, and a gain of 800 elsewhere. Selling 0.3 leaves 0.2 short: 500 leave the collateral permanently.
    builder.account({ position: 0.1, tradingPnl: -500, margins: { omf: 10_000, mf: 10_300, imf: 300, cmf: 225, mmf: 150 } });
    expect(projected({ side: 'ask', price: 60_000, size: 0.3 })).toMatchObject({
      filled: [10_282, 300],
      filledOpen: [9_482, 450],
    });
    // For half the position, half the loss.
    expect(projected({ side: 'ask', price: 60_000, size: 0.05 })).toMatchObject({ filledOpen: [9_747, 225] });
  });

  test('keeps a gain out of omf until it is realised', () => {
    builder.account({ position: 0.1, tradingPnl: 500, margins: { omf: 10_000, mf: 10_500, imf: 300, cmf: 225, mmf: 150 } });
    expect(projected({ side: 'ask', price: 60_000, size: 0.3 })).toMatchObject({ filled: [10_482, 300], filledOpen: [9_982, 450] });
  });

  test('that leaves no position is infinitely far from liquidation', () => {
    builder.account({ position: 0.1 });
    expect(projected({ side: 'ask', price: 60_000, size: 0.1 })?.distance).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('nothing is projected', () => {
  const want = { side: 'bid', price: 60_000, size: 0.1 } as const;

  test('without an account, or without an index', () => {
    builder = new WorldBuilder().info({ price: 60_000 });
    expect(projected(want)).toBeUndefined();
    builder = new WorldBuilder().account();
    expect(projected(want)).toBeUndefined();
  });

  test('without the index of another market with a possible position', () => {
    builder = new WorldBuilder([BTC, ETH]).info({ price: 60_000 }).account();
    expect(projected(want)).toBeDefined();
    builder.sent([{ kind: 'place', clientOrderId: 'e', market: 1, side: 'bid', price: ticks(290_000), size: lots(1), fillMode: 'LIMIT' }]);
    expect(projected(want)).toBeUndefined();
  });
});
