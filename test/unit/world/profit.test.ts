// The money of a run, against sums computed by hand.
import { beforeEach, describe, expect, test } from 'vitest';
import { type FillLine, fillOf } from '../../../src/bot/accounting/lines.ts';
import type { Account, Position } from '../../../src/bot/domain/account.ts';
import { CountedFills } from '../../../src/bot/domain/accounting/counted-fills.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { Accounting } from '../../../src/bot/world/position/accounting.ts';
import { NO_LOSSES } from '../../../src/bot/world/position/losses.ts';
import { PositionCost } from '../../../src/research/report/figures/position-pnl.ts';
import { fillLine } from '../report/samples.ts';
import { BTC, ETH, marketOf } from '../world-builder.ts';

let accounting: Accounting;
beforeEach(() => {
  accounting = new Accounting([BTC, ETH]);
});
const totals = () => accounting.totals;
const position = (market: number): number => accounting.profit.fills.position(market);

/** A fill of a market that the run does not trade has the id of none. */
function fill(part: Partial<FillLine>): void {
  const line = fillLine(part);
  const market = [BTC, ETH].find(({ symbol }) => symbol === line.market);
  accounting.profit.filled({
    fills: [market === undefined ? { ...fillOf({ ...line, market: BTC.symbol }, BTC), market: 99 } : fillOf(line, market)],
  });
}

/** In quote money. */
const money = (name: 'volume' | 'fees' | 'funding') => totals()[name] / 1e6;

