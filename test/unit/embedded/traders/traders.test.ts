// Each trader alone at a quiet book: what it does, and what it leaves alone.

import { beforeEach, describe, expect, it } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import { opposite, SIDES, type Side, signOf } from '../../../../src/bot/domain/book.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Fair } from '../../../../src/embedded/exchange/traders/fair-price.ts';
import { informedTaker } from '../../../../src/embedded/exchange/traders/flow.ts';
import { marketMaker } from '../../../../src/embedded/exchange/traders/maker.ts';
import type { MakerStyle } from '../../../../src/embedded/exchange/traders/maker-styles.ts';
import { momentumTaker } from '../../../../src/embedded/exchange/traders/momentum-taker.ts';
import { noiseTaker } from '../../../../src/embedded/exchange/traders/noise-taker.ts';
import { patientTrader } from '../../../../src/embedded/exchange/traders/patient-trader.ts';
import { REGIMES } from '../../../../src/embedded/exchange/traders/regimes.ts';
import { type Attach, sizesOf, type Trader, takeAtMarket } from '../../../../src/embedded/exchange/traders/trader.ts';
import { BTC, marketOf } from './flow-run.ts';
import { FOREIGN_ACCOUNT, NaivePort } from './naive-port.ts';

const TRADER = 0;
const FAIR: Fair = { ticks: 600_000.5, volatility: 2, activity: 1 };
const STYLE: MakerStyle = {
  name: 'tested',
  lagSeconds: 0,
  attention: 1,
  levels: 8,
  distances: { first: 1, factor: 1.5 },
  notionals: { first: 10_000, factor: 1.3 },
  limit: 100_000,
};

let port: NaivePort;
beforeEach(() => {
  port = new NaivePort(marketOf(BTC));
});

const seated = (attachTrader: Attach): Trader =>
  attachTrader({ trader: TRADER, rng: rngFrom('alone'), sizes: sizesOf(port.market, BTC.basePrice), regime: REGIMES.swinging });
const rest = (side: Side, price: number, size = 1_000_000): string | undefined =>
  port.place({ trader: FOREIGN_ACCOUNT, side, fillMode: 'LIMIT', price: ticks(price), size: lots(size) });

function act(trader: Trader, { fair, steps }: { fair: Fair; steps: number }): void {
  for (let step = 0; step < steps; step++) {
    port.now += 100;
    trader.act(port, fair);
  }
}

/** Gives the trader this position, from a foreign account, at a price that leaves the book as it was. */
function give(side: Side, size: Lots): void {
  port.place({ trader: TRADER, side, fillMode: 'LIMIT', price: 1 as Ticks, size });
  port.place({ trader: FOREIGN_ACCOUNT, side: opposite(side), fillMode: 'IMMEDIATE_OR_CANCEL', price: 1 as Ticks, size });
}

/** Nothing in the book but one foreign order a side, two ticks apart. */
function quotes(mid: number): void {
  for (const side of SIDES) for (const { orderId } of port.resting(side)) port.cancel({ trader: FOREIGN_ACCOUNT, orderId });
  for (const side of SIDES) rest(side, mid - signOf(side));
}

