// The state that an earlier process left, read from its journal.
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Entry, Sent } from '../../../../src/bot/run/state/entries.ts';
import { historyOf, notLater } from '../../../../src/bot/run/state/history.ts';
import { beginEntry, tradesToResume } from '../../../../src/bot/run/state/resume-trades.ts';
import { AT, fillLine, findingLine, orderLine } from '../../report/samples.ts';
import { BTC, ETH } from '../../world-builder.ts';

const MARKETS = new Map([BTC, ETH].map((market) => [market.symbol, market]));
const of = (...entries: Entry[]) => historyOf(entries, MARKETS);
const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();
const baseline = (size: string) => ({ kind: 'baseline', at: AT, market: 'BTCUSDC', size }) as const;
const sent = (part: Partial<Sent>): Sent => ({ kind: 'sent', at: AT, action: 'place', clientOrderId: '1', ...part });
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

  test('has the status of its last line', () => {
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

  test('without an answer keeps the time when its request expires', () => {
    expect(of(orderLine({ status: 'unknown', deadAfter: 1_063 })).orders).toMatchObject([{ deadAfter: 1_063 }]);
  });

  test('that was sent, and never answered, has the time of its request and of its expiry', () => {
    const earlier = '2026-01-05T11:59:59.000Z';
    const of1 = (...more: Entry[]) => of(orderLine({}), sent({ at: earlier, deadAfter: 1_063 }), ...more).orders;
    expect(of1()).toMatchObject([{ status: 'unknown', sentAt: Date.parse(earlier), deadAfter: 1_063 }]);
    expect(of1(orderLine({ status: 'open', orderId: 'x' }))).toMatchObject([{ status: 'open', deadAfter: undefined }]);
  });

  test('with finer prices or sizes than its market has now cannot be read, which is reported', () => {
    for (const finer of [{ price: '60000.05' }, { size: '0.00015' }])
      expect(() => of(orderLine({ status: 'filled', ...finer }))).toThrow(
        /^order 1 of .* finer prices or sizes; the exchange lists it with 1 and 4 decimals now$/,
      );
    expect(of(orderLine({ status: 'rejected', price: '60000.05' })).ended).toEqual([]); // it traded nothing
  });

  test('of a market that is not traded now is left out', () => {
    expect(of(orderLine({ market: 'SOLUSDC', status: 'open' })).orders).toEqual([]);
  });
});

describe('ended orders', () => {
  const rejected = orderLine({ status: 'rejected', reason: 'NOT_SENT' });

  test('that were never seen at the exchange may appear', () => {
    const { ended } = of(orderLine({}), sent({ deadAfter: 1_063 }), rejected);
    expect(ended).toMatchObject([
      {
        reportedAs: 'rejected: NOT_SENT',
        neverPlaced: true,
        at: Date.parse(AT),
        order: { clientOrderId: '1', deadAfter: 1_063, size: 10_000 },
      },
    ]);
  });

  test.each([
    [
      { status: 'cancelled', orderId: 'x', reason: 'cancelled by us' },
      60,
      { reportedAs: 'cancelled: cancelled by us', neverPlaced: false },
    ],
    [{ status: 'filled' }, 60, { reportedAs: undefined, neverPlaced: false }],
    [{ status: 'cancelled', deadAfter: 1_063, reason: 'never reached the book' }, 600, { neverPlaced: true }],
    [{ status: 'rejected', reason: 'INSUFFICIENT_FUNDS' }, 600, { neverPlaced: true }],
  ] as const)('with %o may appear for %i s', (line, seconds, expected) => {
    const other = { clientOrderId: '2', status: 'open' } as const;
    expect(of(orderLine(line), orderLine({ ...other, at: later(seconds * 1_000) })).ended).toMatchObject([expected]);
    expect(of(orderLine(line), orderLine({ ...other, at: later(seconds * 1_000 + 1) })).ended).toEqual([]);
  });

  test('may appear although the clock was set back to before they ended', () => {
    const earlier = orderLine({ clientOrderId: '2', status: 'cancelled', orderId: 'y', at: later(3_600_000) });
    const { ended } = of(earlier, orderLine({ status: 'cancelled', orderId: 'x' }));
    expect(ended.map(({ order }) => order.clientOrderId).sort()).toEqual(['1', '2']);
  });
});

test('with times later than now count as of now: the clock was set back', () => {
  const open = orderLine({ status: 'open', orderId: 'x', at: later(3_600_000) });
  const gone = orderLine({ clientOrderId: '2', status: 'cancelled', orderId: 'y', at: later(3_600_000) });
  const now = Date.parse(AT) + 5_000;
  const { orders, ended } = notLater(of(sent({ at: AT }), open, gone), now);
  expect(orders).toMatchObject([{ sentAt: Date.parse(AT), touchedAt: now }]);
  expect(ended).toMatchObject([{ at: now, order: { sentAt: now, touchedAt: now } }]);
});

