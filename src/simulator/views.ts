// What the exchange shows of itself: copies, so that nothing shown changes later or can be changed.
import type { Balance, Position, RestingOrder, Account as ShownAccount } from '../domain/account.ts';
import type { Book } from '../domain/book.ts';
import type { LiveInfo } from '../domain/event.ts';
import type { TokenId } from '../domain/ids.ts';
import { lots, MICROS_PER_UNIT, type Micros, micros, toDecimal } from '../domain/numbers.ts';
import type { Account, Holding } from './account.ts';
import type { House } from './house.ts';
import { QUOTE } from './listing.ts';
import { type LiveOrder, remaining } from './orders.ts';
import type { Pit } from './pit.ts';
import { exposureOf, marginsNow } from './standing.ts';
import type { DayStatistics } from './statistics.ts';

export interface PositionState extends Position {
  readonly openOrders: number;
  /** What the size was bought for, exactly; negative where it was sold. Divided by the size it is the entry price. */
  readonly cost: Micros;
  readonly fundingIndex: number;
}

/** Its `updateId` is the exchange's last action: two equal ones are one state. Positions are those that are held or have an order open. */
export interface AccountState extends ShownAccount {
  readonly positions: readonly PositionState[];
}

export interface MarketStats extends DayStatistics, LiveInfo {
  /** Cumulative, in quote units for each unit of base. */
  readonly aggregatedFundingIndex: number;
}

export const bookOf = ({ market, book, bookAction, bookChanges }: Pit): Book => ({
  market: market.id,
  updateId: String(bookAction + bookChanges),
  bids: book.levels('bid'),
  asks: book.levels('ask'),
});

export const liveOf = ({ market, prices, frozen, terms, openInterest }: Pit, { now }: House): LiveInfo => ({
  market: market.id,
  index: prices.index,
  indexConf: prices.conf,
  mark: prices.mark,
  frozen,
  fundingRate: market.spec.kind === 'perp' ? terms.hourlyRate : undefined,
  nextFunding: terms.next(now),
  openInterest: market.size(openInterest),
});

export const statsOf = (pit: Pit, house: House): MarketStats => ({
  ...liveOf(pit, house),
  ...pit.statistics.at(house.now),
  aggregatedFundingIndex: pit.funding.shown(pit.funding.index),
});

export function accountOf(house: House, account: Account): AccountState {
  const balances: Balance[] = [];
  for (const { tokenId } of house.tokens) {
    const balance = balanceOf(house, account, tokenId);
    if (balance !== undefined) balances.push(balance);
  }
  const positions: PositionState[] = [];
  for (const holding of account.holdings.values()) {
    const openOrders = openIn(account, holding.pit);
    if (holding.position.size !== 0 || openOrders > 0) positions.push(positionOf(holding, openOrders));
  }
  const orders: RestingOrder[] = [];
  for (const order of account.orders.values()) orders.push(restingOf(order));
  return { id: account.id, updateId: String(house.actions), balances, positions, orders, margins: marginsNow(house, account) };
}

/** Most rest for many looks as they are, and are then shown as the same object. */
function restingOf(order: LiveOrder): RestingOrder {
  const size = remaining(order);
  const { shown } = order;
  if (shown !== undefined && shown.size === size && shown.originalSize === order.size) return shown;
  const { orderId, market, side, price, size: originalSize, clientOrderId } = order;
  return (order.shown = { orderId, market, side, price: price!, size, originalSize, clientOrderId });
}

function balanceOf(house: House, account: Account, tokenId: TokenId): Balance | undefined {
  const held = account.balances[tokenId]!;
  if (held === 0 && tokenId !== QUOTE) return undefined;
  const pit = house.pricedBy.get(tokenId);
  const amount = pit === undefined ? toDecimal(micros(held)) : pit.market.size(lots(held));
  return { tokenId, token: house.tokens[tokenId]!.symbol, amount };
}

function positionOf(holding: Holding, openOrders: number): PositionState {
  const { pit, position, fundingIndex, action } = holding;
  const { size, cost } = position;
  const { tradingPnl, fundingPaymentPnl } = exposureOf(holding);
  return {
    market: pit.market.id,
    size,
    cost,
    entry: size === 0 ? undefined : cost / size / (MICROS_PER_UNIT * pit.market.size(lots(1))),
    tradingPnl,
    fundingPaymentPnl,
    fundingIndex: pit.funding.shown(fundingIndex),
    openOrders,
    actionId: String(action),
  };
}

function openIn({ orders }: Account, { market }: Pit): number {
  let count = 0;
  for (const order of orders.values()) if (order.market === market.id) count++;
  return count;
}
