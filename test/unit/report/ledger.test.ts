// The ledger of a run, against sums computed by hand.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account, Position } from '../../../src/domain/account.ts';
import { lots, micros } from '../../../src/domain/numbers.ts';
import { CountedFills } from '../../../src/report/accounting/counted-fills.ts';
import { Ledger } from '../../../src/report/accounting/ledger.ts';
import { fillOf } from '../../../src/report/accounting/lines.ts';
import { BTC, ETH } from '../world-builder.ts';
import { fillLine, findingLine, orderLine } from './samples.ts';

let ledger: Ledger;
beforeEach(() => {
  ledger = new Ledger({ markets: [BTC, ETH], guards: ['margin', 'rate'] });
});
const totals = () => ledger.totals();
/** In quote money. */
const money = (name: 'volume' | 'fees' | 'funding') => totals()[name] / 1e6;

describe('orders', () => {
  test('are counted by status', () => {
    for (const status of ['placed', 'open', 'cancelled', 'placed', 'filled', 'placed', 'rejected', 'placed', 'unknown'] as const) {
      ledger.addLine(orderLine({ status, reason: status === 'rejected' ? 'INSUFFICIENT_FUNDS' : undefined }));
    }
    expect(totals()).toMatchObject({ placed: 4, cancelled: 1, rejected: 1 });
  });

  test('that were never sent count neither as placed nor as rejected', () => {
    ledger.addLine(orderLine({ status: 'placed' }));
    ledger.addLine(orderLine({ status: 'rejected', reason: 'NOT_SENT' }));
    expect(totals()).toMatchObject({ placed: 0, rejected: 0 });
  });
});

describe('fills', () => {
  test('add up to volume and fees', () => {
    ledger.addLine(fillLine({ tradeId: 'a', fee: '0.60' }));
    ledger.addLine(fillLine({ tradeId: 'b', side: 'ask', price: '60500.0', size: '0.0400', fee: '0.242' }));
    expect(totals().fills).toBe(2);
    expect([money('volume'), money('fees')]).toEqual([8_420, 0.842]);
  });

  test('are summed in each market', () => {
    ledger.addLine(fillLine({ tradeId: 'a' }));
    ledger.addLine(fillLine({ tradeId: 'b', market: 'ETHUSDC', price: '3000.00', size: '2.000' }));
    ledger.addLine(fillLine({ tradeId: 'c', market: 'ETHUSDC', side: 'ask', price: '3010.00', size: '2.000' }));
    expect(money('volume')).toBe(18_020);
  });

  test('reported twice count once', () => {
    ledger.addLine(fillLine({ fee: '1' }));
    ledger.addLine(fillLine({ fee: '1' }));
    expect([totals().fills, money('volume'), money('fees')]).toEqual([1, 6_000, 1]);
  });

  test('of two orders both count, although the exchange reused the trade id after a rollback', () => {
    ledger.addLine(fillLine({ orderId: '1', fee: '1' }));
    ledger.addLine(fillLine({ orderId: '2', fee: '1' }));
    expect([money('volume'), money('fees')]).toEqual([12_000, 2]);
  });

  test('of a trade with ourselves are one trade, and leave no position', () => {
    ledger.addLine(fillLine({ role: 'maker', side: 'bid', fee: '1' }));
    ledger.addLine(fillLine({ role: 'taker', side: 'ask', fee: '2' }));
    expect([totals().fills, money('fees'), ledger.position(0)]).toEqual([1, 3, 0]);
  });

  test('without a fee count as free; a rebate is a negative fee', () => {
    ledger.addLine(fillLine({ tradeId: 'a' }));
    expect(money('fees')).toBe(0);
    ledger.addLine(fillLine({ tradeId: 'b', fee: '-0.25' }));
    expect(money('fees')).toBe(-0.25);
  });

  test('of a market that this process does not trade are ignored', () => {
    ledger.addLine(fillLine({ market: 'SOLUSDC' }));
    expect(totals()).toMatchObject({ fills: 0, volume: 0 });
  });
});

interface Held {
  readonly market?: number;
  readonly owed: number;
  /** Lots of 0.0001. */
  readonly size?: number;
  readonly entry?: number;
  /** 0 by default; undefined: the exchange reports no settlements. */
  readonly index?: number | undefined;
}

function see(...positions: readonly Held[]): number {
  const reported = positions.map((held): Position => {
    const { market = 0, owed, size = 10_000, entry = 100, index } = { index: 0, ...held };
    return {
      market,
      size: lots(size),
      entry,
      tradingPnl: micros(0),
      fundingPaymentPnl: micros(owed * 1e6),
      fundingIndex: index,
      actionId: '1',
    };
  });
  const account = { positions: reported } as unknown as Account;
  ledger.add({ events: [{ kind: 'accountSeen', at: 0, asked: 0, account }], fills: [], changes: [], findings: [] });
  return money('funding');
}

/** Returns the ledger of the next process of the run, which resumes from the carry of this one. */
function restart(): void {
  const [carry, funding] = [ledger.carry(), ledger.fundingCarry()];
  ledger = new Ledger({ markets: [BTC, ETH], guards: ['margin', 'rate'] });
  ledger.resume(carry);
  ledger.resumeFunding(funding);
}

