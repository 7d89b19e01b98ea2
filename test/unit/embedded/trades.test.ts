// The trade log: newest first, filtered, in pages whose cursor stays valid.
import { describe, expect, test } from 'vitest';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { TradeLog, type TradeQuery } from '../../../src/embedded/exchange/history/trades.ts';

function record(
  log: TradeLog,
  overrides: {
    time?: number;
    market?: number;
    takerId?: number;
    makerId?: number;
    takerSide?: 'bid' | 'ask';
    order?: number;
    takerOrder?: number;
  },
) {
  const some = {
    market: 0,
    takerId: 1,
    makerId: 2,
    takerSide: 'bid',
    time: 0,
    action: 1,
    order: 1,
    liquidation: false,
  } as const;
  return log.record({ ...some, price: ticks(1), size: lots(1), makerFee: micros(0), takerFee: micros(0), ...overrides });
}

const ids = (log: TradeLog, query: TradeQuery) => log.query(query).items.map(({ tradeId }) => tradeId);

describe('a query', () => {
  const log = new TradeLog();
  record(log, { time: 10 });
  record(log, { time: 20, market: 1 });
  record(log, { time: 30, takerSide: 'ask' });
  record(log, { time: 40, takerId: 7, order: 8, takerOrder: 9 });
  record(log, { time: 50, makerId: 7, order: 9 });

  test.each([
    [{}, ['5', '4', '3', '2', '1']],
    [{ marketId: 1 }, ['2']],
    [{ takerId: 7 }, ['4']],
    [{ makerId: 7 }, ['5']],
    [{ account: 7 }, ['5', '4']],
    [{ account: 1 }, ['5', '3', '2', '1']],
    [{ account: 2, since: 20 }, ['4', '3', '2']],
    [{ account: 7, takerId: 1 }, ['5']],
    [{ account: 8 }, []],
    [{ orderId: '1' }, ['3', '2', '1']],
    [{ orderId: '9' }, ['5', '4']],
    [{ orderId: '9', account: 1 }, ['5']],
    [{ orderId: '0' }, []], // no order of a trade that was not executed here
    [{ takerSide: 'ask' }, ['3']],
    [{ since: 20, until: 50 }, ['4', '3', '2']],
    [{ startInclusive: '3' }, ['3', '2', '1']],
    [{ startInclusive: '99', marketId: 0, takerSide: 'bid' }, ['5', '4', '1']],
    [{ marketId: 9 }, []],
  ] as const)('%j', (query, expected) => {
    expect(ids(log, query)).toEqual(expected);
  });

  test('is answered in pages to the very end, though trades come in between', () => {
    const growing = new TradeLog();
    for (let count = 1; count <= 7; count++) record(growing, { market: count % 2 });
    const first = growing.query({ marketId: 1, pageSize: 2 });
    expect(first.items.map(({ tradeId }) => tradeId)).toEqual(['7', '5']);
    record(growing, { market: 1 });
    const second = growing.query({ marketId: 1, pageSize: 2, startInclusive: first.nextStartInclusive });
    expect(second.items.map(({ tradeId }) => tradeId)).toEqual(['3', '1']);
    expect(second.nextStartInclusive).toBeUndefined();
  });

  test('never gives more than fifty', () => {
    const long = new TradeLog();
    for (let count = 0; count < 60; count++) record(long, {});
    expect(long.query({}).items).toHaveLength(50);
    expect(long.query({ pageSize: 200 })).toMatchObject({ nextStartInclusive: '10' });
  });
});

test('a query for a role finds what a look at every trade finds, also where an account trades with itself', () => {
  const log = new TradeLog();
  const parties = Array.from({ length: 120 }, (_, at) => ({ takerId: (at * 7) % 3, makerId: (at * 5) % 4 }));
  for (const [time, one] of parties.entries()) record(log, { ...one, time });
  const found = (fits: (one: (typeof parties)[number]) => boolean): string[] =>
    parties.flatMap((one, at) => (fits(one) ? [String(at + 1)] : [])).toReversed();
  for (const id of [0, 1, 2, 3]) {
    expect(ids(log, { takerId: id })).toEqual(found(({ takerId }) => takerId === id).slice(0, 50));
    expect(ids(log, { makerId: id })).toEqual(found(({ makerId }) => makerId === id).slice(0, 50));
    expect(ids(log, { account: id })).toEqual(found(({ takerId, makerId }) => takerId === id || makerId === id).slice(0, 50));
    expect(ids(log, { account: id, makerId: id })).toEqual(found(({ makerId }) => makerId === id).slice(0, 50));
  }
});

test('the newest 200,000 are kept', () => {
  const log = new TradeLog();
  for (let count = 0; count < 200_003; count++) record(log, { time: count });
  expect(ids(log, { startInclusive: '5' })).toEqual(['5', '4']);
});
