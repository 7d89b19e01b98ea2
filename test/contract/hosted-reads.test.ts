// GET endpoints of the hosted API, read by an independent client: fields, types, order, pages and errors.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ForeignClient } from '../foreign/client.ts';
import { keyNamed } from '../foreign/keys.ts';
import { PLACE_ORDER } from '../foreign/numbering.ts';
import { integer, SHAPES, type Shape } from './hosted-shapes.ts';
import { HOSTED_TARGETS, type Target } from './hosted-targets.ts';
import { readFrom } from './hosted-trader.ts';

interface MarketRow {
  readonly marketId: number;
  readonly baseTokenId: number;
  readonly quoteTokenId: number;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly imf: number;
  readonly cmf: number;
  readonly mmf: number;
}

interface TradeRow {
  readonly time: string;
  readonly tradeId: number;
  readonly takerId: number;
  readonly makerId: number;
  readonly takerSide: string;
  readonly marketId: number;
  readonly price: number;
  readonly baseSize: number;
}

interface TradePage {
  readonly items: readonly TradeRow[];
  readonly nextStartInclusive: number | null;
}

interface Book {
  readonly updateId: number;
  readonly bids: readonly [number, number][];
  readonly asks: readonly [number, number][];
  readonly bidsSummary: { readonly sum: number; readonly count: number };
  readonly asksSummary: { readonly sum: number; readonly count: number };
}