describe('the position before the next fill', () => {
  test('is the starting position plus all fills of the run', () => {
    const fills = [fillLine({ tradeId: 'a' }), fillLine({ tradeId: 'b', side: 'ask', size: '0.3000' })];
    expect(of(baseline('-1.0000'), orderLine({}), ...fills).baselines).toEqual([[0, -12_000]]);
  });

  test('is unknown for a run that has placed nothing', () => expect(of(baseline('1.0000')).baselines).toEqual([]));
  test('is unknown for a run that started again and ended before it knew the position, whatever the first start knew', () => {
    const begin = { kind: 'begin', at: AT, since: 0, trades: [] } as const;
    expect(of(begin, baseline('1.0000'), begin, orderLine({})).baselines).toEqual([]);
    expect(of(begin, baseline('1.0000'), begin, baseline('2.0000'), orderLine({})).baselines).toEqual([[0, 20_000]]);
  });
  test('is unknown if an earlier process died too early: the newest fills are included, which the next account may lack', () => {
    const fills = [fillLine({ tradeId: 'a' }), fillLine({ tradeId: 'b', side: 'ask', size: '0.3000' })];
    expect(of(orderLine({}), ...fills).newestFills).toEqual([[0, [-3_000, 1_000]]]);
    expect(of(baseline('-1.0000'), orderLine({}), ...fills).newestFills).toBeUndefined();
    expect(of(...fills).newestFills).toBeUndefined();
  });
  test('is unknown if it was never known', () => expect(of(orderLine({}), fillLine({})).baselines).toEqual([]));
});

const corrected = (tradeId: string, part: object) =>
  ({ ...fillLine({ tradeId, ...part }), kind: 'correction', before: { price: '60000.0' }, wasProvisional: true }) as const;
const booked = (...entries: Entry[]) => of(...entries).booked?.map(({ tradeId, price }) => [tradeId, price]);

/** The order of a fill became known, or is no longer known. */
const found = (clientOrderId: string | undefined) => ({
  ...corrected('a', { clientOrderId }),
  before: { price: '60000.0', fee: undefined },
});

test('a fill belongs to the order that was found for it last', () => {
  const open = orderLine({ status: 'open', orderId: 'x' });
  const ordersOf = (...entries: Entry[]) =>
    of(open, fillLine({ tradeId: 'a' }), ...entries).fills.map(({ clientOrderId }) => clientOrderId);
  expect(ordersOf()).toEqual([undefined]);
  expect(ordersOf(found('1'))).toEqual(['1']);
  expect(ordersOf(found('1'), found(undefined))).toEqual([undefined]);
  expect(ordersOf(found('1'), corrected('a', { price: '60001.0' }))).toEqual(['1']);
});

describe('booked fills', () => {
  test('are those of the last ten minutes, also of orders that have ended, as they were corrected', () => {
    const provisional = { price: '6.0' };
    const ended = orderLine({ status: 'filled', orderId: 'x' });
    const fills = [fillLine({ tradeId: 'a' }), fillLine({ tradeId: 'b', at: later(1_000), clientOrderId: '1', provisional })];
    expect(
      booked(...fills, ended, corrected('b', { at: later(1_000), price: '60001.0' }), fillLine({ tradeId: 'c', at: later(600_001) })),
    ).toEqual([
      ['b', 600_010],
      ['c', 600_000],
    ]);
    expect(of(ended).booked).toBeUndefined();
  });

  test('are also all provisional ones', () => {
    const old = fillLine({ tradeId: 'a', provisional: { price: '6.0' } });
    expect(booked(old, fillLine({ tradeId: 'b', at: later(700_000) }))).toEqual([
      ['a', 600_000],
      ['b', 600_000],
    ]);
  });

  test('are bounded', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => fillLine({ tradeId: String(index), at: later(index) }));
    const kept = booked(...many) ?? [];
    expect([kept.length, kept.at(-1)]).toEqual([4_096, ['4999', 600_000]]);
  });
});

