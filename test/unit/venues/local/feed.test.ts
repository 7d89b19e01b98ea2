import { describe, expect, test } from 'vitest';
import { Bench, BOOK, connected, MARKETS, START } from './bench.ts';

const tradePage = (more: object = {}): object => ({
  price: 99.5,
  side: 'sell',
  size: 0.01,
  liquidation: false,
  time: new Date(START + 300).toISOString(),
  ...more,
});

const rate = (hour: number, fundingIndex: number) => ({
  date: new Date(START - hour * 3_600_000).toISOString(),
  fundingIndex,
  fundingCollected: 1,
});

const candle = (minute: number, close: number) => {
  const startTime = new Date(START - (START % 60_000) + minute * 60_000).toISOString();
  return { startTime, open: 100, high: 101.04, low: 99, close };
};

describe('polled data becomes events:', () => {
  test('a book, numbered by the adapter, in ticks and lots, best first', async () => {
    const bench = await connected();
    await bench.run(500);
    const books = bench.of('bookSeen').map(({ book }) => book);
    expect(books.map(({ updateId }) => updateId)).toEqual(['1', '2', '3']);
    expect(books[0]).toMatchObject({ market: 0, bids: BOOK.bids.map(([price = 0]) => ({ price: Math.round(price * 10), size: 10_001 })) });
    expect(bench.process.requests).toContain('GET /markets/BTC-PERP/orderbook?depth=100');
  });

  test('prices: the current one is the mark, and is used as the index', async () => {
    const bench = await connected();
    expect(bench.of('infoSeen')[0]?.infos).toEqual([{ market: 0, index: 1_000, mark: 1_000, frozen: false }]);
  });

  test.each<[string, object, object]>([
    ['a market that is not enabled is frozen', { enabled: false }, { frozen: true, mark: 1_000 }],
    ['no price gives no index and no mark', { price: null }, { index: undefined, mark: undefined }],
  ])('%s', async (_, change, info) => {
    const bench = await connected();
    bench.process.pages.set('/markets', () => [{ ...MARKETS[0], ...change }]);
    await bench.run(1_000);
    expect(bench.of('infoSeen').at(-1)?.infos).toMatchObject([info]);
  });

  test('trades, each once, oldest first, with ids of the adapter', async () => {
    const bench = await connected();
    let trades = [tradePage(), tradePage()];
    bench.process.pages.set('/markets/BTC-PERP/trades', () => trades);
    await bench.run(500);
    trades = [tradePage({ side: 'buy', time: new Date(START + 900).toISOString() }), ...trades];
    await bench.run(1_000);
    const reported = bench.of('tradesSeen').flatMap((seen) => seen.trades);
    expect(reported).toMatchObject([
      { market: 0, takerSide: 'ask', price: 995, size: 100, time: START + 300 },
      { takerSide: 'ask' },
      { takerSide: 'bid', time: START + 900 },
    ]);
    expect(new Set(reported.map(({ tradeId }) => tradeId)).size).toBe(3);
  });

  test('complete minutes, each once, oldest first, to the nearest tick', async () => {
    const bench = new Bench();
    let candles = [candle(-1, 100.2), candle(-2, 100.1), candle(0, 100.3)];
    bench.process.pages.set('/markets/BTC-PERP/candles', ({ size }) => (size === 0 ? undefined : candles));
    await bench.connect();
    await bench.run(1_000);
    candles = [...candles, candle(1, 100.4)];
    await bench.run(45_000);
    const reported = bench.of('candlesSeen').map((seen) => seen.candles.map(({ open, high, low, close }) => [open, high, low, close]));
    expect(reported).toEqual([
      [
        [1_000, 1_010, 990, 1_001],
        [1_000, 1_010, 990, 1_002],
      ],
      [[1_000, 1_010, 990, 1_003]],
    ]);
    const since = (START - 240 * 60_000) / 1_000;
    expect(bench.process.requests.find((line) => line.includes('/candles'))).toContain(`resolution=60&start_time=${since}`);
  });

  test('a process without candles can still be used', async () => {
    const bench = new Bench();
    bench.process.pages.delete('/markets/BTC-PERP/candles');
    await bench.connect();
    await bench.run(60_000);
    expect(bench.of('candlesSeen')).toEqual([]);
    expect(bench.of('healthSeen').filter(({ healthy }) => !healthy)).toEqual([]);
    expect(bench.of('bookSeen').length).toBeGreaterThan(100);
  });

  test('time is the local clock, in seconds', async () => {
    const bench = await connected();
    await bench.run(1_000);
    const [first] = bench.of('timeSeen');
    expect(first).toEqual({
      kind: 'timeSeen',
      at: first?.at,
      asked: first?.at,
      engineSeconds: Math.floor((first?.at ?? 0) / 1_000),
      isOwn: true,
    });
    expect(bench.of('timeSeen')).toHaveLength(2);
  });

  test('funding is the rate of the last hour', async () => {
    const bench = new Bench();
    bench.process.pages.set('/funding_rates', () => [rate(2, 4), rate(0, 5.5), rate(1, 5)]);
    await bench.connect();
    await bench.run(1_100);
    expect(bench.of('infoSeen').at(-1)?.infos).toMatchObject([{ fundingRate: 0.5 / 100.04 }]);
    expect(bench.process.requests).toContain('GET /funding_rates?page=0&future=BTC-PERP&market_name=BTC-PERP');
  });

  test('rates of several futures in one list are ignored', async () => {
    const bench = new Bench();
    const date = new Date(START).toISOString();
    bench.process.pages.set('/funding_rates', () => [
      { date, fundingIndex: 1 },
      { date, fundingIndex: 2 },
    ]);
    await bench.connect();
    await bench.run(1_100);
    expect(bench.of('infoSeen').at(-1)?.infos[0]).not.toHaveProperty('fundingRate');
  });
});

