// The summary of a run: the contract of its JSON.
import { expect, test } from 'vitest';
import { positionsOf, type SummaryParts, summaryOf } from '../../../src/bot/accounting/summary.ts';
import type { Account } from '../../../src/bot/domain/account.ts';
import type { MarketTotals } from '../../../src/bot/domain/accounting/run-totals.ts';
import { lots, micros } from '../../../src/bot/domain/numbers.ts';
import type { Order } from '../../../src/bot/domain/order.ts';
import { BTC, ETH } from '../world-builder.ts';

const account = (...sizes: number[]): Account =>
  ({ positions: sizes.map((size, market) => ({ market, size: lots(size) })) }) as unknown as Account;
const order = (status: Order['status']): Order => ({ status }) as Order;

test('the summary has the contract’s fields, money as text', () => {
  const counts = { placed: 64, cancelled: 40, rejected: 1, findings: { margin: 0, rate: 3 } };
  const totals = {
    profit: micros(-12_340_000),
    today: micros(0),
    fills: 24,
    provisional: 0,
    volume: micros(182_345_120_000),
    fees: micros(18_230_000),
    funding: micros(0),
  };
  const ofBtc = { profit: -10_000_000, fees: 18_000_000, funding: -1_000_000, volume: 180_000_000_000 };
  const ofEth = { profit: -2_000_000, fees: 230_000, funding: 500_000, volume: 2_345_120_000 };
  const partOf = ({ profit, fees, funding, volume }: typeof ofBtc, fills: number): MarketTotals => ({
    profit: micros(profit),
    fees: micros(fees),
    funding: micros(funding),
    volume: micros(volume),
    fills,
  });
  const turns = {
    turns: 812,
    turnsBy: { acted: 100, refused: 3, held: 2, belowLot: 0, staleInput: 0, nothingReturned: 7, unchanged: 700 },
    heldBy: { 'data-age': 2 },
    refusedBy: { margin: 3, rate: 1 },
    staleBy: {},
  };
  const parts: SummaryParts = {
    run: 'r',
    strategy: 'grid',
    exchange: 'embedded',
    seconds: 20.149,
    turns,
    counts,
    totals,
    byMarket: new Map([
      [BTC.id, partOf(ofBtc, 20)],
      [ETH.id, partOf(ofEth, 4)],
    ]),
    orders: [order('unknown'), order('open'), order('cancelling'), order('pending')],
    account: account(120, 0),
    markets: [BTC, ETH],
    fingerprint: 'f00d',
  };
  const summary = summaryOf(parts);
  expect(summaryOf({ ...parts, exchangeBehindSeconds: 40.04 })).toEqual({ ...summary, exchangeBehindSeconds: 40 });
  expect(summary).toEqual({
    kind: 'summary',
    run: 'r',
    strategy: 'grid',
    exchange: 'embedded',
    seconds: 20.1,
    ...turns,
    orders: { placed: 64, cancelled: 40, rejected: 1, unknown: 1, openAtExit: 3 },
    fills: 24,
    volume: '182345.12',
    fees: '18.23',
    funding: '0.00',
    pnl: '-12.34',
    positions: { BTCUSDC: '0.0120' },
    // What is not known of single markets, 0.50 of funding and -0.34 of profit, counts in the first one.
    markets: {
      BTCUSDC: {
        kind: 'perp',
        fills: 20,
        volume: '180000.00',
        fees: '18.00',
        funding: '-0.50',
        pnl: '-10.34',
        positions: { BTCUSDC: '0.0120' },
      },
      ETHUSDC: { kind: 'perp', fills: 4, volume: '2345.12', fees: '0.23', funding: '0.50', pnl: '-2.00', positions: {} },
    },
    strategies: {
      grid: { fills: 24, volume: '182345.12', fees: '18.23', funding: '0.00', pnl: '-12.34', positions: { BTCUSDC: '0.0120' } },
    },
    unowned: { fills: 0, volume: '0.00', fees: '0.00', funding: '0.00', pnl: '0.00', positions: {} },
    findings: { margin: 0, rate: 3 },
    fingerprint: 'f00d',
  });
});

test('positions are by symbol, without flat ones', () => {
  expect(positionsOf(account(-5, 2), [BTC, ETH])).toEqual({ BTCUSDC: '-0.0005', ETHUSDC: '0.002' });
  expect(positionsOf(account(0), [BTC])).toEqual({});
  expect(positionsOf(undefined, [BTC])).toEqual({});
});
