// The exchange over a recorded market: what is shown and when, who trades with us, prices, gaps, and several markets at once.
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../../src/embedded/exchange/exchange.ts';
import { RowFeed } from '../../../../src/embedded/exchange/recorded/recording.ts';
import { LISTED_MARKETS, TOKENS } from '../../../../src/embedded/exchange/state/listing.ts';
import { errorOf } from '../quiet-exchange.ts';
import { BOOK, BTC, ETH, RecordedExchange, rowsOf, START, TETHER } from './recorded-exchange.ts';

const shown = (recorded: RecordedExchange): string => {
  const { bids, asks } = recorded.exchange.book(0)!;
  const text = (levels: typeof bids): string => levels.map(({ price, size }) => `${price / 10}@${size / 1_000}`).join(' ');
  return `${text(bids)} | ${text(asks)}`;
};

describe('what is shown', () => {
  test('is what was recorded until that very millisecond, and nothing later', () => {
    const recorded = new RecordedExchange();
    recorded.add(250, 'bid 999.5@0');
    recorded.add(250.001, 'bid 999@7');
    recorded.play(0);
    expect(shown(recorded)).toBe('999.5@1 999@2 998@5 | 1000.5@1 1001@2 1002@5');
    const before = recorded.exchange.book(0)!.updateId;
    recorded.play(249);
    expect(recorded.exchange.book(0)!.updateId).toBe(before);
    recorded.play(250);
    expect(shown(recorded)).toBe('999@2 998@5 | 1000.5@1 1001@2 1002@5');
    expect(Number(recorded.exchange.book(0)!.updateId)).toBeGreaterThan(Number(before));
    recorded.play(251);
    expect(shown(recorded)).toBe('999@7 998@5 | 1000.5@1 1001@2 1002@5');
  });

  test('has our orders in it', () => {
    const recorded = new RecordedExchange();
    recorded.play(0);
    recorded.placed(recorded.user('alice', 10_000), 'bid 0.5 BTCUSDT @ 999');
    expect(shown(recorded)).toBe('999.5@1 999@2.5 998@5 | 1000.5@1 1001@2 1002@5');
  });
});

describe('an order that takes', () => {
  test('trades with the recorded orders at their prices, and what it took is gone until the next row about it', () => {
    const recorded = new RecordedExchange();
    recorded.add(300, 'ask 1000.5@1');
    recorded.play(0);
    const alice = recorded.user('alice', 10_000);
    const { fills } = recorded.placed(alice, 'bid 2 BTCUSDT @ 1001');
    expect(fills.map(({ price, size }) => [price, size])).toEqual([
      [10_005, 1_000],
      [10_010, 1_000],
    ]);
    expect(recorded.state(fills[0]!.account).positions).toMatchObject([{ size: -2_000 }]);
    expect(shown(recorded)).toBe('999.5@1 999@2 998@5 | 1001@1 1002@5');
    expect(recorded.trades()).toEqual(['buy 1000.5@1 alice>others', 'buy 1001@1 alice>others']);
    expect(recorded.state(alice).positions).toMatchObject([{ size: 2_000, entry: 1_000.75 }]);
    expect(recorded.amount(alice, 'USDT')).toBeCloseTo(10_000 - 2_001.5 * 0.000_35, 6);
    recorded.play(300);
    expect(shown(recorded)).toBe('999.5@1 999@2 998@5 | 1000.5@1 1001@1 1002@5');
  });

  test('can be refused as usual', () => {
    const recorded = new RecordedExchange();
    recorded.play(0);
    const alice = recorded.user('alice', 100);
    expect(recorded.refusal(alice, 'bid 1 BTCUSDT @ 1000.5 POST_ONLY')).toBe('POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS');
    expect(recorded.refusal(alice, 'bid 10 BTCUSDT @ 1002 FILL_OR_KILL')).toBe('ORDER_EXECUTION_FILL_OR_KILL');
    expect(recorded.refusal(alice, 'bid 3 BTCUSDT @ 1001')).toBe('INSUFFICIENT_FUNDS');
    expect(recorded.refusal(alice, 'bid 1 BTCUSDT @ 1300')).toBe('ORDER_EXECUTION_LIMIT_PRICE');
  });
});

