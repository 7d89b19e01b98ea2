// When the pollers send requests, and that an answer shows the exchange at the arrival of its request.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { pollPlan } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import { START } from '../../embedded/quiet-exchange.ts';
import { Bench, POLLING } from './bench.ts';

test('each kind is polled at its interval, and reported after the round trip', () => {
  const bench = new Bench();
  bench.listen();
  bench.until(1_100);
  expect(bench.times('bookSeen')).toEqual(['0-30', '250-280', '500-530', '750-780', '1000-1030']);
  expect(bench.times('accountSeen')).toEqual(['0-30', '500-530', '1000-1030']);
  expect(bench.times('fillsSeen')).toEqual(['-1000-30', '-500-530', '0-1030']); // the trade list may lag by a second
  expect(bench.times('infoSeen')).toEqual(['0-30', '1000-1030']);
  expect(bench.times('timeSeen')).toEqual(['0-30', '1000-1030']);
  expect(bench.times('tradesSeen')).toEqual([]);
});

test('the pollers start at a phase of their intervals', () => {
  const bench = new Bench({ phase: 0.5 });
  bench.listen();
  bench.until(1_000);
  expect(bench.times('bookSeen')).toEqual(['125-155', '375-405', '625-655', '875-905']);
  expect(bench.times('accountSeen')).toEqual(['250-280', '750-780']);
});

test('a request is sent only after the last answer of its kind, and not before its interval', () => {
  const bench = new Bench({ ways: [{ there: 200, back: 200 }] });
  bench.listen();
  bench.until(1_300);
  expect(bench.times('bookSeen')).toEqual(['0-400', '400-800', '800-1200']);
  expect(bench.times('accountSeen')).toEqual(['0-400', '500-900']);
});

test('nothing is polled without a subscriber', () => {
  const bench = new Bench();
  bench.until(2_000);
  expect(bench.moves).toEqual([]);
  const hearing = bench.venue.feed.events.subscribe();
  bench.until(3_000);
  hearing.unsubscribe();
  bench.until(3_100); // requests in flight still arrive
  const asked = bench.moves.length;
  expect(asked).toBeGreaterThan(0);
  bench.until(5_000);
  expect(bench.moves.length).toBe(asked);
});

test('an answer shows the exchange at the arrival of the request, whatever happens on the way back', () => {
  const bench = new Bench({ polling: { orderBookMs: 1_000 } });
  bench.listen();
  const place = (at: number, line: string) => bench.clock.at(START + at, () => bench.quiet.placed(bench.other, line));
  place(9, 'bid 1 BTCUSDC @ 59000');
  place(11, 'bid 1 BTCUSDC @ 59500');
  bench.until(100);
  expect(bench.of('bookSeen').map(({ book }) => book.bids)).toEqual([[{ price: 590_000, size: 10_000 }]]);
});

test('the exchange is never advanced beyond the clock, and shows a millisecond after it has ended', () => {
  const bench = new Bench({ ways: [{ there: 10.4, back: 3.7 }] });
  bench.listen();
  bench.until(3_000);
  expect(bench.moves.length).toBeGreaterThan(20);
  for (const { now, to } of bench.moves) expect(to).toBe(Math.floor(now));
});

test('a stream becomes healthy with its first answer, and reports that before the value', () => {
  const bench = new Bench();
  bench.listen();
  bench.until(600);
  const reported = bench.of('healthSeen').map(({ stream, market, healthy, reason }) => [stream, market, healthy, reason]);
  expect(reported).toEqual([
    ['account', undefined, true, 'account seen'],
    ['fills', undefined, true, 'round of own trades seen'],
    ['time', undefined, true, 'exchange time seen'],
    ['info', undefined, true, 'market info seen'],
    ['trades', 0, true, 'list of trades seen'],
    ['book', 0, true, 'order book seen'],
  ]);
  const kinds = bench.events.map(({ kind }) => kind);
  expect(kinds.indexOf('healthSeen')).toBeLessThan(kinds.indexOf('accountSeen'));
});

const traded = (bench: Bench, count: number): void => {
  bench.quiet.placed(bench.other, 'ask 5 BTCUSDC @ 60000');
  for (let made = 0; made < count; made++) bench.quiet.placed(bench.other, 'bid 0.001 BTCUSDC @ 60000 IMMEDIATE_OR_CANCEL');
};
const ids = (bench: Bench): number[] => bench.of('tradesSeen').flatMap(({ trades }) => trades.map(({ tradeId }) => Number(tradeId)));
const upTo = (from: number, last: number): number[] => Array.from({ length: last - from + 1 }, (_, index) => from + index);

describe('trades', () => {
  test('the first poll returns the newest page, the next ones everything since, oldest first and once', () => {
    const bench = new Bench();
    traded(bench, 60);
    bench.listen();
    bench.until(100);
    expect(ids(bench)).toEqual(upTo(11, 60));
    traded(bench, 3);
    bench.until(600);
    expect(ids(bench)).toEqual(upTo(11, 63));
    bench.until(5_000);
    expect(ids(bench)).toEqual(upTo(11, 63));
  });

  test('each further page is another request: the list is that of the first, and arrives later', () => {
    const bench = new Bench({ polling: { tradesMs: 1_000 } });
    traded(bench, 1);
    bench.listen();
    bench.until(100);
    traded(bench, 120);
    bench.clock.at(START + 1_015, () => traded(bench, 1));
    bench.until(2_000);
    expect(bench.times('tradesSeen')).toEqual(['30', '1090']);
    expect(ids(bench)).toEqual(upTo(1, 121));
  });
});

describe('the budget', () => {
  test('does not change intervals that fit', () => {
    expect(pollPlan(POLLING, 1).intervals).toEqual(POLLING);
  });

  test('slows down all pollers except the account and the time if it is too small', () => {
    // account and time need 5 requests a second; 1 + 10 × 6 are left, for 30.5
    const stretched = pollPlan({ ...POLLING, requestsPerSecond: 35.5 }, 10).intervals;
    expect(stretched).toMatchObject({ accountMs: 500, fillsMs: 500, timeMs: 1_000, orderBookMs: 500, tradesMs: 1_000, liveMs: 2_000 });
  });

  test('that leaves nothing for books is a UserError', () => {
    expect(() => pollPlan({ ...POLLING, requestsPerSecond: 5 }, 1)).toThrow(UserError);
  });
});

test('a symbol that is not listed is a UserError', () => {
  expect(() => new Bench({ markets: ['BTCUSDT'] })).toThrow('no market "BTCUSDT"');
});
