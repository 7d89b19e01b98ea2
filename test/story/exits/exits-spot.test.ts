// Exits on a spot market: the entry is the average of the fills, an earlier balance is included, and the sale never exceeds the balance.
import { describe, expect, test } from 'vitest';
import { defineStrategy, type Intent, type MarketView, type View } from '../../../src/index.ts';
import { marketScript, play } from '../../../src/testing.ts';
import { SPOT, SpotStage } from '../spot/spot-stage.ts';

const holding = (exits: (sol: MarketView) => readonly Intent[]) =>
  defineStrategy({
    name: 'holding',
    defaults: { market: SPOT },
    create: ({ market }) => {
      return (view) => {
        const sol = view.market(market);
        return sol.mid === undefined ? [] : [sol.target({ position: 2 }), ...exits(sol)];
      };
    },
  });

async function played(exits: (sol: MarketView) => readonly Intent[], prices: readonly (readonly [at: string, price: number])[]) {
  const market = marketScript({ symbol: SPOT });
  for (const [at, price] of prices) market.price(at, price);
  const { fills, findings, summary } = await play(holding(exits), { market: market.until('60s') });
  const closes = findings.filter(({ guard, verdict }) => guard === 'exit' && verdict === 'close').map(({ reason }) => reason);
  return { fills: fills.map(({ side, size, price }) => `${side} ${size} ${price}`), closes, positions: summary.positions };
}

describe('on a scripted spot market', () => {
  test('a stop loss is measured from the average fill price and sells the whole position', async () => {
    const { fills, closes, positions } = await played(
      (sol) => [sol.stopLoss({ bps: 100 })],
      [
        ['0s', 150],
        ['20s', 149],
        ['40s', 148],
      ],
    );
    expect(fills).toEqual(['bid 2.000 150.01', 'ask 2.000 147.99']);
    expect(closes[0]).toMatch(/^the price 148 has reached the stop loss at 148\.5\d*, .* closing long 2$/);
    expect(positions).toEqual({});
  });

  test('a trailing stop follows the best price', async () => {
    const { fills, positions } = await played(
      (sol) => [sol.trailingStop({ bps: 100 })],
      [
        ['0s', 150],
        ['15s', 160],
        ['30s', 159],
        ['40s', 158],
      ],
    );
    expect(fills).toEqual(['bid 2.000 150.01', 'ask 2.000 157.99']);
    expect(positions).toEqual({});
  });

  test('a take profit rests for the whole position', async () => {
    const { fills, positions } = await played(
      (sol) => [sol.takeProfit({ bps: 200 })],
      [
        ['0s', 150],
        ['20s', 154],
      ],
    );
    expect(fills[0]).toBe('bid 2.000 150.01');
    expect(fills[1]).toMatch(/^ask 2\.000 153\.0\d$/);
    expect(positions).toEqual({});
  });
});

const hold = (view: View): readonly Intent[] => [view.market(SPOT).target({ position: 2 })];
/** Returns a stop above the market, which closes at once. */
const stop = (view: View): readonly Intent[] => {
  const sol = view.market(SPOT);
  return sol.mid === undefined ? [] : [sol.target({ position: 2 }), sol.stopLoss({ price: sol.mid * 1.02 })];
};

test('on the embedded exchange, with a lagging account and a restart, the stop never sells more than the position', async () => {
  const stage = await SpotStage.open({ lagMs: 1_000 });
  await stage.run(hold, { seconds: 20 });
  expect(stage.sol).toBe(2);
  const meanwhile = (): void => {
    expect(stage.sol).toBeGreaterThanOrEqual(0);
    expect(stage.sol).toBeLessThanOrEqual(2);
  };
  await stage.run(stop, { seconds: 2, meanwhile });
  await stage.run(stop, { seconds: 30, meanwhile });
  expect(stage.sol).toBe(0);
});
