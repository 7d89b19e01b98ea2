// The polled public data: books, trades, live info, time, and the health of each.
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../../src/bot/domain/event.ts';
import { accountPage, Bench, bookPage, livePage } from './bench.ts';
import { later, TradeList, trade } from './trade-list.ts';

const ids = (events: readonly Extract<Event, { kind: 'tradesSeen' }>[]): string[] =>
  events.flatMap(({ trades }) => trades.map(({ tradeId }) => tradeId));

describe('an order book', () => {
  test('is reported with the time of its request', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/market/0/orderbook', () => bookPage('9007199254740993'));
    await bench.connect();
    const asked = bench.clock.now();
    await bench.run(20);
    expect(bench.of('bookSeen')).toMatchObject([
      { asked, at: asked + 10, book: { updateId: '9007199254740993', bids: [{ price: 995, size: 10_000 }] } },
    ]);
    expect(bench.of('healthSeen').find(({ stream }) => stream === 'book')).toMatchObject({ healthy: true, market: 0 });
  });

  test('is dropped if it is older than the last one', async () => {
    const bench = new Bench();
    const updates = [10, 11, 9, 8, 12];
    bench.exchange.pages.set('/market/0/orderbook', () => bookPage(updates.shift() ?? 12));
    await bench.connect();
    await bench.run(1_100);
    expect(bench.of('bookSeen').map(({ book }) => book.updateId)).toEqual(['10', '11', '12']);
  });

  test.each([
    ['a null price', () => bookPage(1, [[null as unknown as number, 1]])],
    ['a price off the tick', () => bookPage(1, [[99.55, 1]])],
    ['no book at all', () => undefined],
  ])('that is %s makes the stream unhealthy, until a valid one comes', async (_, page) => {
    const bench = new Bench();
    await bench.connect();
    await bench.run(1_000);
    const before = bench.exchange.pages.get('/market/0/orderbook') ?? (() => undefined);
    bench.exchange.pages.set('/market/0/orderbook', page);
    const seen = bench.of('bookSeen').length;
    await bench.run(5_000);
    expect(bench.of('bookSeen')).toHaveLength(seen);
    expect(bench.health('book')).toEqual([true, false]);
    bench.exchange.pages.set('/market/0/orderbook', before);
    await bench.run(12_000);
    expect(bench.health('book')).toEqual([true, false, true]);
  });
});

describe('trades of a market', () => {
  test('are reported once, oldest first; from before the start only the newest page', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    for (let id = 1; id <= 80; id++) trades.all.push(trade(id, id - 1_000));
    await bench.connect();
    await bench.run(600);
    expect(ids(bench.of('tradesSeen'))).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 31)));
    trades.all.push(trade(82, 500), trade(81, 501), trade(84, 502), trade(83, 502));
    await bench.run(2_000);
    expect(ids(bench.of('tradesSeen')).slice(50)).toEqual(['82', '81', '83', '84']);
  });

  test('are read to the last page, in one window that overlaps the last one by some seconds', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    trades.all.push(trade(1, 0));
    await bench.connect();
    await bench.run(100);
    for (let id = 2; id <= 121; id++) trades.all.push(trade(id, 100 + id));
    trades.queries.length = 0;
    await bench.run(500);
    expect(ids(bench.of('tradesSeen'))).toHaveLength(121);
    const pages = trades.queries.filter((query) => query.has('marketId'));
    expect(new Set(pages.map((query) => query.get('until'))).size).toBe(1);
    expect(pages).toHaveLength(3);
    await bench.run(500);
    expect(trades.queries.at(-1)?.get('since')).toBe(later(0));
  });

  test('are reported even if the server ignores `since`', async () => {
    const bench = new Bench();
    const all = [trade(9, 9_000), trade(8, 8_000), trade(1, 0)];
    bench.exchange.pages.set('/trades', () => ({ items: all, nextStartInclusive: null }));
    await bench.connect();
    await bench.run(3_000);
    all.unshift(trade(10, 9_500));
    await bench.run(3_000);
    expect(ids(bench.of('tradesSeen'))).toEqual(['1', '8', '9', '10']);
  });
});

describe('live info and time', () => {
  test('are reported for the traded markets', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/timestamp', () => (bench.exchange.now() - 90) * 1_000);
    await bench.connect();
    await bench.run(20);
    expect(bench.of('infoSeen')).toMatchObject([{ infos: [{ market: 0, index: 1000, frozen: false }] }]);
    expect(bench.of('timeSeen')).toMatchObject([{ engineSeconds: bench.exchange.now() - 90 }]);
  });

  test.each([
    ['info', '/markets/live', () => livePage({ indexPrice: -5 })],
    ['time', '/timestamp', () => 5],
    ['account', '/account/7', () => accountPage(900, { balances: null })],
    ['account', '/account/7', () => undefined],
    ['fills', '/trades', () => '<html>'],
  ])('%s is unhealthy if %s is invalid', async (stream, path, page) => {
    const bench = new Bench();
    await bench.connect();
    await bench.run(1_000);
    bench.exchange.pages.set(path, page);
    await bench.run(30_000);
    expect(bench.health(stream)).toEqual([true, false]);
  });
});