describe('an order that rests', () => {
  test.each([
    ['one trade through all of them', ['buy 1005@9']],
    ['one row of the book', ['bid 1005@9']],
    ['trades and rows of one time', ['buy 1002.5@0.1', 'buy 1003@0.2', 'bid 1003@0.2', 'buy 1005@9']],
  ])('is reduce-only: several are filled by %s, up to the size that closes the position', (_, lines) => {
    const recorded = new RecordedExchange();
    recorded.add(200, 'ask 1001@0', 'ask 1002@0');
    recorded.add(250, ...lines);
    recorded.play(0);
    const alice = recorded.user('alice', 10_000);
    recorded.placed(alice, 'bid 1 BTCUSDT @ 1000.5');
    const reduce = (tenths: number, price: number) =>
      recorded.exchange.place({
        account: alice,
        market: 0,
        side: 'ask',
        fillMode: 'LIMIT',
        price: ticks(price * 10),
        size: lots(tenths * 100),
        reduceOnly: true,
      });
    reduce(4, 1_003);
    reduce(6, 1_004);
    recorded.placed(alice, 'ask 0.5 BTCUSDT @ 1002.5');
    expect(recorded.state(alice).orders.map(({ size }) => size)).toEqual([400, 100, 500]);
    recorded.play(300);
    expect(recorded.state(alice)).toMatchObject({ orders: [], positions: [] });
    const sold = recorded.exchange.trades({ marketId: 0 }).items.filter(({ makerId }) => makerId === alice);
    expect(sold.reduce((sum, { size }) => sum + size, 0)).toBe(1_000);
  });

  test('is filled by a recorded trade, at its price and time, and the public list contains no lot twice', () => {
    const recorded = new RecordedExchange();
    recorded.add(123.4, 'sell 999.5@1.2');
    recorded.add(200, 'sell 999.5@0.1');
    recorded.play(0);
    const alice = recorded.user('alice', 10_000);
    const { posted } = recorded.placed(alice, 'bid 0.5 BTCUSDT @ 999.5');
    recorded.play(250);
    expect(recorded.trades()).toEqual(['sell 999.5@0.2 others>alice', 'sell 999.5@1 others>others', 'sell 999.5@0.1 others>alice']);
    const [second, first] = recorded.exchange.trades({ account: alice }).items;
    expect([first, second]).toMatchObject([
      { time: START + 124, orderId: posted!.orderId, makerId: alice, makerFee: 19_990, size: 200 },
      { time: START + 200, size: 100 },
    ]);
    expect(recorded.state(alice)).toMatchObject({ orders: [{ size: 200, originalSize: 500 }], positions: [{ size: 300, entry: 999.5 }] });
    expect(recorded.exchange.orderHistory(alice, {}).items).toMatchObject([{ filled: 300, updatedAt: START + 200, lastTradeId: '3' }]);
    expect(recorded.exchange.stats(0)).toMatchObject({ volumeBase24h: 1_300, low24h: 9_995 });
  });

  test('is filled at its own price by a trade beyond it, and then reported', () => {
    const recorded = new RecordedExchange();
    recorded.add(100, 'sell 998@3');
    recorded.play(0);
    recorded.placed(recorded.user('alice', 10_000), 'bid 0.5 BTCUSDT @ 999');
    recorded.play(100);
    expect(recorded.trades()).toEqual(['sell 999@0.5 others>alice', 'sell 998@2.5 others>others']);
  });

  test('is filled if the recorded book passes it without a trade', () => {
    const recorded = new RecordedExchange();
    recorded.add(100, 'bid 999.5@0', 'bid 999@0', 'ask 998.5@1');
    recorded.play(0);
    const alice = recorded.user('alice', 10_000);
    recorded.placed(alice, 'bid 0.5 BTCUSDT @ 999');
    recorded.play(100);
    expect(recorded.trades()).toEqual(['sell 999@0.5 others>alice']);
    expect(recorded.state(alice).orders).toEqual([]);
  });

  test('of two users at one price the first is first; they trade with each other, too', () => {
    const recorded = new RecordedExchange();
    recorded.add(100, 'sell 999.6@0.3');
    recorded.play(0);
    const [alice, bob] = [recorded.user('alice', 10_000), recorded.user('bob', 10_000)];
    recorded.placed(alice, 'bid 0.2 BTCUSDT @ 999.6');
    recorded.placed(bob, 'bid 0.2 BTCUSDT @ 999.6');
    recorded.play(100);
    recorded.placed(alice, 'ask 0.1 BTCUSDT @ 999.6');
    expect(recorded.trades()).toEqual(['sell 999.6@0.2 others>alice', 'sell 999.6@0.1 others>bob', 'sell 999.6@0.1 alice>bob']);
  });
});

