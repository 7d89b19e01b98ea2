// What the exchange shows of itself, its markets and its accounts, as copies that never change.

import type { Millis } from '../../base/clock.ts';
import type { Balance, Position, RestingOrder, Account as ShownAccount } from '../../bot/domain/account.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { TokenId } from '../../bot/domain/ids.ts';
import { type MarginExposure, MarginSums, type MarginsWithCancel } from '../../bot/domain/margin.ts';
import type { MarketKind } from '../../bot/domain/market.ts';
import { lots, MICROS_PER_UNIT, type Micros, micros, toDecimal } from '../../bot/domain/numbers.ts';
import type { DayStatistics } from './history/statistics.ts';
import { collateralOf, exposureOf } from './rules/account-margins.ts';
import type { ExchangeAccount, Holding } from './state/account.ts';
import type { ExchangeState } from './state/exchange-state.ts';
import type { FundingTerms } from './state/funding.ts';
import { QUOTE } from './state/listing.ts';
import type { MarketState } from './state/market-state.ts';
import { type LiveOrder, remaining } from './state/orders.ts';

export interface PositionState extends Position {
  readonly openOrders: number;
  /** The exact cost of the size; negative for a short position. Cost divided by size is the entry price. */
  readonly cost: Micros;
  readonly fundingIndex: number;
}

/** `updateId` is the exchange's last action, so equal ids mean equal states. Positions include markets with an open order. */
export interface ShownAccountState extends ShownAccount {
  readonly positions: readonly PositionState[];
  readonly margins: MarginsWithCancel;
}

export interface MarketStats extends DayStatistics, LiveInfo {
  /** Cumulative, in quote units per unit of base. */
  readonly aggregatedFundingIndex: number;
}

export const bookOf = ({ market, book, bookAction, bookChanges }: MarketState): Book => ({
  market: market.id,
  // the action that changed the book last, plus the number of changes that were no actions
  updateId: String(bookAction + bookChanges),
  bids: book.levels('bid'),
  asks: book.levels('ask'),
});

export const liveOf = ({ market, prices, frozen, terms, openInterest }: MarketState, { now }: ExchangeState): LiveInfo => ({
  market: market.id,
  index: prices.index,
  indexConf: prices.conf,
  mark: prices.mark,
  frozen,
  ...fundingOf(market.spec.kind, terms, now),
  openInterest: market.size(openInterest),
});

/** Returns the announced rate. A perpetual whose rate is not announced shows the last paid one instead, marked `fundingPaid`. */
function fundingOf(kind: MarketKind, terms: FundingTerms, now: Millis): Pick<LiveInfo, 'fundingRate' | 'nextFunding' | 'fundingPaid'> {
  const announced = { fundingRate: kind === 'perp' ? terms.hourlyRate : undefined, nextFunding: terms.next(now) };
  const lastPaid = kind === 'perp' && announced.fundingRate === undefined ? terms.lastPaid?.(now) : undefined;
  return lastPaid === undefined ? announced : { fundingRate: lastPaid.hourlyRate, nextFunding: lastPaid.next, fundingPaid: true };
}

export const statsOf = (marketState: MarketState, state: ExchangeState): MarketStats => ({
  ...liveOf(marketState, state),
  ...marketState.statistics.at(state.now),
  aggregatedFundingIndex: marketState.funding.shown(marketState.funding.index),
});

/** Returns what the exchange shows of an account. */
export function accountOf(state: ExchangeState, account: ExchangeAccount): ShownAccountState {
  const balances: Balance[] = [];
  for (const { tokenId } of state.tokens) {
    const balance = balanceOf(state, account, tokenId);
    if (balance !== undefined) balances.push(balance);
  }
  const positions: PositionState[] = [];
  const sums = new MarginSums();
  for (const holding of account.holdings.values()) {
    const exposure = exposureOf(holding);
    const openOrders = openIn(account, holding.marketState);
    if (holding.position.size !== 0 || openOrders > 0) positions.push(positionOf(holding, openOrders, exposure));
    if (exposure.market.spec.kind === 'perp') sums.add(exposure);
  }
  const orders = restingIn(account);
  const margins = sums.margins(collateralOf(state, account.balances));
  return { id: account.id, updateId: String(state.actions), balances, positions, orders, margins };
}

/** Returns the resting orders in their public form: the same list as before if all are unchanged. */
function restingIn(account: ExchangeAccount): readonly RestingOrder[] {
  const { shownOrders: before } = account;
  const orders: RestingOrder[] = [];
  let isSame = account.orders.size === before.length;
  for (const order of account.orders.values()) {
    const shown = restingOf(order);
    isSame &&= shown === before[orders.length];
    orders.push(shown);
  }
  return isSame ? before : (account.shownOrders = orders);
}

/** Returns the order's public form: the same object as before if it is unchanged, which is the usual case. */
function restingOf(order: LiveOrder): RestingOrder {
  const size = remaining(order);
  const { shown } = order;
  if (shown !== undefined && shown.size === size && shown.originalSize === order.size) return shown;
  const { orderId, market, side, price, size: originalSize, clientOrderId } = order;
  order.shown = { orderId, market, side, price: price!, size, originalSize, clientOrderId };
  return order.shown;
}

function balanceOf(state: ExchangeState, account: ExchangeAccount, tokenId: TokenId): Balance | undefined {
  const held = account.balances[tokenId]!;
  if (held === 0 && tokenId !== QUOTE) return undefined;
  return { tokenId, token: state.tokens[tokenId]!.symbol, amount: amountOf(state, tokenId, held) };
}

/** Converts an amount of a balance to whole tokens. Balances are counted in lots of the market that prices the token, or in micros if none does (the quote token). */
export function amountOf({ pricedBy }: ExchangeState, tokenId: TokenId, amount: number): number {
  const market = pricedBy.get(tokenId)?.market;
  return market === undefined ? toDecimal(micros(amount)) : market.size(lots(amount));
}

function positionOf(
  { marketState, position, fundingIndex, action }: Holding,
  openOrders: number,
  { tradingPnl, fundingPaymentPnl }: MarginExposure,
): PositionState {
  const { size, cost } = position;
  return {
    market: marketState.market.id,
    size,
    cost,
    entry: size === 0 ? undefined : cost / size / (MICROS_PER_UNIT * marketState.market.size(lots(1))),
    tradingPnl,
    fundingPaymentPnl,
    fundingIndex: marketState.funding.shown(fundingIndex),
    openOrders,
    actionId: String(action),
  };
}

function openIn({ orders }: ExchangeAccount, { market }: MarketState): number {
  let count = 0;
  for (const order of orders.values()) if (order.market === market.id) count++;
  return count;
}
