// Another bot or a person on the same account: their positions, and their orders that can fill, count in every worst case.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, type Ticks } from '../../../src/bot/domain/numbers.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';
import { foreign, guardVerdict } from './verdicts.ts';

/** A position or order in a market that this run does not trade, with unknown decimals. */
const ELSEWHERE = foreign({ market: 9, orderId: 'elsewhere', price: 1 as Ticks, size: lots(1), originalSize: lots(1) });
const NONE = { openBuffer: 0, cancelBuffer: 0, liquidationBuffer: 0, adverseMove: 0, minDistance: 0, feeRate: 0 };

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

const bid = (guard: string, size: number, limits: Readonly<Record<string, unknown>> = {}) =>
  guardVerdict(guard, builder.world, { side: 'bid', price: 60_000, size }, limits);

describe('in a market that this run does not trade', () => {
  // The account is worth 10 000, and three times that is 0.5 BTC.
  test('foreign positions and orders count in the leverage, by the sums of the account', () => {
    builder.account({ margins: { pon: 24_000, cmf: 960 }, others: [ELSEWHERE] });
    expect(bid('leverage', 0.1)).toBe('pass');
    expect(bid('leverage', 0.1001)).toMatch(/^shrink to 0\.1: all positions together/);
  });

  test('the part of our own market in the sums counts once', () => {
    builder.account({ position: 0.2, entry: 60_000, margins: { pon: 24_000, cmf: 960 }, others: [ELSEWHERE] });
    // 12 000 of the 24 000 are ours.
    expect(bid('leverage', 0.1)).toBe('pass');
    expect(bid('leverage', 0.1001)).toMatch(/^shrink to 0\.1: all positions together/);
  });

  test('the sums count nothing there if the account has nothing there', () => {
    builder.account({ margins: { pon: 24_000, cmf: 960 } });
    expect(bid('leverage', 0.5)).toBe('pass');
  });

  test('foreign requirements, and foreign losses by an adverse move, count when everything has filled', () => {
    // 0.5 of ours needs 750 of 10 000; the foreign 100 000 lose 5 % and need their close margin.
    const margins = { pon: 100_000, cmf: 4_000 };
    const limits = { ...NONE, adverseMove: 0.05 };
    builder.account({ margins, others: [ELSEWHERE] });
    expect(bid('margin', 0.25, limits)).toMatch(/with everything filled and a move of 5 % mf would be/);
    builder.account({ margins });
    expect(bid('margin', 0.25, limits)).toBe('pass');
  });
});

const resting = (side: 'bid' | 'ask', size: number) =>
  foreign({ side, size: lots(size * 10_000), originalSize: lots(size * 10_000), price: (side === 'bid' ? 599_000 : 601_000) as Ticks });

describe('in a market of this run', () => {
  // 30 000 are 0.5 BTC.
  test.each(['position', 'leverage'] as const)('their order on our side leaves less for the guard %s', (guard) => {
    const limits = guard === 'position' ? { maxNotional: 30_000 } : {};
    builder.account({ others: [resting('bid', 0.4)] });
    expect(bid(guard, 0.1, limits)).toBe('pass');
    expect(bid(guard, 0.11, limits)).toMatch(/^shrink to 0\.1:/);
  });

  test('their order on the other side can make our reducing order an opening one', () => {
    builder.account({ position: 0.5, entry: 60_000, others: [resting('ask', 0.5)] });
    builder.apply((at) => ({ kind: 'command', at, command: 'mode', mode: 'close-only', reason: 'a test' }));
    expect(guardVerdict('mode', builder.world, { side: 'ask', price: 60_000, size: 0.1 })).toMatch(/^refuse/);
    builder.account();
    expect(guardVerdict('mode', builder.world, { side: 'ask', price: 60_000, size: 0.5 })).toBe('pass');
  });

  test('their orders count on both sides, each against our orders of that side', () => {
    builder.account({ others: [resting('bid', 0.4), { ...resting('ask', 0.3), orderId: 'ask' }] });
    expect(guardVerdict('position', builder.world, { side: 'ask', price: 60_000, size: 0.21 }, { maxNotional: 30_000 })).toMatch(
      /^shrink to 0\.2:/,
    );
    expect(bid('position', 0.11, { maxNotional: 30_000 })).toMatch(/^shrink to 0\.1:/);
  });
});
