// The margin model against numbers worked out by hand.
import { describe, expect, test } from 'vitest';
import {
  type MarginExposure,
  MarginSums,
  type MarginsWithCancel,
  mayOpen,
  mustCancel,
  mustLiquidate,
  requirement,
  worstSize,
} from '../../../src/bot/domain/margin.ts';
import { lots, type Micros, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { BTC, ETH } from '../world-builder.ts';

const usd = (units: number): Micros => micros(Math.round(units * 1e6));
const NOTHING = { position: lots(0), bids: lots(0), asks: lots(0), tradingPnl: usd(0), fundingPaymentPnl: usd(0) };
const btc = (part: Partial<MarginExposure>): MarginExposure => ({ market: BTC, price: ticks(600_000), ...NOTHING, ...part });
const eth = (part: Partial<MarginExposure>): MarginExposure => ({ market: ETH, price: ticks(300_000), ...NOTHING, ...part });
function marginsOf({ collateral, exposures }: { collateral: Micros; exposures: readonly MarginExposure[] }): MarginsWithCancel {
  const sums = new MarginSums();
  for (const exposure of exposures) sums.add(exposure);
  return sums.margins(collateral);
}

const dollars = ({ omf, mf, imf, cmf, mmf, pon, pn }: MarginsWithCancel) =>
  Object.fromEntries(Object.entries({ omf, mf, imf, cmf, mmf, pon, pn }).map(([name, value]) => [name, value / 1e6]));

describe('margins', () => {
  test('of an account without positions and orders equal its collateral', () => {
    const margins = marginsOf({ collateral: usd(1_000), exposures: [] });
    expect(dollars(margins)).toEqual({ omf: 1_000, mf: 1_000, imf: 0, cmf: 0, mmf: 0, pon: 0, pn: 0 });
    expect([mayOpen(margins), mustCancel(margins), mustLiquidate(margins)]).toEqual([true, false, false]);
  });

  // Long 0.5 BTC at 60 000 (30 000), with bids of 0.1 and asks of 0.8: the worse side is 0.6 long against 0.3 short.
  test('count a position with the worse side of its orders', () => {
    const margins = marginsOf({
      collateral: usd(10_000),
      exposures: [btc({ position: lots(5_000), bids: lots(1_000), asks: lots(8_000) })],
    });
    expect(dollars(margins)).toEqual({ omf: 10_000, mf: 10_000, imf: 1_800, cmf: 1_350, mmf: 750, pon: 36_000, pn: 30_000 });
  });

  // The same with asks of 1.2: they could turn it into 0.7 short, which is 42 000.
  test('count asks that could reverse a long position', () => {
    const margins = marginsOf({ collateral: usd(10_000), exposures: [btc({ position: lots(5_000), asks: lots(12_000) })] });
    expect(dollars(margins)).toMatchObject({ pon: 42_000, imf: 2_100, pn: 30_000, mmf: 750 });
  });

  // Short 2 ETH at 3 000 (6 000) with a loss of 100 and 7 of funding earned; long 0.1 BTC (6 000) with a profit of 250.
  test('count profit in mf only, loss and funding in both', () => {
    const margins = marginsOf({
      collateral: usd(1_000),
      exposures: [
        eth({ position: lots(-2_000), tradingPnl: usd(-100), fundingPaymentPnl: usd(7) }),
        btc({ position: lots(1_000), tradingPnl: usd(250) }),
      ],
    });
    expect(dollars(margins)).toEqual({ omf: 1_007, mf: 1_157, imf: 600, cmf: 450, mmf: 300, pon: 12_000, pn: 12_000 });
    const worse = marginsOf({ collateral: usd(1_000), exposures: [eth({ position: lots(-2_000), tradingPnl: usd(-100) })] });
    expect(dollars(worse)).toMatchObject({ omf: 900, mf: 900 });
  });

  test('show bankruptcy if more is owed than there is', () => {
    const { mf, omf, bankruptcy } = marginsOf({ collateral: usd(50), exposures: [btc({ position: lots(1), tradingPnl: usd(-51) })] });
    expect([mf, omf, bankruptcy]).toEqual([usd(-1), usd(-1), true]);
  });

  test('round every requirement up, market by market', () => {
    expect([requirement(micros(1), 50_000), requirement(micros(20), 50_000), requirement(micros(21), 50_000)]).toEqual([1, 1, 2]);
    const tiny = { price: ticks(1), position: lots(1) };
    expect(marginsOf({ collateral: usd(1), exposures: [eth({ ...tiny }), eth({ ...tiny })] })).toMatchObject({ pn: 20, imf: 2, mmf: 2 });
  });
});

describe('the largest possible size', () => {
  test.each([
    [0, 3, 5, 5],
    [4, 3, 5, 7],
    [-4, 3, 5, 9],
    [4, 0, 9, 5],
    [-4, 9, 0, 5],
    [4, 0, 0, 4],
  ])('of a position of %i with bids of %i and asks of %i is %i', (position, bids, asks, worst) => {
    expect(worstSize(lots(position), lots(bids), lots(asks))).toBe(worst);
  });
});

const margins = (part: Partial<Record<'omf' | 'mf' | 'imf' | 'cmf' | 'mmf' | 'pon' | 'pn', number>>): MarginsWithCancel =>
  ({ omf: 0, mf: 0, imf: 0, cmf: 0, mmf: 0, pon: 1, pn: 1, bankruptcy: false, ...part }) as MarginsWithCancel;

describe('the thresholds', () => {
  test('opening ends when omf falls to imf', () => {
    expect([mayOpen(margins({ omf: 11, imf: 10 })), mayOpen(margins({ omf: 10, imf: 10 }))]).toEqual([true, false]);
  });

  test('orders are cancelled when omf falls to cmf, if anything is open', () => {
    expect([mustCancel(margins({ omf: 10, cmf: 10 })), mustCancel(margins({ omf: 11, cmf: 10 }))]).toEqual([true, false]);
    expect(mustCancel(margins({ omf: 10, cmf: 10, pon: 0 }))).toBe(false);
  });

  test('a position is liquidated below mmf, not at it, and only if there is one', () => {
    expect([mustLiquidate(margins({ mf: 9, mmf: 10 })), mustLiquidate(margins({ mf: 10, mmf: 10 }))]).toEqual([true, false]);
    expect(mustLiquidate(margins({ mf: -1, mmf: 0, pn: 0 }))).toBe(false);
  });
});
