// Exits on a scripted market: stops close, take profits rest, gaps are reported, and a closed position is not bought again.
import { describe, expect, test } from 'vitest';
import { defineStrategy, type Intent, type MarketView } from '../../../src/index.ts';
import { marketScript, type PlayOptions, play } from '../../../src/testing.ts';

/** A strategy that targets 0.1 long, or `desired`, with these exits. */
const holding = (exits: (btc: MarketView) => readonly Intent[], desired: (btc: MarketView) => readonly Intent[] = long) =>
  defineStrategy({
    name: 'holding',
    defaults: { market: 'BTCUSDC' },
    create: ({ market }) => {
      return (view) => {
        const btc = view.market(market);
        return btc.mid === undefined ? [] : [...desired(btc), ...exits(btc)];
      };
    },
  });
const long = (btc: MarketView): readonly Intent[] => [btc.target({ position: 0.1 })];
const short = (btc: MarketView): readonly Intent[] => [btc.target({ position: -0.1 })];

async function played(strategy: Parameters<typeof play>[0], market: NonNullable<PlayOptions['market']>) {
  const { fills, findings, summary } = await play(strategy, { market });
  const closes = findings.filter(({ guard, verdict }) => guard === 'exit' && verdict === 'close').map(({ reason }) => reason);
  const waits = findings.filter(({ guard, verdict }) => guard === 'exit' && verdict === 'refuse').map(({ side }) => side);
  return { fills: fills.map(({ side, size, price, role }) => `${side} ${size} ${price} ${role}`), closes, waits, summary };
}

describe('a stop loss', () => {
  test('closes a long position when the mark price reaches it, and pauses the target', async () => {
    const market = marketScript().price('0s', 60_000).price('10s', 59_600).price('20s', 59_400).price('40s', 60_500).until('80s');
    const { fills, closes, waits } = await played(
      holding((btc) => [btc.stopLoss({ price: 59_500 })]),
      market,
    );
    expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.1000 59399.9 taker']);
    expect(closes).toEqual([
      'the price 59400 has reached the stop loss at 59500, 16.8 bps below it; closing long 0.1',
      'the stop loss at 59500 closed 0.1 at 59399.9 on average, 16.8 bps below it',
    ]);
    expect(waits).toEqual(['bid']);
  });

  test('is measured from the entry in basis points, above it for a short', async () => {
    const market = marketScript().price('0s', 60_000).price('10s', 60_500).price('20s', 60_601).until('40s');
    const { fills, closes } = await played(
      holding((btc) => [btc.stopLoss({ bps: 100 })], short),
      market,
    );
    expect(fills).toEqual(['ask 0.1000 59999.9 taker', 'bid 0.1000 60601.1 taker']);
    expect(closes[0]).toContain('the price 60601 has reached the stop loss at 60599.899');
  });
});

test('after a gap through the stop the position is closed at the market within the slippage, and both prices are reported', async () => {
  const market = marketScript()
    .price('0s', 60_000)
    .marks('20s', { mark: 57_000 })
    .book('20s', {
      bids: [
        { price: 57_000, size: 0.04 },
        { price: 56_900, size: 1 }, // outside the slippage of the first turn
      ],
      asks: [{ price: 57_010, size: 1 }],
    })
    .until('60s');
  const { fills, closes } = await played(
    holding((btc) => [btc.stopLoss({ price: 59_500, maxSlippageBps: 10 })]),
    market,
  );
  expect(fills.slice(1)).toEqual(['ask 0.0400 57000.0 taker', 'ask 0.0600 56900.0 taker']);
  expect(closes).toEqual([
    'the price 57000 has reached the stop loss at 59500, 420.2 bps below it; closing long 0.1',
    'the stop loss at 59500 closed 0.1 at 56940 on average, 430.3 bps below it',
  ]);
});