describe('fills', () => {
  test('are included for orders that still live', () => {
    const history = of(
      orderLine({ clientOrderId: '1', status: 'open' }),
      orderLine({ clientOrderId: '2', status: 'filled' }),
      fillLine({ clientOrderId: '1', tradeId: 'a' }),
      fillLine({ clientOrderId: '2', tradeId: 'b' }),
    );
    expect(history.fills).toMatchObject([{ clientOrderId: '1', tradeId: 'a', size: 1_000, price: 600_000 }]);
  });

  test('are included for a while if their order is unknown', () => {
    const later = '2026-01-05T12:10:00.001Z';
    expect(of(fillLine({ tradeId: 'a' }), fillLine({ tradeId: 'b', at: later })).fills).toMatchObject([{ tradeId: 'b' }]);
  });
});

describe('the last client order id', () => {
  test('is the highest, as a number, of all markets and statuses', () => {
    const ids = ['9', '10', '2'].map((clientOrderId) => orderLine({ clientOrderId, status: 'rejected' }));
    expect(of(...ids).lastClientOrderId).toBe('10');
    expect(of(...ids, orderLine({ clientOrderId: '11', market: 'SOLUSDC' })).lastClientOrderId).toBe('11');
    expect(of(findingLine('margin')).lastClientOrderId).toBeUndefined();
  });
});

describe('trades to resume', () => {
  const TEN_MINUTES = 600_000;

  test('are none without a past', () => expect(tradesToResume([])).toBeUndefined());

  test('are none before the first order', () => expect(tradesToResume([findingLine('margin'), fillLine({})])).toBeUndefined());

  test('start with the run if none was reported', () => {
    expect(tradesToResume([orderLine({})])).toEqual({ since: Date.parse(AT) - TEN_MINUTES, reported: [] });
  });

  test("start with the first order by the exchange's time of then, however far its clock has leapt since", () => {
    const began = Date.parse(AT) / 1_000;
    const first = sent({ nonce: 1, timestamp: began - 5 });
    const later = sent({ at: '2026-01-05T12:05:00.000Z', clientOrderId: '2', nonce: 2, timestamp: began + 300 + 900 });
    expect(tradesToResume([first, orderLine({}), later])?.since).toBe(Date.parse(AT) - 5_000 - TEN_MINUTES);
  });

  test('start two minutes before the first order ended if it was not signed with a time, because our clock may be off', () => {
    const began = Date.parse(AT) / 1_000 - 86_400;
    const first = sent({ nonce: 1, deadAfter: began });
    expect(tradesToResume([first, orderLine({})])?.since).toBe((began - 120) * 1_000 - TEN_MINUTES);
  });

  test('start with the newest that was reported, with an overlap in which none is reported again', () => {
    const later = '2026-01-05T13:00:00.000Z';
    const lines = [orderLine({}), fillLine({ tradeId: 'b', at: later }), fillLine({ tradeId: 'a' }), findingLine('rate')];
    expect(tradesToResume(lines)).toMatchObject({
      since: Date.parse(later) - TEN_MINUTES,
      reported: [{ tradeId: 'b', orderId: fillLine({}).orderId }, { tradeId: 'a' }],
    });
  });

  test('name the reported side: a trade with ourselves may be one of two', () => {
    const lines = [orderLine({}), fillLine({ tradeId: 'a', role: 'taker' }), fillLine({ tradeId: 'b', role: 'maker' })];
    expect(tradesToResume(lines)?.reported).toMatchObject([
      { tradeId: 'a', role: 'taker' },
      { tradeId: 'b', role: 'maker' },
    ]);
  });

  test('name the side of those from before the run', () => {
    const before = { tradeId: 'a', actionId: 'n', market: 0, side: 'bid', price: ticks(1), size: lots(1), orderId: 'x', time: 5 } as const;
    const begin = beginEntry([{ ...before, role: 'taker' }], Date.parse(AT));
    expect(tradesToResume([begin, orderLine({})])?.reported).toEqual([{ tradeId: 'a', orderId: 'x', role: 'taker', time: 5 }]);
  });

  test('leave out the whole millisecond in which a page of them may have ended', () => {
    const before = {
      actionId: 'n',
      market: 0,
      side: 'bid',
      price: ticks(1),
      size: lots(1),
      orderId: 'x',
      role: 'taker',
      time: Date.parse(AT),
    } as const;
    const begin = beginEntry(
      Array.from({ length: 50 }, (_, index) => ({ ...before, tradeId: String(index + 1) })),
      Date.parse(AT),
    );
    expect(tradesToResume([begin, orderLine({})])?.since).toBeGreaterThan(before.time);
    expect(begin.trades).toEqual([]);
  });

  test('after a long past', () => {
    const lines = [orderLine({}), ...Array.from({ length: 200_000 }, (_, index) => fillLine({ tradeId: String(index) }))];
    expect(tradesToResume(lines)?.reported).toHaveLength(200_000);
  });
});
