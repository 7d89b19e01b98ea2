// The frames of the streams, as literal text: order book deltas, trades, candles, accounts, their sequence numbers, and what is refused.
import { describe, expect, test } from 'vitest';
import { RefusedRequest } from '../../../../src/base/server/reply.ts';
import type { Side } from '../../../../src/bot/domain/book.ts';
import { lots, micros, ticks } from '../../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../../src/embedded/exchange/exchange.ts';
import { streamHub } from '../../../../src/embedded/server/hosted/streams/hub.ts';

const START = Date.UTC(2026, 0, 15, 12);

/** An exchange without other traders, its streams, and two users with a bid and an ask of BTCUSDC. */
function opened() {
  const exchange = new Exchange({ seed: 'streams', start: START, flow: false });
  const [ann, bob] = ['ann', 'bob'].map((user) => exchange.register(user, micros(100_000e6))) as [number, number];
  const hub = streamHub(exchange);
  const place = (account: number, side: Side, price: number, size: number): string => {
    const outcome = exchange.place({ account, market: 0, side, fillMode: 'LIMIT', price: ticks(price), size: lots(size) });
    if (outcome.kind === 'refused') throw new Error(outcome.error);
    hub.sendChanges();
    return outcome.posted?.orderId ?? '';
  };
  const frames: string[] = [];
  const listen = (path: string, to = frames): (() => void) => hub.open(path)((text) => to.push(text));
  const taken = (): unknown[] => frames.splice(0).map((text) => JSON.parse(text) as unknown);
  return { exchange, hub, ann, bob, place, frames, listen, taken };
}

test('deltas hold the new totals of changed levels, 0 for a level that is gone, under the numbers of the book that is polled', () => {
  const { exchange, hub, ann, bob, place, frames, listen } = opened();
  place(ann, 'bid', 599_000, 50);
  const before = exchange.book(0)?.updateId;
  listen('/ws/deltas@BTCUSDC');
  hub.sendChanges();
  expect(frames).toEqual([]); // the first frame is no snapshot
  const orderId = place(bob, 'bid', 599_000, 25);
  const between = exchange.book(0)?.updateId;
  place(ann, 'ask', 601_000, 10_000);
  exchange.cancel({ account: bob, orderId });
  hub.sendChanges();
  const after = exchange.book(0)?.updateId;
  const second = Number(between) + 1;
  expect(frames).toEqual([
    `{"delta":{"last_update_id":${before},"update_id":${between},"market_symbol":"BTCUSDC","asks":[],"bids":[[59900,0.0075]]}}`,
    `{"delta":{"last_update_id":${between},"update_id":${second},"market_symbol":"BTCUSDC","asks":[[60100,1]],"bids":[]}}`,
    `{"delta":{"last_update_id":${second},"update_id":${after},"market_symbol":"BTCUSDC","asks":[],"bids":[[59900,0.005]]}}`,
  ]);
  frames.length = 0;
  place(bob, 'ask', 599_000, 50);
  expect(frames[0]).toContain('"asks":[],"bids":[[59900,0]]');
});

test('trades come with their ids, and a chain of numbers', () => {
  const { ann, bob, place, listen, taken } = opened();
  listen('/ws/trades@BTCUSDC');
  const orderId = place(ann, 'ask', 600_000, 30);
  place(bob, 'bid', 600_000, 20);
  place(bob, 'bid', 600_000, 10);
  const [first, second] = taken() as { trades: Record<string, unknown> }[];
  const item = { side: 'bid', price: 60_000, order_id: orderId, physical_time: '2026-01-15T12:00:00.000Z' };
  expect(first).toEqual({
    trades: {
      last_update_id: 0,
      update_id: expect.any(Number),
      market_symbol: 'BTCUSDC',
      trades: [{ ...item, trade_id: 1, size: 0.002 }],
    },
  });
  expect(second?.trades).toMatchObject({ last_update_id: first?.trades['update_id'], trades: [{ ...item, trade_id: 2, size: 0.001 }] });
});