test('a market that is listed with another type is unhealthy until it is listed as at the start', async () => {
  const bench = await connected();
  const listing = () =>
    bench
      .of('healthSeen')
      .flatMap(({ stream, market, healthy }) => (stream === 'listing' && market !== undefined ? [[market, healthy]] : []));
  await bench.run(2_000);
  expect(listing()).toEqual([]);
  bench.process.pages.set('/markets', () => MARKETS.map((row) => ({ ...row, type: 'spot' })));
  await bench.run(16_000);
  expect(listing()).toEqual([[0, false]]);
  bench.process.pages.set('/markets', () => MARKETS);
  await bench.run(16_000);
  expect(listing()).toEqual([
    [0, false],
    [0, true],
  ]);
});

describe('invalid values are rejected', () => {
  test.each<[string, object, RegExp]>([
    ['a price off the tick', { ...BOOK, bids: [[99.55, 1]] }, /price of 99.55/],
    ['a size off the step', { ...BOOK, bids: [[99.5, 1.00001]] }, /size of 1.00001/],
    ['an empty level', { ...BOOK, bids: [[99.5, 0]] }, /size of 0/],
    ['a level twice', { ...BOOK, asks: [[100.5, 1], [100.5, 2]] }, /price twice/], // biome-ignore format: a book
  ])('%s: the book is dropped, and the reason is given when it is missed', async (_, book, reason) => {
    const bench = await connected();
    const before = bench.of('bookSeen').length;
    bench.process.pages.set('/markets/BTC-PERP/orderbook', () => book);
    await bench.run(6_000);
    expect(bench.of('bookSeen')).toHaveLength(before);
    expect(bench.of('healthSeen').filter(({ stream }) => stream === 'book')).toMatchObject([
      { healthy: true },
      { healthy: false, reason: expect.stringMatching(reason) },
    ]);
  });

  test('a crossed book is reported unchanged', async () => {
    const bench = await connected();
    bench.process.pages.set('/markets/BTC-PERP/orderbook', () => ({ bids: BOOK.asks, asks: BOOK.bids }));
    await bench.run(500);
    const { bids, asks } = bench.of('bookSeen').at(-1)?.book ?? { bids: [], asks: [] };
    expect(bids[0]?.price).toBeGreaterThan(asks[0]?.price ?? 0);
  });

  test('a market that is no longer listed', async () => {
    const bench = await connected();
    bench.process.pages.set('/markets', () => MARKETS.slice(1));
    await bench.run(8_000);
    expect(bench.health('info')).toEqual([true, false]);
  });
});

test('a book that had already changed is not stale if the trade is listed late', async () => {
  const bench = await connected();
  await bench.run(5_000);
  bench.process.pages.set('/markets/BTC-PERP/orderbook', () => ({ ...BOOK, bids: [[99.4, 2]] }));
  await bench.run(10_000);
  bench.process.pages.set('/markets/BTC-PERP/trades', () => [tradePage({ time: new Date(START + 5_000).toISOString() })]);
  await bench.run(10_000);
  expect(bench.health('book')).toEqual([true]);
});
