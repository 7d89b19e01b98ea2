// Intents in an author's decimals become whole ticks and lots.
import { describe, expect, test } from 'vitest';
import { lots } from '../../../src/bot/domain/numbers.ts';
import { targeter } from '../../../src/bot/strategy/intents/intents.ts';
import { BTC, calmWorld, marketOf, WorldBuilder } from '../world-builder.ts';

const seen = () => calmWorld({ bid: 59_999, ask: 60_001 });
const level = (price: number, size = 0.01) => ({ price, size });
const btc = () => seen().view().market('BTCUSDC');

describe('quote', () => {
  test('rounds prices to the passive side and sizes toward zero', () => {
    const { bids, asks } = btc().quote({ bids: [{ price: 59_990.07, size: 0.01239 }], asks: [{ price: 60_010.02, size: 0.01239 }] });
    expect(bids).toEqual([{ price: 599_900, size: 123 }]);
    expect(asks).toEqual([{ price: 600_101, size: 123 }]);
  });

  test('corrects a price or size that is off only in the last bits of a double', () => {
    const { bids, asks } = btc().quote({
      bids: [{ price: 59_990.299999999996, size: 0.1 + 0.2 }],
      asks: [{ price: 60_010.100000000006, size: 0.7 - 0.1 }],
    });
    expect(bids).toEqual([{ price: 599_903, size: 3_000 }]);
    expect(asks).toEqual([{ price: 600_101, size: 6_000 }]);
  });

  test('sorts best first, merges levels of one tick and drops those below a lot', () => {
    const { bids, asks } = btc().quote({
      bids: [level(59_980), level(59_990.04), level(59_990.01), level(59_995, 0.00009)],
      asks: [level(60_020), level(60_010), level(60_015, 0)],
    });
    expect(bids).toEqual([
      { price: 599_900, size: 200 },
      { price: 599_800, size: 100 },
    ]);
    expect(asks.map(({ price }) => price)).toEqual([600_100, 600_200]);
  });

  test('returns the same quote for the same request as in the last turn', () => {
    const { quote } = btc();
    const wish = () => ({ bids: [level(59_990)], asks: [level(60_010)], slackBps: 1 });
    const first = quote(wish());
    expect(quote(wish())).toBe(first);
    expect(quote({ ...wish(), bids: [level(59_980)] }).bids).toMatchObject([{ price: 599_800 }]);
    expect(quote({ ...wish(), asks: [level(60_010, 0.02)] }).asks).toMatchObject([{ size: 200 }]);
    expect(quote({ ...wish(), asks: [] }).asks).toEqual([]);
    expect(quote({ ...wish(), slackBps: 2 }).slack).toBe(2 * first.slack + 1);
    expect(quote({ ...wish(), slack: 0.3 }).slack).toBe(3);
    expect(quote({ ...wish(), postOnly: false }).fillMode).toBe('LIMIT');
    expect(quote(wish())).toEqual(first);
  });

  test('cannot be changed, because it may be returned again', () => {
    const { bids, ...rest } = btc().quote({ bids: [level(59_990)] });
    expect(() => (bids as unknown[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(bids[0] ?? {}, { size: 1 })).toThrow(TypeError);
    expect({ ...rest, bids: [] }).toMatchObject({ kind: 'quote', asks: [] });
    const { quote } = btc();
    expect(() => Object.assign(quote({}), { slack: 5 })).toThrow(TypeError);
  });

  test('follows a list that the author changes later', () => {
    const { quote } = btc();
    const bids = [level(59_990)];
    quote({ bids });
    bids[0] = level(59_980);
    expect(quote({ bids }).bids).toMatchObject([{ price: 599_800 }]);
    bids.push(level(59_970));
    expect(quote({ bids }).bids).toHaveLength(2);
  });

  test('drops a level whose price rounds to zero', () => {
    expect(btc().quote({ bids: [{ price: 0.04, size: 1 }], asks: [{ price: 0, size: 1 }] })).toMatchObject({ bids: [], asks: [] });
  });

  test('is post-only by default, and exact without slack', () => {
    const bids = [{ price: 50_000, size: 0.01 }];
    expect(btc().quote({ bids })).toMatchObject({ kind: 'quote', market: 0, fillMode: 'POST_ONLY', slack: 0, asks: [] });
    expect(btc().quote({ bids, slackBps: 0.5 }).slack).toBe(25);
    expect(btc().quote({ bids, slack: 0.3 }).slack).toBe(3);
    expect(btc().quote({ bids, postOnly: false }).fillMode).toBe('LIMIT');
    expect(btc().quote({ slackBps: 5 }).slack).toBe(0);
  });

  test.each([
    [{ bids: [{ price: Number.NaN, size: 1 }] }, 'BTCUSDC: a price in the bids is NaN, which is not a finite number'],
    [{ asks: [{ price: -5, size: 1 }] }, 'BTCUSDC: a price in the asks is -5, which is negative'],
    [{ asks: [{ price: 1e300, size: 1 }] }, 'BTCUSDC: a price in the asks is 1e+300, which is more than an order can have'],
    [{ bids: [{ price: 5, size: Number.POSITIVE_INFINITY }] }, 'BTCUSDC: a size in the bids is Infinity, which is not a finite number'],
    [{ bids: [{ price: 5, size: -1 }] }, 'BTCUSDC: a size in the bids is -1, which is negative'],
    [{ bids: [{ price: 5, size: 1e300 }] }, 'BTCUSDC: a size in the bids is 1e+300, which is more than an order can have'],
    [{ bids: [{ price: 5, size: '1' as unknown as number }] }, 'BTCUSDC: a size in the bids is 1, which is not a finite number'],
    [{ slackBps: Number.NaN }, 'BTCUSDC: slackBps is NaN, which is not a finite number'],
    [{ slack: -1 }, 'BTCUSDC: slack is -1, which is negative'],
  ])('%j is an error', (wish, message) => {
    expect(() => btc().quote(wish)).toThrow(message);
  });

  test('rounds a price on the tick to the significant figures that the exchange takes', () => {
    const market = marketOf({ priceDecimals: 1, sizeDecimals: 3, priceFigures: 5 });
    const view = new WorldBuilder([market])
      .book([[60_000, 1]], [[60_001, 1]])
      .account()
      .view()
      .market(market.symbol);
    const { bids, asks } = view.quote({ bids: [level(60_000.5)], asks: [level(60_000.5)] });
    expect([bids[0]?.price, asks[0]?.price]).toEqual([600_000, 600_010]);
    expect([view.tick, view.minSize]).toEqual([1, 0.001]);
  });

  test('the view states the least size that the least value of an order requires', () => {
    const market = marketOf({ minNotional: 10 });
    const view = new WorldBuilder([market])
      .book([[59_999, 1]], [[60_001, 1]])
      .account()
      .view()
      .market(market.symbol);
    expect(view.minSize).toBe(0.0002);
  });

  test('a coarse market has coarse orders', () => {
    const coarse = marketOf({ priceDecimals: 0, sizeDecimals: 0 });
    const view = new WorldBuilder([coarse])
      .book([[99, 1]], [[101, 1]])
      .account()
      .view();
    expect(view.market('BTCUSDC').quote({ asks: [{ price: 100.2, size: 2.9 }] }).asks).toEqual([{ price: 101, size: 2 }]);
  });
});

describe('target', () => {
  test('buys up to a limit beyond the best ask, sells down to one below the best bid', () => {
    expect(btc().target({ position: 0.01239 })).toEqual({ kind: 'target', market: 0, position: 123, limit: 600_610 });
    expect(btc().target({ position: -0.01239, maxSlippageBps: 1 })).toEqual({ kind: 'target', market: 0, position: -123, limit: 599_931 });
  });

  test('chooses its side by the current position', () => {
    const long = seen().account({ position: 1 }).view().market('BTCUSDC');
    expect(long.target({ position: 0.5 }).limit).toBeLessThan(599_990);
  });

  test('keeps an explicit limit, rounded to the better tick', () => {
    expect(btc().target({ position: 1, limit: 60_000.19 }).limit).toBe(600_001);
    expect(btc().target({ position: -1, limit: 60_000.11 }).limit).toBe(600_002);
  });

  test('without a book is returned unchanged', () => {
    const blind = new WorldBuilder().account({ position: 0.5 }).view().market('BTCUSDC');
    expect(blind.target({ position: 2 })).toMatchObject({ position: 5_000 });
    expect(blind.target({ position: 2, limit: 60_000 })).toMatchObject({ position: 20_000, limit: 600_000 });
  });

  test('refuses invalid values', () => {
    expect(() => btc().target({ position: Number.NaN })).toThrow('BTCUSDC: the position is NaN, which is not a finite number');
    expect(() => btc().target({ position: 1, maxSlippageBps: -1 })).toThrow('BTCUSDC: maxSlippageBps is -1, which is negative');
  });
});

describe('the band of a target', () => {
  const book = seen().world.book(0)?.value;
  const at = (now: number) => ({ held: lots(0), book, now });
  const positions = (wishes: readonly (readonly [now: number, position: number])[], bandBps?: number): number[] => {
    const target = targeter(BTC);
    return wishes.map(([now, position]) => target({ position, ...(bandBps !== undefined && { bandBps }) }, at(now)).position);
  };

  test('keeps the last position if the new one is near', () => {
    expect(
      positions([
        [0, 1],
        [1, 1.009],
        [2, 0.991],
        [3, 1.0101],
        [4, 1.01],
      ]),
    ).toEqual([10_000, 10_000, 10_000, 10_101, 10_101]);
  });

  test('has the requested size; 0 is no band', () => {
    expect(
      positions(
        [
          [0, 1],
          [1, 1.04],
          [2, 1.06],
        ],
        500,
      ),
    ).toEqual([10_000, 10_000, 10_600]);
    expect(
      positions(
        [
          [0, 1],
          [1, 1.0001],
        ],
        0,
      ),
    ).toEqual([10_000, 10_001]);
  });

  test('does not hold back a target of 0, nor one of the other sign', () => {
    expect(
      positions(
        [
          [0, 1],
          [1, 0],
          [2, 0.0001],
          [3, -0.0001],
        ],
        10_000,
      ),
    ).toEqual([10_000, 0, 1, -1]);
  });

  test('ends for a target that is requested unchanged for a minute', () => {
    expect(
      positions([
        [0, 1],
        [1_000, 1.005],
        [60_999, 1.005],
        [61_000, 1.005],
        [61_001, 1.006],
      ]),
    ).toEqual([10_000, 10_000, 10_000, 10_050, 10_050]);
  });

  test.each([-1, Number.NaN])('is refused at %d', (bandBps) => {
    expect(() => targeter(BTC)({ position: 1, bandBps }, at(0))).toThrow(/BTCUSDC: bandBps is/);
  });
});

describe('exits', () => {
  test('keep the requested values', () => {
    expect(btc().bracket({ stopLossBps: 100, takeProfitBps: 200 })).toEqual({
      kind: 'exit',
      market: 0,
      rules: [
        { exit: 'stop-loss', bps: 100 },
        { exit: 'take-profit', bps: 200 },
      ],
      maxSlippageBps: 50,
    });
    expect(btc().stopLoss({ price: 59_000.05, maxSlippageBps: 5 })).toMatchObject({ rules: [{ price: 59_000.05 }], maxSlippageBps: 5 });
  });

  test('refuse invalid values', () => {
    expect(() => btc().stopLoss({ bps: 0 })).toThrow('BTCUSDC: the bps of the stop loss is 0; a number above zero is expected');
    expect(() => btc().takeProfit({ price: Number.NaN })).toThrow('BTCUSDC: the price of the take profit is NaN');
    expect(() => btc().trailingStop({ bps: 10, maxSlippageBps: -1 })).toThrow('BTCUSDC: maxSlippageBps is -1');
    expect(() => btc().trailingStop({ bps: 10, maxSlippageBps: 10_000 })).toThrow(
      'BTCUSDC: maxSlippageBps is 10000; a number from 0 to below 10000 is expected',
    );
    expect(btc().trailingStop({ bps: 10, maxSlippageBps: 0 })).toMatchObject({ maxSlippageBps: 0 });
  });
});