describe('candles', () => {
  const MINUTE = 60_000;

  test('hold all trades of their window, also those from before the stream, and are sent whole after each change', () => {
    const { exchange, hub, ann, bob, place, frames, listen } = opened();
    place(ann, 'ask', 600_000, 30);
    place(bob, 'bid', 600_000, 20);
    exchange.advanceTo(START + 10_000);
    listen('/ws/candle@BTCUSDC:1');
    hub.sendChanges();
    expect(frames).toEqual([]); // the first frame is no snapshot
    place(ann, 'ask', 600_100, 30);
    place(bob, 'bid', 600_100, 30); // 10 at 60000, then 20 at 60010
    place(ann, 'bid', 599_000, 5);
    place(bob, 'ask', 599_000, 5);
    const t = START / 1_000;
    expect(frames).toEqual([
      `{"res":"1","mid":0,"t":${t},"o":60000,"h":60010,"l":60000,"c":60010,"v":0.005}`,
      `{"res":"1","mid":0,"t":${t},"o":60000,"h":60010,"l":59900,"c":59900,"v":0.0055}`,
    ]);
  });

  test('of all windows that ended between two frames are sent, oldest first; one without trades is not', () => {
    const { exchange, hub, ann, bob, listen, taken } = opened();
    listen('/ws/candle@BTCUSDC:1');
    const trade = (price: number): void => {
      for (const [account, side] of [
        [ann, 'ask'],
        [bob, 'bid'],
      ] as const)
        exchange.place({ account, market: 0, side, fillMode: 'LIMIT', price: ticks(price), size: lots(10) });
    };
    trade(600_000);
    exchange.advanceTo(START + MINUTE);
    trade(600_100);
    exchange.advanceTo(START + 3 * MINUTE + 500);
    trade(600_200);
    hub.sendChanges();
    const one = { res: '1', mid: 0, v: 0.001 };
    expect(taken()).toEqual(
      [0, 1, 3].map((minute, index) => {
        const price = 60_000 + 10 * index;
        return { ...one, t: START / 1_000 + 60 * minute, o: price, h: price, l: price, c: price };
      }),
    );
  });

  test.each([
    ['1', '2026-01-15T12:00:00Z'],
    ['5', '2026-01-15T12:00:00Z'],
    ['15', '2026-01-15T12:00:00Z'],
    ['30', '2026-01-15T12:00:00Z'],
    ['60', '2026-01-15T12:00:00Z'],
    ['1D', '2026-01-15T00:00:00Z'],
    ['1W', '2026-01-12T00:00:00Z'], // a Monday
    ['1M', '2026-01-01T00:00:00Z'],
  ])('of %s begin at %s', (resolution, start) => {
    const { ann, bob, place, listen, taken } = opened();
    listen(`/ws/candle@BTCUSDC:${resolution}`);
    place(ann, 'ask', 600_000, 10);
    place(bob, 'bid', 600_000, 10);
    expect(taken()).toMatchObject([{ res: resolution, t: Date.parse(start) / 1_000 }]);
  });

  test('equal those that the stream of trades builds', () => {
    const exchange = new Exchange({ seed: 'candles', start: START });
    const hub = streamHub(exchange);
    const [newest, sizes]: [Map<number, { o: number; h: number; l: number; c: number; v: number }>, Map<number, number[][]>] = [
      new Map(),
      new Map(),
    ];
    hub.open('/ws/candle@BTCUSDC:1&trades@BTCUSDC')((text) => {
      const frame = JSON.parse(text) as { t: number; o: number; h: number; l: number; c: number; v: number; trades?: { trades: Row[] } };
      for (const { price, size, physical_time } of frame.trades?.trades ?? []) {
        const start = Math.floor(Date.parse(physical_time) / MINUTE) * 60;
        sizes.set(start, [...(sizes.get(start) ?? []), [price, size]]);
      }
      if (frame.trades === undefined) newest.set(frame.t, frame);
    });
    for (let step = 1; step <= 150; step++) {
      exchange.advanceTo(START + step * 1_000);
      hub.sendChanges();
    }
    expect(newest.size).toBe(3);
    for (const [start, { o, h, l, c, v }] of newest) {
      const prices = sizes.get(start)!.map(([price]) => price!);
      expect([o, h, l, c]).toEqual([prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]);
      expect(v).toBeCloseTo(
        sizes.get(start)!.reduce((sum, [, size]) => sum + size!, 0),
        9,
      );
    }
  });
});

interface Row {
  readonly price: number;
  readonly size: number;
  readonly physical_time: string;
}

const read = (texts: readonly string[]): Record<string, unknown>[] =>
  texts.map((text) => (JSON.parse(text) as { account: Record<string, unknown> }).account);