const pricesOf = (recorded: RecordedExchange) => {
  const { index, mark } = recorded.exchange.live(0)!;
  return [index! / 10, mark! / 10];
};

describe('prices', () => {
  test('are the middle of the book until a mark is recorded, which is the index until one is recorded', () => {
    const recorded = new RecordedExchange();
    recorded.add(500, 'ask 1000.5@0', 'ask 1001@0');
    recorded.add(1_000, 'mark 1003');
    recorded.add(2_000, 'index 1004');
    recorded.add(3_000, 'mark 1005');
    recorded.play(0);
    recorded.play(100);
    expect(pricesOf(recorded)).toEqual([1_000, 1_000]);
    recorded.play(599);
    expect(pricesOf(recorded)[0]).toBe(1_000.8);
    for (const [after, prices] of [
      [1_000, [1_003, 1_003]],
      [2_000, [1_004, 1_003]],
      [3_000, [1_004, 1_005]],
    ] as const) {
      recorded.play(after);
      expect(pricesOf(recorded)).toEqual(prices);
    }
    expect(recorded.exchange.live(0)?.indexConf).toBeUndefined();
    expect(recorded.exchange.records.candles(0, 15_000)).toMatchObject([{ high: 10_050, close: 10_050 }]);
  });

  test('with only an index the mark is the index plus the smoothed premium of the book', () => {
    const recorded = new RecordedExchange();
    recorded.add(100, 'index 990');
    recorded.play(30_100);
    expect(pricesOf(recorded)).toEqual([990, 996.3]);
  });

  test('an index that is set stays', () => {
    const recorded = new RecordedExchange();
    recorded.add(500, 'mark 1003');
    recorded.add(1_500, 'mark 1004');
    recorded.play(0);
    recorded.exchange.setIndex(0, ticks(9_000));
    recorded.play(1_000);
    expect(pricesOf(recorded)).toEqual([900, 1_003]);
    recorded.exchange.setIndex(0, undefined);
    recorded.play(1_500);
    expect(pricesOf(recorded)).toEqual([1_004, 1_004]);
  });
});

function setupWithGap() {
  const played = new RecordedExchange();
  played.add(500, 'mark 1000');
  played.add(1_000, 'gap');
  played.add(1_500, 'ask 998@3', 'sell 900@9');
  played.add(1_600, 'mark 800');
  played.add(2_000, 'clear', 'bid 997@1', 'ask 999@3');
  played.add(2_001, 'sell 997@1');
  played.play(0);
  const alice = played.user('alice', 10_000);
  played.placed(alice, 'bid 0.5 BTCUSDT @ 999');
  const { posted } = played.placed(alice, 'bid 0.5 BTCUSDT @ 998');
  return { played, alice, posted };
}

describe('a gap', () => {
  test('freezes the market: nothing fills, nothing is reported, prices stay, placements are refused, cancels pass', () => {
    const { played, alice, posted } = setupWithGap();
    played.play(999);
    expect([played.exchange.inGap(0), played.exchange.live(0)?.frozen]).toEqual([false, false]);
    played.play(1_999);
    expect([played.exchange.inGap(0), played.exchange.live(0)?.frozen]).toEqual([true, true]);
    expect(played.trades()).toEqual([]);
    expect(played.exchange.live(0)?.mark).toBe(10_000);
    expect(played.refusal(alice, 'bid 0.5 BTCUSDT @ 900')).toBe('MARKET_FROZEN');
    expect(errorOf(played.exchange.cancel({ account: alice, orderId: posted!.orderId }))).toBeUndefined();
    expect(played.state(alice).orders).toHaveLength(1);
  });

  test('ends with a complete snapshot, which fills the orders that it has passed', () => {
    const { played } = setupWithGap();
    played.play(2_001);
    expect(played.exchange.inGap(0)).toBe(false);
    expect(played.trades()).toEqual(['sell 999@0.5 others>alice', 'sell 998@0.5 others>alice', 'sell 997@0.5 others>others']);
    expect(shown(played)).toBe('997@1 | 999@2.5');
  });

  test('half a snapshot does not end it', () => {
    const played = new RecordedExchange();
    played.add(1_000, 'gap');
    played.add(1_500, 'clear');
    played.add(1_501, 'sell 999@1');
    played.add(1_502, 'bid 997@1', 'ask 999@3');
    played.play(1_501);
    expect(played.exchange.inGap(0)).toBe(true);
    played.play(1_502);
    expect([played.exchange.inGap(0), played.trades()]).toEqual([false, []]);
  });

  test('a recorded market cannot be frozen', () => {
    const played = new RecordedExchange();
    expect(() => played.exchange.freeze(0, true)).toThrow('a recorded market cannot be frozen');
    expect(played.exchange.inGap(99)).toBe(false);
  });
});