describe.each(HOSTED_TARGETS)('the hosted API of $name', ({ numbering, start }) => {
  let target: Target;
  let client: ForeignClient;
  let markets: readonly MarketRow[];

  beforeAll(async () => {
    target = await start();
    client = target.client;
    markets = (await read<{ markets: MarketRow[] }>('/info', SHAPES.info)).markets;
    const trades = async (): Promise<void> => expect((await read<TradePage>('/trades', SHAPES.trades)).items.length).toBeGreaterThan(20);
    await vi.waitFor(trades, { timeout: 300_000, interval: 200 });
  });
  afterAll(() => target?.stop());

  const read = <T>(path: string, shape: Shape): Promise<T> => readFrom<T>(client, path, shape);

  test('markets and tokens have ids from 0 without gaps, and each market has known tokens', async () => {
    const { tokens } = await read<{ tokens: { tokenId: number }[] }>('/info', SHAPES.info);
    expect(markets.map((market) => market.marketId)).toEqual(markets.map((_, index) => index));
    expect(tokens.map((token) => token.tokenId)).toEqual(tokens.map((_, index) => index));
    for (const market of markets) {
      expect(tokens[market.baseTokenId] && tokens[market.quoteTokenId]).toBeDefined();
      expect([0, market.mmf, market.cmf, market.imf, 1]).toEqual([0, market.mmf, market.cmf, market.imf, 1].sort((a, b) => a - b));
    }
  });

  test('the time is a whole number of seconds and advances', async () => {
    const first = await read<number>('/timestamp', integer);
    expect(first).toBeGreaterThan(1e9);
    expect(first).toBeLessThan(1e11);
    await expect.poll(() => client.engineTime(), { timeout: 300_000 }).toBeGreaterThan(first);
  });

  test('live information has one row per market; funding is due on the hour', async () => {
    const { markets: rows } = await read<{ markets: { marketId: number; nextFundingTime: string }[] }>('/markets/live', SHAPES.live);
    expect(new Set(rows.map((row) => row.marketId))).toEqual(new Set(markets.map((market) => market.marketId)));
    expect(rows).toHaveLength(markets.length);
    for (const row of rows) expect(Date.parse(row.nextFundingTime) % 3_600_000).toBe(0);
  });

  test('the statistics of every market have low, close and high in order', async () => {
    for (const { marketId } of markets) {
      const day = await read<{ high24h: number | null; low24h: number | null; close24h: number | null }>(
        `/market/${marketId}/stats`,
        SHAPES.stats,
      );
      if (day.high24h === null || day.low24h === null || day.close24h === null) continue;
      expect([day.low24h, day.close24h, day.high24h]).toEqual([day.low24h, day.close24h, day.high24h].sort((a, b) => a - b));
    }
  });

  test('books are sorted, not crossed, on the tick grid, with correct sums', async () => {
    for (const { marketId, priceDecimals, sizeDecimals } of markets) {
      const { bids, asks, bidsSummary, asksSummary } = await read<Book>(`/market/${marketId}/orderbook`, SHAPES.orderbook);
      expect(bids.map(([price]) => price)).toEqual([...new Set(bids.map(([price]) => price))].sort((a, b) => b - a));
      expect(asks.map(([price]) => price)).toEqual([...new Set(asks.map(([price]) => price))].sort((a, b) => a - b));
      expect(bids[0]?.[0]).toBeLessThan(asks[0]?.[0] ?? 0);
      for (const [levels, { sum, count }] of [[bids, bidsSummary] as const, [asks, asksSummary] as const]) {
        expect(count).toBe(levels.length);
        expect(sum).toBeCloseTo(
          levels.reduce((total, [, size]) => total + size, 0),
          6,
        );
        for (const [price, size] of levels) {
          expect([price, size]).toEqual([Number(price.toFixed(priceDecimals)), Number(size.toFixed(sizeDecimals))]);
          expect(size).toBeGreaterThan(0);
        }
      }
    }
  });

  test("a book's sequence number grows as the market moves", async () => {
    const { updateId } = await read<Book>('/market/0/orderbook', SHAPES.orderbook);
    const later = async (): Promise<number> => (await read<Book>('/market/0/orderbook', SHAPES.orderbook)).updateId;
    await expect.poll(later, { timeout: 300_000 }).toBeGreaterThan(updateId);
  });

  test('there are ten fee brackets: five standard ones, then five discounted ones', async () => {
    const brackets = await read<[number, { maker_fee_ppm: number; taker_fee_ppm: number }][]>('/fee/brackets/info', SHAPES.brackets);
    expect(brackets.map(([tier]) => tier)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const fees = brackets.map(([, fee]) => [fee.maker_fee_ppm, fee.taker_fee_ppm] as const);
    const standard = fees.slice(0, 5);
    expect(standard).toEqual([
      [100, 350],
      [50, 300],
      [0, 250],
      [0, 230],
      [0, 200],
    ]);
    fees.slice(5).forEach(([maker, taker], tier) => {
      expect(maker).toBeLessThanOrEqual(standard[tier]?.[0] ?? 0);
      expect(taker).toBeLessThanOrEqual(standard[tier]?.[1] ?? 0);
    });
  });

  test('liquidation takes are a list', async () => {
    await read('/accounts/liquidations/takes', SHAPES.takes);
  });

  test('trades are listed newest first, at most fifty', async () => {
    const { items } = await read<TradePage>('/trades', SHAPES.trades);
    expect(items.length).toBeLessThanOrEqual(50);
    const times = items.map((trade) => Date.parse(trade.time));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const { status, json } = await client.get('/trades?pageSize=51');
    if (status === 200) expect((json as TradePage).items.length).toBeLessThanOrEqual(50);
    else expect(status).toBeGreaterThanOrEqual(400);
  });

  test.each<[keyof TradeRow, (row: TradeRow) => string | number]>([
    ['marketId', (row) => row.marketId],
    ['takerSide', (row) => row.takerSide],
    ['takerId', (row) => row.takerId],
    ['makerId', (row) => row.makerId],
  ])('trades filtered by %s contain no others', async (name, of) => {
    const [sample] = (await read<TradePage>('/trades', SHAPES.trades)).items;
    if (sample === undefined) throw new Error('no trade yet');
    const { items } = await read<TradePage>(`/trades?${name}=${of(sample)}`, SHAPES.trades);
    expect(items.length).toBeGreaterThan(0);
    expect(items.every((trade) => of(trade) === of(sample))).toBe(true);
  });

  test('the cursor pages through all trades of a time range once and ends with null', async () => {
    const newest = (await read<TradePage>('/trades?pageSize=1', SHAPES.trades)).items[0]?.time ?? '';
    const since = new Date(Date.parse(newest) - 20_000).toISOString();
    const span = `since=${encodeURIComponent(since)}&until=${encodeURIComponent(newest)}`;
    const walk = async (pageSize: number): Promise<TradeRow[]> => {
      const seen: TradeRow[] = [];
      for (let cursor = ''; ; ) {
        const page = await read<TradePage>(`/trades?${span}&pageSize=${pageSize}${cursor}`, SHAPES.trades);
        expect(page.items.length).toBeLessThanOrEqual(pageSize);
        seen.push(...page.items);
        if (page.nextStartInclusive === null) return seen;
        cursor = `&startInclusive=${page.nextStartInclusive}`;
      }
    };
    const [small, large] = [await walk(4), await walk(50)];
    expect(small.length).toBeGreaterThan(4);
    expect(new Set(small.map((trade) => trade.tradeId)).size).toBe(small.length);
    expect(small).toEqual(large);
    for (const trade of small) expect([since <= trade.time, trade.time < newest]).toEqual([true, true]);
  });

  test('an unknown path, user, account or market is a 404; the answer names the market', async () => {
    const nobody = keyNamed('nobody').base58;
    for (const path of [`/user/${nobody}`, '/account/4000000', '/account/4000000/fee/tier', '/nothing/here']) {
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    }
    expect(await client.get('/market/4000/orderbook')).toMatchObject({ status: 404, json: { market_id: 4000 } });
    expect((await client.get('/market/4000/stats')).status).toBe(404);
  });

  test.each([
    '/market/abc/orderbook',
    '/market/-1/orderbook',
    '/market/99999999999999999999/stats',
    '/market/0/fees/both/1',
    '/account/1e3',
    '/account/',
    '/user/0OIl',
    '/user/%00',
    '/%E0%A4%A',
    '/trades?pageSize=abc',
    '/trades?pageSize=-5',
    '/trades?since=yesterday',
    '/trades?takerSide=up',
    '/trades?startInclusive=x',
  ])('%s is refused with JSON', async (path) => {
    const { status, contentType } = await client.get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(contentType).toContain('json');
  });

  test('the schema is served as text, with the field numbers of the client', async () => {
    const { status, contentType, bytes } = await client.fetch('GET', '/schema.proto');
    expect([status, contentType.split(';')[0]]).toEqual([200, 'text/plain']);
    const order = /message PlaceOrder \{([^}]*)\}/.exec(Buffer.from(bytes).toString('utf8'))?.[1] ?? '';
    const numbers = PLACE_ORDER[numbering];
    const named = { session_id: numbers.sessionId, market_id: numbers.marketId, side: numbers.side, fill_mode: numbers.fillMode };
    for (const [name, number] of Object.entries({ ...named, price: numbers.price, size: numbers.size })) {
      expect(order).toMatch(new RegExp(`\\b${name} = ${number};`));
    }
  });
});