test('an account sees its orders come and go, its fills as maker and as taker, and its balances', () => {
  const { exchange, hub, ann, bob, place, listen, taken } = opened();
  const [anns, bobs]: [string[], string[]] = [[], []];
  listen(`/ws/account@${ann}`, anns);
  listen(`/ws/account@${bob}`, bobs);
  const started = exchange.account(ann)?.updateId;
  const kept = place(ann, 'ask', 600_000, 30);
  const gone = place(ann, 'ask', 601_000, 10);
  exchange.cancel({ account: ann, orderId: gone });
  hub.sendChanges();
  place(bob, 'bid', 600_000, 20);
  const [placed, another, cancelled, filled] = read(anns);
  expect(placed).toEqual({
    last_update_id: Number(started),
    update_id: Number(started) + 1,
    account_id: ann,
    fills: {},
    places: { [kept]: { side: 'ask', current_size: 0.003, price: 60_000, market_id: 0 } },
    cancels: {},
    balances: {},
  });
  expect(another).toMatchObject({ last_update_id: placed?.['update_id'] });
  expect(cancelled).toMatchObject({ places: {}, cancels: { [gone]: { side: 'ask', current_size: 0.001, price: 60_100, market_id: 0 } } });
  const fill = { quantity: 0.002, remaining: 0.001, price: 60_000, order_id: kept, market_id: 0, maker_id: ann, taker_id: bob };
  expect(filled).toMatchObject({ fills: { [kept]: { ...fill, side: 'ask', sender_tracking_id: null } }, places: {}, cancels: {} });
  expect(filled?.['balances']).toEqual({ 0: expect.any(Number) });
  expect(read(bobs)).toMatchObject([{ account_id: bob, fills: { [kept]: { ...fill, side: 'bid' } }, places: {}, cancels: {} }]);
  expect(taken()).toEqual([]);
});

test('an order that is filled whole was not cancelled', () => {
  const { ann, bob, place, listen, taken } = opened();
  place(ann, 'ask', 600_000, 30);
  listen(`/ws/account@${ann}`);
  place(bob, 'bid', 600_000, 30);
  expect(taken()).toMatchObject([{ account: { fills: { 1: { remaining: 0 } }, cancels: {} } }]);
});

test('several streams share a connection; a closed one gets nothing, and one that is opened later gets the same frames', () => {
  const { hub, ann, bob, place, frames, listen } = opened();
  const leave = listen('/ws/deltas@BTCUSDC&trades@BTCUSDC');
  place(ann, 'ask', 600_000, 30);
  const later: string[] = [];
  listen('//ws/deltas%40BTCUSDC', later); // as a client sends it whose base ends with a slash
  place(bob, 'bid', 600_000, 10);
  expect(frames).toHaveLength(3);
  expect(later).toEqual(frames.filter((text) => text.startsWith('{"delta"')).slice(1));
  leave();
  place(bob, 'bid', 590_000, 10);
  expect([frames.length, later.length]).toEqual([3, 2]);
  hub.sendChanges();
  expect(later).toHaveLength(2);
});

test('a poll never shows a state between two frames', () => {
  const exchange = new Exchange({ seed: 'busy', start: START });
  const hub = streamHub(exchange);
  const numbers: number[] = [];
  hub.open('/ws/deltas@BTCUSDC')((text) => {
    const { delta } = JSON.parse(text) as { delta: { last_update_id: number; update_id: number } };
    if (numbers.length > 0) expect(delta.last_update_id).toBe(numbers.at(-1));
    numbers.push(delta.update_id);
  });
  for (let step = 1; step <= 200; step++) {
    exchange.advanceTo(START + step * 100);
    const polled = Number(exchange.book(0)?.updateId);
    hub.sendChanges();
    expect(numbers.at(-1) ?? polled).toBe(polled);
  }
  expect(numbers.length).toBeGreaterThan(50);
});

describe('what is not there', () => {
  test.each([
    ['/ws', 404],
    ['/ws/', 404],
    ['/ws/a/b', 404],
    ['/other/deltas@BTCUSDC', 404],
    ['/ws/deltas@NOPE', 404],
    ['/ws/account@999', 404],
    ['/ws/account@x', 400],
    ['/ws/trades', 400],
    ['/ws/ticker@BTCUSDC', 400],
    ['/ws/deltas@BTCUSDC&deltas@BTCUSDC', 400],
    [`/ws/${Array.from({ length: 13 }, (_, id) => `account@${id}`).join('&')}`, 400],
    ['/ws/%E0%A4%A', 400],
    ['/ws/candle@NOPE:60', 404],
    ['/ws/candle@BTCUSDC', 400],
    ['/ws/candle@BTCUSDC:', 400],
    ['/ws/candle@BTCUSDC:2', 400],
    ['/ws/candle@BTCUSDC:60:60', 400],
    ['/ws/candle@BTCUSDC:1&candle@BTCUSDC:1', 400],
  ])('%s is refused with %i', (path, status) => {
    const { hub } = opened();
    let refused: unknown;
    try {
      hub.open(path);
    } catch (thrown) {
      refused = thrown;
    }
    expect(refused).toBeInstanceOf(RefusedRequest);
    expect((refused as RefusedRequest).status).toBe(status);
  });
});
