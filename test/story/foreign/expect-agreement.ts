// Checks at the end of every run on the foreign exchange: the exchange's record and the summary of the bot agree.
import { expect } from 'vitest';
import type { Summary } from '../../../src/bot/accounting/summary.ts';
import type { Ending } from '../../../src/bot/run/core/run.ts';
import type { Order } from '../../foreign/accounts.ts';
import type { LoggedAction } from '../../foreign/actions.ts';
import type { ObservedExchange } from '../../foreign/exchange.ts';
import type { Trade } from '../../foreign/trading.ts';

export interface AccountRecord {
  readonly state: ObservedExchange;
  /** Account of the bot. */
  readonly account: number;
  /** Actions of the bot in order of arrival. */
  readonly actions: readonly LoggedAction[];
  /** Resting orders of the bot. */
  readonly ownOrders: readonly Order[];
}

/** `placed`: the least number of orders in the run. `unsent`: the most orders that a killed process had decided on and could not send. */
export function expectAgreement(
  record: AccountRecord,
  { ending, summary }: { ending: Ending; summary: Summary },
  { placed, unsent = 0 }: { placed: number; unsent?: number },
): void {
  const { state, account, ownOrders } = record;
  expect(ending, 'ending').toEqual({ kind: 'settled' });
  expect(summary.orders, 'left behind, by the summary').toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(
    ownOrders.map(({ orderId }) => orderId),
    'left behind, by the exchange',
  ).toEqual([]);
  expect(Number(summary.positions['BTCUSDC'] ?? 0), 'position').toBe(state.position({ account }));

  const trades = state.trades.filter(({ makerId, takerId }) => makerId === account || takerId === account);
  const fees = trades.reduce((sum, trade) => sum + feeOf(trade, account), 0);
  expect(summary.fills, 'fills').toBe(trades.length);
  expect(Number(summary.fees), 'fees').toBeCloseTo(fees / 1e6, 6);

  const placements = record.actions.filter(({ kind }) => kind === 'placeOrder');
  expect(summary.orders.placed, 'orders placed').toBeGreaterThanOrEqual(placements.length);
  expect(summary.orders.placed, 'orders placed').toBeLessThanOrEqual(placements.length + unsent);
  expect(placements.length, 'orders placed').toBeGreaterThanOrEqual(placed);
  expectValidActions(record);
}

function expectValidActions({ actions, account }: AccountRecord): void {
  const named = actions.filter((action) => action.account !== undefined);
  const stamped = actions.filter(({ fields }) => fields['timestamp'] !== undefined);
  const ids = actions.flatMap(({ fields }) => fields['clientOrderId'] ?? []);
  expect(
    actions.filter(({ kind, signature }) => kind === 'unreadable' || signature === 'bad'),
    'unreadable or badly signed',
  ).toEqual([]);
  expect(
    stamped.filter(({ at, fields }) => Number(fields['timestamp']) > at / 1_000),
    'stamped ahead of the exchange',
  ).toEqual([]);
  expect(
    named.filter((action) => action.account !== account),
    'for another account',
  ).toEqual([]);
  expect(new Set(ids).size, 'client order ids').toBe(ids.length);
}

/** Returns the fees of the account in millionths of the quote token; both fees if it traded with itself. */
const feeOf = ({ makerId, makerFee, takerId, takerFee }: Trade, account: number): number =>
  (makerId === account ? makerFee : 0) + (takerId === account ? takerFee : 0);
