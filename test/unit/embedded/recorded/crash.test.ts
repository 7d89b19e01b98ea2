// A recorded crash: orders are cancelled, the position is sold into the recorded book, and the backstop takes over the rest.
import { describe, expect, test } from 'vitest';
import { RecordedExchange, START } from './recorded-exchange.ts';

/** Alice is long 100 BTC at about 1000 with 10000, a tenth of its value. Each test sets the book after that. */
function setup(...later: readonly (readonly [after: number, ...lines: string[]])[]) {
  const played = new RecordedExchange();
  played.add(0, 'ask 1000.5@100', 'mark 1000');
  for (const [after, ...lines] of later) played.add(after, ...lines);
  played.play(0);
  const alice = played.user('alice', 10_000);
  played.placed(alice, 'bid 100 BTCUSDT @ 1000.5');
  return { played, alice, backstop: 1 };
}

const [EMPTY, BOOK_AT_930] = ['clear', ['clear', 'bid 929.5@15', 'bid 929@100', 'ask 930.5@1']] as const;

describe('a crash', () => {
  test('first cancels the orders, when omf falls to cmf', () => {
    const { played, alice } = setup([400, 'mark 938'], [800, 'mark 935']);
    played.placed(alice, 'ask 40 BTCUSDT @ 1100');
    played.play(700); // omf 9965 − 6250, cmf 3517.5
    expect(played.state(alice).orders).toHaveLength(1);
    played.play(900); // omf 9965 − 6550, cmf 3506.25; mf stays above mmf
    expect(played.state(alice)).toMatchObject({ orders: [], positions: [{ size: 100_000 }] });
    expect(played.exchange.orderHistory(alice, {}).items[0]).toMatchObject({ finalized: 'canceled', updatedAt: START + 800 });
  });

  test('then sells a fifth per step into the recorded book, at its prices, until the margins hold', () => {
    const { played, alice } = setup([500, ...BOOK_AT_930], [550, 'mark 922']); // mf 9965 − 7850 = 2115, mmf 2305
    played.play(700);
    expect(played.trades().slice(1)).toEqual(['sell 929.5@15 alice>others', 'sell 929@5 alice>others']);
    expect(played.state(alice).positions).toMatchObject([{ size: 80_000 }]);
    expect(played.exchange.orderHistory(alice, { pageSize: 1 }).items).toMatchObject([{ origin: 'liquidation', updatedAt: START + 600 }]);
    expect(played.exchange.takes()).toEqual([]);
  });

  test('waits while there are no bids', () => {
    const { played, alice } = setup([500, EMPTY, 'ask 930@1'], [550, 'mark 922'], [1_000, 'bid 925@1000']);
    played.play(900);
    expect(played.state(alice).positions).toMatchObject([{ size: 100_000 }]);
    played.play(1_000);
    expect(played.trades().slice(1)).toEqual(['sell 925@20 alice>others']);
  });

  test('at last moves everything to the backstop, at the bankruptcy price, and no money is lost', () => {
    const { played, alice, backstop } = setup([500, 'mark 905']); // mf 9965 − 9550 = 415, mmf 2262.5
    played.play(500);
    expect(played.state(alice).positions).toEqual([]);
    expect(played.exchange.takes()).toMatchObject([
      { time: START + 500, makerAccountId: alice, baseSize: 100_000, bankruptcyPrice: 9_009 },
    ]);
    expect(played.state(backstop).positions).toMatchObject([{ size: 100_000, entry: 900.9 }]);
    expect(played.exchange.live(0)?.openInterest).toBe(100);
  });

  test('sells nothing in a gap, and the last price stays', () => {
    const { played, alice } = setup([500, 'mark 922'], [500, 'gap'], [700, 'mark 800']);
    played.play(600);
    expect([played.exchange.inGap(0), played.state(alice).positions[0]?.size]).toEqual([true, 100_000]);
    played.play(900);
    expect(played.exchange.takes()).toEqual([]);
  });
});
