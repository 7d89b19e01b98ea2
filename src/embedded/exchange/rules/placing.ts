// The commands of traders: place, replace or cancel an order, or return why not.
import { TransientMap } from '../../../base/collections/transient-map.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import { canRest } from '../../../bot/domain/order.ts';
import type {
  CancelOutcome,
  CancelRequest,
  CompoundRefusal,
  LimitedOrder,
  LimitedOutcome,
  Placed,
  PlaceOutcome,
  PlaceRequest,
  Refusal,
  Refused,
  ReplaceRequest,
} from '../commands.ts';
import type { ExchangeAccount } from '../state/account.ts';
import { type ExchangeState, nextAction } from '../state/exchange-state.ts';
import { band, type MarketState } from '../state/market-state.ts';
import { type LiveOrder, remaining } from '../state/orders.ts';
import { execute, limitedToPosition, removeResting, trimReduceOnly } from './execution.ts';
import { orderRefusal } from './order-checks.ts';
import { sizeWithin } from './order-limits.ts';

const MAX_OPEN_ORDERS = 250;

/** Places an order: executes what it takes at once, and rests the remainder if its fill mode allows it. A refused order changes nothing. */
export function place(state: ExchangeState, request: PlaceRequest): PlaceOutcome {
  const account = state.accounts[request.account];
  if (account === undefined) return refused(state, 'ACCOUNT_NOT_FOUND');
  const marketState = state.marketStates[request.market];
  if (marketState === undefined) return refused(state, 'MARKET_NOT_FOUND');
  const order = request.reduceOnly ? limitedToPosition(account, marketState, request) : request;
  if (order === undefined) return refused(state, 'POSITION_NOT_FOUND');
  const refusal = refusalOf(state, account, marketState, order);
  return refusal === undefined ? executePlanned(state, account, marketState, order) : refused(state, refusal);
}

/**
 * Cancels an order and places its successor, both or neither: two actions, and a new order with a new id at the end of the queue. It keeps the side,
 * the fill mode, the client order id and the reduce-only mark.
 */
export function replace(state: ExchangeState, { account: id, orderId, price, size }: ReplaceRequest): PlaceOutcome {
  const account = state.accounts[id];
  if (account === undefined) return refused(state, 'ACCOUNT_NOT_FOUND');
  const order = account.orders.get(orderId);
  if (order === undefined || state.queuedCancels.has(order)) return refused(state, 'ORDER_NOT_FOUND');
  const marketState = state.marketStates[order.market]!;
  const { side, fillMode, clientOrderId, reduceOnly } = order;
  const wanted = { side, fillMode, clientOrderId, reduceOnly, price, size };
  const others = withoutOrder(account, order);
  const successor = reduceOnly ? limitedToPosition(others, marketState, wanted) : wanted;
  if (successor === undefined) return refused(state, 'POSITION_NOT_FOUND');
  const refusal = refusalOf(state, others, marketState, successor);
  if (refusal !== undefined) return refused(state, refusal);
  nextAction(state);
  removeResting(state, order); // the plan stays valid: it takes from the other side of the book
  return executePlanned(state, account, marketState, successor);
}

/** Places an order whose size follows from its limits. */
export function placeWithin(state: ExchangeState, { account, ...order }: LimitedOrder & Pick<PlaceRequest, 'account'>): LimitedOutcome {
  const marketState = state.marketStates[order.market];
  const size = marketState === undefined ? lots(0) : sizeWithin(marketState, order);
  return typeof size === 'string' ? refused(state, size) : place(state, { ...order, account, size });
}

/** Cancels a resting order at once. */
export function cancel(state: ExchangeState, { account: id, orderId }: CancelRequest): CancelOutcome {
  const account = state.accounts[id];
  if (account === undefined) return refused(state, 'ACCOUNT_NOT_FOUND');
  const order = account.orders.get(orderId);
  if (order === undefined) return refused(state, 'ORDER_NOT_FOUND');
  const action = nextAction(state);
  removeResting(state, order);
  return { kind: 'accepted', actionId: String(action), orderId, account: id };
}

/** Cancels an order at the next step, unless it is filled before. Returns false if no such order rests. */
export function queueCancel(state: ExchangeState, { account, orderId }: CancelRequest): boolean {
  const order = state.accounts[account]?.orders.get(orderId);
  if (order !== undefined) state.queuedCancels.add(order);
  return order !== undefined;
}

/** Executes the queued cancels. */
export function cancelQueued(state: ExchangeState): void {
  if (state.queuedCancels.size === 0) return;
  for (const { account, orderId } of state.queuedCancels) cancel(state, { account, orderId });
  state.queuedCancels.clear();
}

/** Returns the outcome of a refused command. */
export const refused = <E extends CompoundRefusal>(state: ExchangeState, error: E): Refused<E> => ({
  kind: 'refused',
  actionId: String(state.actions + 1),
  error,
});

export type PlannedOrder = Omit<PlaceRequest, 'account' | 'market'>;

/** Plans the fills of an order in the market's book. Returns why the account may not place it. */
export const refusalOf = (
  state: ExchangeState,
  account: ExchangeAccount,
  marketState: MarketState,
  order: PlannedOrder,
): Refusal | undefined => plan(account, marketState, order) ?? orderRefusal(state, account, marketState, order);

/** Executes the order that was planned last. */
export function executePlanned(state: ExchangeState, account: ExchangeAccount, marketState: MarketState, order: PlannedOrder): Placed {
  const placed = execute(state, account, marketState, order);
  if (!account.isOtherTrader) trimReduceOnly(state, account, marketState);
  return placed;
}

/** Plans an order. A market order takes up to the edge of the price band. */
export function plan(account: ExchangeAccount, marketState: MarketState, order: PlannedOrder): Refusal | undefined {
  const { side, fillMode, price, size } = order;
  if (marketState.frozen) return 'MARKET_FROZEN';
  if (size > marketState.sizeLimit) return 'ORDER_EXECUTION_SIZE_LIMIT';
  const { low, high } = band(marketState, side);
  if (price !== undefined && (price < low || price > high)) return 'ORDER_EXECUTION_LIMIT_PRICE';
  if (!account.isOtherTrader) {
    if (price !== undefined && !marketState.market.isOrderPrice(price)) return 'ORDER_EXECUTION_LIMIT_PRICE';
    if (!marketState.market.isOrderSize(size) || !isWorthEnough(marketState, order)) return 'ORDER_EXECUTION_SIZE_LIMIT';
  }
  if (canRest(fillMode) && !account.isOtherTrader && account.orders.size >= MAX_OPEN_ORDERS) return 'TOO_MANY_OPEN_ORDERS';
  const edge = side === 'bid' ? high : low;
  return marketState.book.plan(side, fillMode, size, price ?? (canRest(fillMode) ? undefined : edge));
}

/** True unless the order is below the least notional of the market. An order that closes a perpetual position may be. */
function isWorthEnough({ market, prices }: MarketState, { price, size, reduceOnly }: PlannedOrder): boolean {
  return (reduceOnly === true && market.spec.kind === 'perp') || market.isWorthEnough(price ?? prices.index, size);
}

/** Returns the account as it would be without one of its resting orders. */
export function withoutOrder(account: ExchangeAccount, order: LiveOrder): ExchangeAccount {
  const orders = new TransientMap(account.orders);
  orders.delete(order.orderId);
  const holding = account.holdings.get(order.market)!;
  const open = { ...holding.open, [order.side]: lots(holding.open[order.side] - remaining(order)) };
  return { ...account, orders, holdings: new Map(account.holdings).set(order.market, { ...holding, open }) };
}
