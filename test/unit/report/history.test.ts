// What an earlier process left behind, read from its lines.
import { describe, expect, test } from 'vitest';
import { historyOf, tradesToResume } from '../../../src/report/history.ts';
import type { Line } from '../../../src/report/lines.ts';
import { BTC, ETH } from '../world-builder.ts';
import { AT, fillLine, findingLine, orderLine } from './samples.ts';

const MARKETS = new Map([BTC, ETH].map((market) => [market.symbol, market]));
const of = (...lines: Line[]) => historyOf(lines, MARKETS);
const lives = (...statuses: ('placed' | 'open' | 'filled' | 'cancelled' | 'rejected' | 'unknown')[]) =>
  of(...statuses.map((status) => orderLine({ status }))).orders.map(({ status }) => status);

describe('an order', () => {
  test.each([
    [['placed'], ['unknown']],
    [['placed', 'open'], ['open']],
    [['placed', 'unknown'], ['unknown']],
    [['placed', 'unknown', 'open'], ['open']],
    [['placed', 'rejected'], []],
    [['placed', 'open', 'filled'], []],
    [['placed', 'unknown', 'cancelled'], []],
  ] as const)('of %o is %o now', (statuses, now) => expect(lives(...statuses)).toEqual(now));

  test('is as its last line says', () => {
    const lines = [orderLine({}), orderLine({ status: 'open', orderId: 'x' })];
    expect(of(...lines).orders).toEqual([
      {
        clientOrderId: '1',
        orderId: 'x',
        market: 0,
        side: 'bid',
        price: 600_000,
        size: 10_000,
        remaining: 10_000,
        fillMode: 'POST_ONLY',
        status: 'open',
        sentAt: Date.parse(AT),
        touchedAt: Date.parse(AT),
        deadAfter: undefined,
      },
    ]);
  });

  test('without an answer keeps the end of its bytes', () => {
    expect(of(orderLine({ status: 'unknown', deadAfter: 1_063 })).orders).toMatchObject([{ deadAfter: 1_063 }]);
  });

  test('of a market that is not traded now is left where it is', () => {
    expect(of(orderLine({ market: 'SOLUSDC', status: 'open' })).orders).toEqual([]);
  });
});

describe('fills', () => {
  test('come along with the orders that still live', () => {
    const history = of(
      orderLine({ clientOrderId: '1', status: 'open' }),
      orderLine({ clientOrderId: '2', status: 'filled' }),
      fillLine({ clientOrderId: '1', tradeId: 'a' }),
      fillLine({ clientOrderId: '2', tradeId: 'b' }),
      fillLine({ tradeId: 'c' }),
    );
    expect(history.fills).toMatchObject([{ clientOrderId: '1', tradeId: 'a', size: 1_000, price: 600_000 }]);
  });
});

describe('the last client order id', () => {
  test('is the highest, as a number, of all markets and fates', () => {
    const ids = ['9', '10', '2'].map((clientOrderId) => orderLine({ clientOrderId, status: 'rejected' }));
    expect(of(...ids).lastClientOrderId).toBe('10');
    expect(of(...ids, orderLine({ clientOrderId: '11', market: 'SOLUSDC' })).lastClientOrderId).toBe('11');
    expect(of(findingLine('margin')).lastClientOrderId).toBeUndefined();
  });
});

describe('trades to resume', () => {
  const TEN_MINUTES = 600_000;

  test('there are none without a past', () => expect(tradesToResume([])).toBeUndefined());

  test('since the start where none was told', () => {
    expect(tradesToResume([orderLine({})])).toEqual({ since: Date.parse(AT) - TEN_MINUTES, told: [] });
  });

  test('since the newest that was told, with an overlap in which none is told again', () => {
    const later = '2026-01-05T13:00:00.000Z';
    const lines = [orderLine({}), fillLine({ tradeId: 'b', at: later }), fillLine({ tradeId: 'a' }), findingLine('rate')];
    expect(tradesToResume(lines)).toMatchObject({ since: Date.parse(later) - TEN_MINUTES, told: [{ tradeId: 'b' }, { tradeId: 'a' }] });
  });

  test('of a long past', () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => fillLine({ tradeId: String(index) }));
    expect(tradesToResume(lines)?.told).toHaveLength(200_000);
  });
});