describe('several markets', () => {
  test('without a recording are markets of traders, as they are without the others', () => {
    const both = new RecordedExchange({ markets: LISTED_MARKETS, tokens: TOKENS, seed: 'one' });
    const alone = new Exchange({ seed: 'one', start: START });
    both.play(5_000);
    alone.advanceTo(START + 5_000);
    expect(shown(both)).toBe('999.5@1 999@2 998@5 | 1000.5@1 1001@2 1002@5');
    expect(both.exchange.live(1)).toEqual(alone.live(1));
    expect(both.exchange.book(3)).toMatchObject({ bids: alone.book(3)!.bids });
    both.exchange.freeze(1, true);
    expect([both.exchange.inGap(0), both.exchange.inGap(1)]).toEqual([false, false]);
  });

  test('are played in one order of time, to the millisecond', () => {
    const [btc, eth] = [new RowFeed(), new RowFeed()];
    const recordings = [btc, eth].map((rows) => ({ rows, queue: { kind: 'conservative' } as const }));
    const recorded = new RecordedExchange({ markets: [BTC, ETH], recordings });
    for (const [feed, times] of [
      [btc, [10, 20.5, 30, 40.2]],
      [eth, [5, 20.2, 30, 40.1]],
    ] as const) {
      feed.push(rowsOf(0, ...BOOK));
      for (const time of times) feed.push(rowsOf(time, 'sell 999.5@0.1'));
      feed.end();
    }
    recorded.exchange.advanceTo(START + 100);
    const heard = recorded.exchange.trades({}).items.map(({ market, time }) => [market, time - START]);
    expect(heard.reverse()).toEqual([
      [1, 5],
      [0, 10],
      [0, 21],
      [1, 21],
      [0, 30],
      [1, 30],
      [0, 41],
      [1, 41],
    ]);
  });
});

describe('the terms of another venue', () => {
  test('its token, and its fees, which may pay the maker', () => {
    const recorded = new RecordedExchange({ fees: { makerPpm: -50, takerPpm: 400 } });
    recorded.add(100, 'sell 999.6@1');
    recorded.play(0);
    const alice = recorded.user('alice', 10_000);
    recorded.placed(alice, 'bid 1 BTCUSDT @ 999.6');
    recorded.play(100);
    expect(recorded.amount(alice, 'USDT')).toBeCloseTo(10_000 + 999.6 * 0.000_05, 6);
    recorded.placed(alice, 'ask 1 BTCUSDT @ 999.5');
    expect(recorded.amount(alice, 'USDT')).toBeCloseTo(10_000 - 0.1 + 999.6 * 0.000_05 - 999.5 * 0.000_4, 6);
    expect(recorded.exchange.tokens).toEqual([TETHER]);
    expect(recorded.exchange.feeRatePpm({ account: alice, role: 'maker' })).toBe(-50);
  });

  test('its base tokens, if it is a spot market', () => {
    const coin = { tokenId: 1, symbol: 'BTC', decimals: 8, mintAddr: '', weightBps: 9_500 };
    const spot = { ...BTC, spec: { ...BTC.spec, kind: 'spot', baseTokenId: 1 } } as const;
    expect(() => new RecordedExchange({ markets: [spot] })).toThrow('market BTCUSDT: nobody can hold its base token');
    const recorded = new RecordedExchange({ markets: [spot], tokens: [TETHER, coin] });
    recorded.add(100, 'buy 1001@3');
    recorded.play(0);
    const alice = recorded.user('alice', 10_000);
    const [fill] = recorded.placed(alice, 'bid 1 BTCUSDT @ 1000.5').fills;
    expect([recorded.amount(alice, 'BTC'), recorded.amount(fill!.account, 'BTC')]).toEqual([1, -1]);
    expect(recorded.refusal(alice, 'ask 1.1 BTCUSDT @ 1000.8')).toBe('INSUFFICIENT_FUNDS');
    recorded.placed(alice, 'ask 0.4 BTCUSDT @ 1000.8');
    recorded.play(100);
    expect([recorded.amount(alice, 'BTC'), recorded.amount(fill!.account, 'BTC')]).toEqual([0.6, -0.6]);
    expect(recorded.state(alice).positions).toEqual([]);
  });
});
