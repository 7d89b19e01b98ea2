// The answers of the hosted API about an account's history, and the pages of them.
import type { Millis } from '../../../base/clock.ts';
import type { Json } from '../../../base/server/reply.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots, micros, toDecimal } from '../../../bot/domain/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { pageOf } from '../../exchange/history/paging.ts';
import type { FundingPayment, FundsMove, PnlChange } from '../../exchange/history/statement.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import { idNumber, pageReply } from '../reply-values.ts';

export interface HistoryQuery {
  /** Inclusive. */
  readonly since?: Millis;
  /** Exclusive. */
  readonly until?: Millis;
  readonly startInclusive?: string;
  readonly pageSize?: number;
}

/** Returns a page of rows, newest first. `idOf`: a number of the row that no other has and that grows with time. */
export function historyPage<Row extends { readonly time: Millis }>(
  rows: readonly Row[],
  { since = 0, until = Number.POSITIVE_INFINITY, startInclusive, pageSize }: HistoryQuery,
  { idOf, reply }: { idOf: (row: Row) => number; reply: (row: Row) => Json },
): Json {
  const start = startInclusive === undefined ? Number.POSITIVE_INFINITY : Number(startInclusive);
  const asked = rows.filter((row) => row.time >= since && row.time < until && idOf(row) <= start).toSorted((a, b) => idOf(b) - idOf(a));
  return pageReply(pageOf(asked, { size: pageSize, idOf: (row) => String(idOf(row)) }), reply);
}

/** Unique, because two payments at the same time are of two markets. */
export const idOfPayment = ({ time, market }: FundingPayment): number => time * 1_000 + market;

export const fundingReply = (market: Market, { time, rate, payment }: FundingPayment): Json => ({
  time: timeText(time),
  fundingRate: rate,
  fundingPnl: toDecimal(micros(-payment)),
  market: { market_id: market.id, market_symbol: market.symbol },
});

export const pnlReply = (account: AccountId, { time, action, price, funding }: PnlChange): Json => ({
  time: timeText(time),
  actionId: action,
  accountId: account,
  pricePnlDelta: toDecimal(price),
  fundingPnlDelta: toDecimal(funding),
  pnl: toDecimal(micros(price + funding)),
});

const moveReply = (exchange: Exchange, account: AccountId, { time, actionId, token, amount, balance }: FundsMove) => ({
  time: timeText(time),
  actionId: idNumber(actionId),
  accountId: account,
  tokenId: token,
  amount: exchange.records.amountOf(token, amount),
  balance: exchange.records.amountOf(token, balance),
});

export const depositReply = (exchange: Exchange, account: AccountId, move: FundsMove): Json => ({
  ...moveReply(exchange, account, move),
  eventIndex: move.index,
});

/** A withdrawal costs nothing here. */
export const WITHDRAWAL_FEE = 0;

export const withdrawalReply = (exchange: Exchange, account: AccountId, move: FundsMove): Json => ({
  ...moveReply(exchange, account, move),
  fee: WITHDRAWAL_FEE,
});

/** Returns the account's volume in one market as a list of one row; an empty list if it did not trade there. */
export function volumeReply(market: Market, trades: readonly SimTrade[], account: AccountId): readonly Json[] {
  let [base, quote] = [0, 0];
  for (const { market: id, takerId, makerId, price, size } of trades) {
    if (id !== market.id) continue;
    const sides = Number(takerId === account) + Number(makerId === account);
    base += sides * size;
    quote += sides * market.notional(price, size);
  }
  return base === 0 ? [] : [{ marketId: market.id, volumeBase: market.size(lots(base)), volumeQuote: toDecimal(micros(quote)) }];
}