describe('a market maker', () => {
  it('quotes on both sides, larger and wider apart away from the price', () => {
    act(seated(marketMaker(STYLE)), { fair: FAIR, steps: 1 });
    for (const side of SIDES) {
      const distances = port.resting(side).map(({ price }) => signOf(side) * (FAIR.ticks - price));
      expect(distances).toHaveLength(STYLE.levels);
      expect(distances[0]).toBeGreaterThan(40);
      expect(distances[7]).toBeGreaterThan(800);
    }
  });

  it('leaves most quotes in place when the price moves a little', () => {
    const maker = seated(marketMaker(STYLE));
    act(maker, { fair: FAIR, steps: 1 });
    const before = new Set(port.resting('bid').map(({ orderId }) => orderId));
    act(maker, { fair: { ...FAIR, ticks: FAIR.ticks + 60 }, steps: 1 });
    const kept = port.resting('bid').filter(({ orderId }) => before.has(orderId));
    expect(kept.length).toBeGreaterThanOrEqual(4);
    expect(kept.length).toBeLessThan(STYLE.levels);
  });

  it('follows a price that jumps, without ever crossing', () => {
    const maker = seated(marketMaker(STYLE));
    act(maker, { fair: FAIR, steps: 1 });
    act(maker, { fair: { ...FAIR, ticks: 630_000.5 }, steps: 1 });
    expect(port.best('bid')).toBeGreaterThan(629_000);
    expect(port.trades).toEqual([]);
    expect(port.refused).toBe(0);
  });

  it('steps back when the price is volatile', () => {
    act(seated(marketMaker(STYLE)), { fair: { ...FAIR, volatility: 10 }, steps: 1 });
    expect(FAIR.ticks - (port.best('bid') ?? 0)).toBeGreaterThan(100);
  });

  it('queues just behind a foreign order that it would cross', () => {
    rest('ask', 599_900);
    act(seated(marketMaker(STYLE)), { fair: FAIR, steps: 1 });
    expect(port.best('bid')).toBe(599_899);
    expect(port.refused).toBe(0);
  });

  it.each(SIDES)('full on the %s side skews its quotes and shows only its smallest size on its own side', (side) => {
    give(side, port.market.lots(100_000 / BTC.basePrice));
    act(seated(marketMaker(STYLE)), { fair: FAIR, steps: 1 });
    const total = (of: Side): number => port.resting(of).reduce((sum, { size }) => sum + size, 0);
    expect(total(side)).toBeLessThan(total(opposite(side)) / 5);
    const middle = ((port.best('bid') ?? 0) + (port.best('ask') ?? 0)) / 2;
    expect(signOf(side) * (FAIR.ticks - middle)).toBeGreaterThan(60);
  });
});

describe('the informed taker', () => {
  it('leaves fair quotes alone', () => {
    rest('bid', 599_990);
    rest('ask', 600_010);
    act(seated(informedTaker), { fair: FAIR, steps: 200 });
    expect(port.trades).toEqual([]);
  });

  it.each(SIDES)('takes a %s on the wrong side of the price, and nothing beyond', (side) => {
    rest(side, FAIR.ticks + signOf(side) * 299.5, 1_000);
    rest(side, FAIR.ticks - signOf(side) * 10.5);
    act(seated(informedTaker), { fair: FAIR, steps: 50 });
    expect(port.position(TRADER)).toBe(-signOf(side) * 1_000);
  });
});

describe('the momentum taker', () => {
  it('follows a trend up to its limit, and is flat some time after the trend ends', () => {
    const trader = seated(momentumTaker);
    for (let step = 0; step < 300; step++) {
      quotes(600_000 + step * 18);
      act(trader, { fair: FAIR, steps: 1 });
    }
    expect(port.position(TRADER)).toBeGreaterThan(0);
    expect(port.market.size(port.position(TRADER)) * BTC.basePrice).toBeLessThan(250_000);
    act(trader, { fair: FAIR, steps: 3_000 });
    expect(port.position(TRADER)).toBe(0);
  });

  it('does nothing in a quiet market', () => {
    quotes(600_000);
    act(seated(momentumTaker), { fair: FAIR, steps: 500 });
    expect(port.trades).toEqual([]);
  });
});

describe('the noise taker', () => {
  it('takes from both sides', () => {
    quotes(600_000);
    act(seated(noiseTaker), { fair: FAIR, steps: 1_000 });
    expect(new Set(port.trades.map(({ side }) => side))).toEqual(new Set(SIDES));
  });

  it('has nothing to take from an empty book', () => {
    act(seated(noiseTaker), { fair: FAIR, steps: 100 });
    expect(port.placed).toEqual([]);
  });
});

it.each(SIDES)('taking a %s at the market stops at its slippage', (side) => {
  for (const away of [1, 100, 300]) rest(side, 600_000 - signOf(side) * away, 10);
  takeAtMarket(port, { trader: TRADER, side: opposite(side), size: lots(100), slippage: 3 });
  expect(port.trades.map(({ price }) => Math.abs(price - 600_000))).toEqual([1, 100]);
});

describe('the patient trader', () => {
  it('rests small orders at both sides, some inside the spread, and cancels them after a while', () => {
    for (const side of SIDES) rest(side, 600_000 - signOf(side) * 50);
    const trader = seated(patientTrader);
    act(trader, { fair: FAIR, steps: 600 });
    const own = port.placed.filter(({ trader }) => trader === TRADER);
    expect(own.length).toBeGreaterThan(20);
    expect(own.some(({ price = 0 }) => Math.abs(price - 600_000) < 50)).toBe(true);
    const waiting = SIDES.flatMap((side) => port.resting(side)).filter(({ trader }) => trader === TRADER);
    expect(waiting.length).toBeLessThan(own.length / 2);
    expect(port.trades).toEqual([]);
  });
});