describe('fills', () => {
  test('add up to volume and fees', () => {
    fill({ tradeId: 'a', fee: '0.60' });
    fill({ tradeId: 'b', side: 'ask', price: '60500.0', size: '0.0400', fee: '0.242' });
    expect(totals().fills).toBe(2);
    expect([money('volume'), money('fees')]).toEqual([8_420, 0.842]);
  });

  test('are summed in each market', () => {
    fill({ tradeId: 'a' });
    fill({ tradeId: 'b', market: 'ETHUSDC', price: '3000.00', size: '2.000' });
    fill({ tradeId: 'c', market: 'ETHUSDC', side: 'ask', price: '3010.00', size: '2.000' });
    expect(money('volume')).toBe(18_020);
  });

  test('reported twice count once', () => {
    fill({ fee: '1' });
    fill({ fee: '1' });
    expect([totals().fills, money('volume'), money('fees')]).toEqual([1, 6_000, 1]);
  });

  test('of two orders both count, although the exchange reused the trade id after a rollback', () => {
    fill({ orderId: '1', fee: '1' });
    fill({ orderId: '2', fee: '1' });
    expect([money('volume'), money('fees')]).toEqual([12_000, 2]);
  });

  test('of a trade with ourselves are one trade, and leave no position', () => {
    fill({ role: 'maker', side: 'bid', fee: '1' });
    fill({ role: 'taker', side: 'ask', fee: '2' });
    expect([totals().fills, money('fees'), position(0)]).toEqual([1, 3, 0]);
  });

  test('without a fee count as free; a rebate is a negative fee', () => {
    fill({ tradeId: 'a' });
    expect(money('fees')).toBe(0);
    fill({ tradeId: 'b', fee: '-0.25' });
    expect(money('fees')).toBe(-0.25);
  });

  test('of a market that this process does not trade are ignored', () => {
    fill({ market: 'SOLUSDC' });
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
  accounting.profit.accountSeen({ kind: 'accountSeen', at: 0, asked: 0, account });
  return money('funding');
}

/** Begins the next process of the run, which resumes from the carry of this one. */
function restart(): void {
  const [carry, funding] = [accounting.profit.carry(), accounting.profit.funding.carry()];
  accounting = new Accounting([BTC, ETH]);
  accounting.resume(JSON.parse(JSON.stringify({ accounting: { ...NO_LOSSES, ...carry }, funding })));
}

describe('a process that continues a run', () => {
  test('has the same totals', () => {
    fill({ tradeId: 'a', fee: '0.25' });
    fill({ tradeId: 'b', side: 'ask', size: '0.0400', market: 'ETHUSDC', price: '3000.00' });
    const { today: _, ...before } = totals();
    restart();
    expect(totals()).toMatchObject(before);
    expect(position(0)).toBe(1_000);
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

const mark = (price: number): void =>
  accounting.profit.infoSeen({ kind: 'infoSeen', at: 0, asked: 0, infos: [{ market: 0, frozen: false, mark: ticks(price * 10) }] });
const trade = (tradeId: string, side: 'bid' | 'ask', price: string, size = '0.1000'): void =>
  fill({ tradeId, orderId: tradeId, side, price, size, fee: '0.5' });
/** In quote money. */
const parts = () => {
  const { profit, realised = NaN, fees, funding } = totals();
  return { realised: realised / 1e6, unrealised: (profit - realised + fees - funding) / 1e6 };
};

describe('realised profit', () => {
  test('is of the closed part, against the average entry, before fees', () => {
    trade('a', 'bid', '60000.0');
    trade('b', 'bid', '62000.0');
    mark(61_500);
    expect(parts()).toEqual({ realised: 0, unrealised: 100 });
    trade('c', 'ask', '63000.0');
    expect(parts()).toEqual({ realised: 200, unrealised: 50 });
    trade('d', 'ask', '61000.0', '0.3000'); // closes 0.1, and opens a short position of 0.2
    expect(parts()).toEqual({ realised: 200, unrealised: -100 });
    trade('e', 'bid', '60000.0', '0.2000');
    expect(parts()).toEqual({ realised: 400, unrealised: 0 });
  });

  test('of a position from before the run is against the mark price at which the run first saw it', () => {
    mark(60_000);
    accounting.profit.countBaselines(new Map([[0, lots(1_000)]]));
    trade('a', 'ask', '61000.0');
    expect(parts()).toEqual({ realised: 100, unrealised: 0 });
  });

  test('continues after a restart; without an average entry in the journal, from the first mark price', () => {
    trade('a', 'bid', '60000.0');
    mark(61_000);
    restart();
    mark(62_000);
    expect(parts()).toEqual({ realised: 0, unrealised: 200 });
    const { costs: _, ...carry } = accounting.profit.carry();
    accounting = new Accounting([BTC, ETH]);
    accounting.resume({ accounting: { ...NO_LOSSES, ...carry } });
    expect(totals().realised).toBeUndefined();
    mark(63_000);
    expect(parts()).toEqual({ realised: 300, unrealised: 0 });
    mark(64_000);
    expect(parts()).toEqual({ realised: 300, unrealised: 100 });
  });
});

describe('fills that were counted', () => {
  const START = Date.parse('2026-01-05T12:00:00Z');
  const minute = (count: number): string => new Date(START + count * 60_000).toISOString();

  test('are remembered for as long as they may be reported again', () => {
    for (let count = 0; count < 200; count++) fill({ tradeId: `${count}`, orderId: `${count}`, at: minute(count), size: '0.0001' });
    expect(position(0)).toBe(200);
    for (let count = 0; count < 200; count++) fill({ tradeId: `${count}`, orderId: `${count}`, at: minute(count), size: '0.0001' });
    expect([position(0), totals().fills]).toEqual([200, 200]);
  });

  test('of one role do not hide a late fill of the other role', () => {
    fill({ tradeId: 'a', orderId: 'a', role: 'maker', at: minute(0), size: '0.0001' });
    fill({ tradeId: 'b', orderId: 'b', role: 'taker', at: minute(600), size: '0.0001' });
    fill({ tradeId: 'c', orderId: 'c', role: 'maker', at: minute(-9), size: '0.0001' });
    expect(position(0)).toBe(3);
  });

  test('are kept in bounded memory', () => {
    const counted = new CountedFills();
    for (let count = 0; count < 50_000; count++) counted.add(fillOf(fillLine({ tradeId: `${count}`, at: minute(count / 10) }), BTC));
    expect(counted.size).toBeLessThan(1_000);
  });
});

describe('a purchase whose fee is taken from the tokens', () => {
  const SOL = marketOf({ kind: 'spot', symbol: 'SOLUSDC-SPOT', priceDecimals: 2, sizeDecimals: 8, orderLots: 100_000, buyFee: 'base' });
  const bought: FillLine = fillLine({ market: SOL.symbol, price: '150.00', size: '2.00000000', fee: '0.105', baseFee: '0.00070000' });
  const book = (...lines: FillLine[]) => {
    accounting = new Accounting([SOL]);
    accounting.profit.countBaselines(new Map([[0, lots(0)]]));
    accounting.profit.filled({ fills: lines.map((line) => fillOf(line, SOL)) });
  };
  const markAt = (price: number) =>
    accounting.profit.infoSeen({
      kind: 'infoSeen',
      at: 1,
      asked: 1,
      infos: [{ market: 0, frozen: false, mark: SOL.restAt('bid', price) }],
    });

  test('holds the tokens less the fee, which counts at the price of the fill', () => {
    book(bought);
    markAt(150);
    expect(position(0)).toBe(199_930_000);
    expect([money('volume'), money('fees')]).toEqual([300, 0.105]);
    expect(accounting.profit.total).toBe(-105_000);
    markAt(160);
    expect(accounting.profit.total).toBe(1.9993 * 160e6 - 300e6);
  });

  test('has no realised profit before the sale, and then that of the tokens', () => {
    book(bought);
    markAt(160);
    expect(accounting.profit.realised).toBe(0);
    book(bought, fillLine({ tradeId: 't2', market: SOL.symbol, side: 'ask', price: '160.00', size: '1.99900000', fee: '0.1' }));
    markAt(160);
    expect(accounting.profit.realised).toBe(19_990_000);
    expect(accounting.profit.total).toBe(1.9993 * 160e6 - 300e6 - 0.1e6);
  });

  test('keeps its profit when its price is corrected', () => {
    book(bought);
    const fill = { ...fillOf(bought, SOL), price: SOL.restAt('bid', 151), fee: micros(105_700) };
    accounting.profit.corrected({ fill, before: { price: SOL.restAt('bid', 150), fee: micros(105_000) }, wasProvisional: true });
    markAt(150);
    expect([position(0), money('fees')]).toEqual([199_930_000, 0.1057]);
    expect(accounting.profit.total).toBe(1.9993 * 150e6 - 302e6);
  });

  test('is the same in the trades of a report', () => {
    const cost = new PositionCost(SOL);
    expect(cost.fill(fillOf(bought, SOL))).toBeUndefined();
    expect([cost.lots, cost.cost]).toEqual([199_930_000, 300]);
  });
});