describe('a process that continues a run', () => {
  test('has the same totals', () => {
    ledger.addLine(orderLine({}));
    ledger.addLine(findingLine('margin'));
    ledger.addLine(fillLine({ tradeId: 'a', fee: '0.25' }));
    ledger.addLine(fillLine({ tradeId: 'b', side: 'ask', size: '0.0400', market: 'ETHUSDC', price: '3000.00' }));
    const before = totals();
    restart();
    expect(totals()).toEqual(before);
    expect(ledger.position(0)).toBe(1_000);
  });

  test('has the funding that was paid and settled while no process ran', () => {
    see({ owed: 0, index: 10 });
    see({ owed: 5, index: 10 });
    restart();
    expect(money('funding')).toBe(5);
    expect(see({ owed: 5, index: 10 })).toBe(5);
    restart();
    expect(see({ owed: 0, size: 20_000, index: 3 })).toBe(7); // two more on one unit of base, all of it settled
  });

  test('starts from zero if the exchange reports no settlements', () => {
    see({ owed: 7, index: undefined });
    see({ owed: 9, index: undefined });
    restart();
    expect(see({ owed: 0, index: undefined })).toBe(2);
    expect(see({ owed: 1, index: undefined })).toBe(3);
  });
});

describe('funding', () => {
  test('that was owed before the run does not count', () => {
    expect(see({ owed: 7 })).toBe(0);
    expect(see({ owed: 9 })).toBe(2);
  });

  test('continues when a fill settles owed funding into the balance', () => {
    see({ owed: 0 });
    expect(see({ owed: 5 })).toBe(5);
    expect(see({ owed: 0, size: 20_000, index: -5 })).toBe(5);
    expect(see({ owed: -3, size: 20_000, index: -5 })).toBe(2);
    expect(see({ owed: 1, size: 10_000, index: -3.5 })).toBe(3);
  });

  test('that was paid and settled between two polls follows from the index', () => {
    see({ owed: 0, index: 10 });
    expect(see({ owed: 0, size: 5_000, index: 12 })).toBe(-2);
    expect(see({ owed: 0, size: -5_000, index: 13 })).toBe(-2.5);
    expect(see({ owed: 0, size: 5_000, index: 15 })).toBe(-1.5);
  });

  test('is not settled by an order that is placed or ends', () => {
    see({ owed: 0 });
    expect(see({ owed: 5 })).toBe(5);
    expect(see({ owed: 5 })).toBe(5);
  });

  test('is settled when a position is closed and no longer has an index', () => {
    see({ owed: 0 });
    see({ owed: 5 });
    expect(see({ owed: 0, size: 0, index: undefined })).toBe(5);
    expect(see({ owed: 0, index: 90 })).toBe(5);
  });

  test('is settled when only size or entry change, because some exchanges do not update the index', () => {
    see({ owed: 0 });
    see({ owed: 5 });
    expect(see({ owed: 0, size: 9_000 })).toBe(5);
    expect(see({ owed: 2, size: 9_000 })).toBe(7);
    expect(see({ owed: 0, size: 9_000, entry: 101 })).toBe(7);
  });

  test('without an index counts fully, whatever the position does', () => {
    see({ owed: 0, index: undefined });
    expect(see({ owed: 5, size: 2, index: undefined })).toBe(5);
    expect(see()).toBe(5);
    expect(see({ owed: 6, size: 7, index: undefined })).toBe(6);
  });

  test('of a position that the run opened counts from its beginning', () => {
    see();
    expect(see({ market: 1, owed: 4 })).toBe(4);
  });

  test('of a closed position stays counted', () => {
    see({ owed: 0 });
    see({ owed: 5 });
    expect(see()).toBe(5);
    expect(see({ owed: 0, index: 70 })).toBe(5);
  });

  test('is summed over the markets', () => {
    see({ market: 0, owed: 0 }, { market: 1, owed: 0 });
    expect(see({ market: 0, owed: 2 }, { market: 1, owed: 3 })).toBe(5);
  });
});

describe('findings', () => {
  test('are counted by guard, beginning with 0', () => {
    expect(totals().findings).toEqual({ margin: 0, rate: 0 });
    for (const guard of ['margin', 'margin', 'data-age']) ledger.addLine(findingLine(guard));
    expect(totals().findings).toEqual({ margin: 2, rate: 0, 'data-age': 1 });
  });
});

describe('fills that were counted', () => {
  const START = Date.parse('2026-01-05T12:00:00Z');
  const minute = (count: number): string => new Date(START + count * 60_000).toISOString();

  test('are remembered for as long as they may be reported again', () => {
    for (let count = 0; count < 200; count++)
      ledger.addLine(fillLine({ tradeId: `${count}`, orderId: `${count}`, at: minute(count), size: '0.0001' }));
    expect(ledger.position(0)).toBe(200);
    for (let count = 0; count < 200; count++)
      ledger.addLine(fillLine({ tradeId: `${count}`, orderId: `${count}`, at: minute(count), size: '0.0001' }));
    expect([ledger.position(0), totals().fills]).toEqual([200, 200]);
  });

  test('of one role do not hide a late fill of the other role', () => {
    ledger.addLine(fillLine({ tradeId: 'a', orderId: 'a', role: 'maker', at: minute(0), size: '0.0001' }));
    ledger.addLine(fillLine({ tradeId: 'b', orderId: 'b', role: 'taker', at: minute(600), size: '0.0001' }));
    ledger.addLine(fillLine({ tradeId: 'c', orderId: 'c', role: 'maker', at: minute(-9), size: '0.0001' }));
    expect(ledger.position(0)).toBe(3);
  });

  test('are kept in bounded memory', () => {
    const counted = new CountedFills();
    for (let count = 0; count < 50_000; count++) counted.isNew(fillOf(fillLine({ tradeId: `${count}`, at: minute(count / 10) }), BTC));
    expect(counted.size).toBeLessThan(1_000);
  });
});