test('a trailing stop follows the best mark price and closes at its distance from it', async () => {
  const market = marketScript()
    .price('0s', 60_000)
    .price('10s', 61_000)
    .price('20s', 60_400)
    .price('30s', 60_389) // 100.2 bps below the best
    .until('60s');
  const { fills, closes } = await played(
    holding((btc) => [btc.trailingStop({ bps: 100 })]),
    market,
  );
  expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.1000 60388.9 taker']);
  expect(closes[0]).toContain('the price 60389 has reached the trailing stop at 60390');
});

describe('a take profit', () => {
  const market = marketScript()
    .price('0s', 60_000)
    .price('10s', 60_500)
    .trade('20s', { takerSide: 'bid', price: 60_601, size: 5 })
    .price('21s', 60_700)
    .until('60s');

  test('rests for the whole position, and the sold size is not bought again', async () => {
    const { fills, closes, waits } = await played(
      holding((btc) => [btc.takeProfit({ price: 60_600 })]),
      market,
    );
    expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.1000 60600.0 maker']);
    expect(closes.at(-1)).toBe('the take profit at 60600 closed 0.1 at 60600 on average');
    expect(waits).toEqual(['bid']);
  });

  test('takes at once if the market has reached its price', async () => {
    const { fills } = await played(
      holding((btc) => [btc.takeProfit({ price: 59_900 })]),
      market,
    );
    expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.1000 59999.9 taker']);
  });

  test('rests beside a quote with the size that the quote leaves', async () => {
    let isBought = false;
    const desired = (btc: MarketView): readonly Intent[] => {
      isBought ||= btc.position > 0;
      return isBought ? [btc.quote({ asks: [{ price: 60_550, size: btc.position > 0.06 ? 0.04 : 0 }] })] : long(btc);
    };
    const strategy = holding((btc) => [btc.takeProfit({ price: 60_600 })], desired);
    const { fills } = await played(strategy, market);
    expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.0400 60550.0 maker', 'ask 0.0600 60600.0 maker']);
  });
});

test('the stop of a bracket cancels the take profit and then closes', async () => {
  const market = marketScript().price('0s', 60_000).price('10s', 59_300).until('60s');
  const { fills, summary } = await played(
    holding((btc) => [btc.bracket({ stopLossBps: 100, takeProfitBps: 200 })]),
    market,
  );
  expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.1000 59299.9 taker']);
  expect(summary.orders).toMatchObject({ placed: 3, openAtExit: 0 });
});

test('a strategy that returns no intent once can open the same position again', async () => {
  const pauseUntil = { at: Infinity };
  const strategy = holding(
    (btc) => [btc.stopLoss({ bps: 100 })],
    (btc) => {
      if (btc.exited?.isClosed === true) pauseUntil.at = btc.exited.at;
      return btc.exited === undefined || !btc.exited.isClosed ? long(btc) : [];
    },
  );
  const market = marketScript().price('0s', 60_000).price('10s', 59_300).price('30s', 58_000).until('60s');
  const { fills } = await played(strategy, market);
  expect(fills.map((fill) => fill.slice(0, 3))).toEqual(['bid', 'ask', 'bid', 'ask', 'bid']);
});

const quotes = (btc: MarketView): readonly Intent[] => [
  btc.exited === undefined && btc.position === 0
    ? btc.target({ position: 0.1 })
    : btc.quote({ bids: [{ price: 58_000, size: 0.1 }], asks: [{ price: 62_000, size: 0.1 }] }),
];

test('levels of a quote that would reopen the stopped side are omitted, the others stay', async () => {
  const market = marketScript()
    .price('0s', 60_000)
    .price('10s', 59_300)
    .until('30s')
    .trade('30s', { takerSide: 'ask', price: 57_000, size: 5 })
    .until('60s');
  const { fills, waits } = await played(
    holding((btc) => [btc.stopLoss({ bps: 100 })], quotes),
    market,
  );
  expect(fills).toEqual(['bid 0.1000 60000.1 taker', 'ask 0.1000 59299.9 taker']);
  expect(waits).toEqual(['bid']);
});
