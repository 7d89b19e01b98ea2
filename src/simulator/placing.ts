// Commands of traders: an order is placed, replaced or cancelled, or the reason why not is named.
import { lots } from '../domain/numbers.ts';
import { canRest } from '../domain/order.ts';
import type { Account } from './account.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest, Refusal, Refused, ReplaceRequest } from './commands.ts';
import { execute, takeOut } from './execution.ts';
import { gate } from './gate.ts';
import { type House, nextAction } from './house.ts';
import { type LiveOrder, remaining } from './orders.ts';
import { band, type Pit } from './pit.ts';
import { reducing, trimReduceOnly } from './reduce-only.ts';

const MOST_OPEN_ORDERS = 250;

export function place(house: House, request: PlaceRequest): PlaceOutcome {
  const account = house.accounts[request.account];
  if (account === undefined) return refused(house, 'ACCOUNT_NOT_FOUND');
  const pit = house.pits[request.market];
  if (pit === undefined) return refused(house, 'MARKET_NOT_FOUND');
  const order = request.reduceOnly ? reducing(account, pit, request) : request;
  if (order === undefined) return refused(house, 'POSITION_NOT_FOUND');
  const refusal = refusalOf(house, account, pit, order);
  return refusal === undefined ? done(house, account, pit, order) : refused(house, refusal);
}

/**
 * A cancel and a place of which both are done or neither: two actions, and a new order with an id of its own, last in line. It keeps the side, the
 * fill mode, the client order id and whether it may only reduce.
 */
export function replace(house: House, { account: id, orderId, price, size }: ReplaceRequest): PlaceOutcome {
  const account = house.accounts[id];
  if (account === undefined) return refused(house, 'ACCOUNT_NOT_FOUND');
  const order = account.orders.get(orderId);
  if (order === undefined || house.leaving.has(order)) return refused(house, 'ORDER_NOT_FOUND');
  const pit = house.pits[order.market]!;
  const { side, fillMode, clientOrderId, reduceOnly } = order;
  const wanted = { side, fillMode, clientOrderId, reduceOnly, price, size };
  const others = without(account, order);
  const successor = reduceOnly ? reducing(others, pit, wanted) : wanted;
  if (successor === undefined) return refused(house, 'POSITION_NOT_FOUND');
  const refusal = refusalOf(house, others, pit, successor);
  if (refusal !== undefined) return refused(house, refusal);
  nextAction(house);
  takeOut(house, order); // on the order's own side: what is planned is on the other
  return done(house, account, pit, successor);
}

export function cancel(house: House, { account: id, orderId }: CancelRequest): CancelOutcome {
  const account = house.accounts[id];
  if (account === undefined) return refused(house, 'ACCOUNT_NOT_FOUND');
  const order = account.orders.get(orderId);
  if (order === undefined) return refused(house, 'ORDER_NOT_FOUND');
  const action = nextAction(house);
  takeOut(house, order);
  return { kind: 'accepted', actionId: String(action), orderId, account: id };
}

/** Has an order cancelled at the next step, unless it is filled before. False where no such order rests. */
export function cancelSoon(house: House, { account, orderId }: CancelRequest): boolean {
  const order = house.accounts[account]?.orders.get(orderId);
  if (order !== undefined) house.leaving.add(order);
  return order !== undefined;
}

/** Does the cancels that wait. */
export function cancelLeaving(house: House): void {
  if (house.leaving.size === 0) return;
  for (const { account, orderId } of house.leaving) cancel(house, { account, orderId });
  house.leaving.clear();
}

export const refused = (house: House, error: Refusal): Refused => ({ kind: 'refused', actionId: String(house.actions + 1), error });

type Order = Omit<PlaceRequest, 'account' | 'market'>;

/** Plans the fills of an order in the pit's book, and says why the account may not have it. */
const refusalOf = (house: House, account: Account, pit: Pit, order: Order): Refusal | undefined =>
  plan(account, pit, order) ?? gate(house, account, pit, order);

function done(house: House, account: Account, pit: Pit, order: Order): PlaceOutcome {
  const placed = execute(house, account, pit, order);
  if (!account.house) trimReduceOnly(house, account, pit);
  return placed;
}

/** A market order takes up to the edge of the price band. */
function plan(account: Account, pit: Pit, { side, fillMode, price, size }: Order): Refusal | undefined {
  if (pit.frozen) return 'MARKET_FROZEN';
  if (size > pit.sizeLimit) return 'ORDER_EXECUTION_SIZE_LIMIT';
  const { low, high } = band(pit, side);
  if (price !== undefined && (price < low || price > high)) return 'ORDER_EXECUTION_LIMIT_PRICE';
  if (canRest(fillMode) && !account.house && account.orders.size >= MOST_OPEN_ORDERS) return 'TOO_MANY_OPEN_ORDERS';
  const edge = side === 'bid' ? high : low;
  return pit.book.plan(side, fillMode, size, price ?? (canRest(fillMode) ? undefined : edge));
}

/** The account as it would be if one of its orders did not rest. */
function without(account: Account, order: LiveOrder): Account {
  const orders = new Map(account.orders);
  orders.delete(order.orderId);
  const holding = account.holdings.get(order.market)!;
  const open = { ...holding.open, [order.side]: lots(holding.open[order.side] - remaining(order)) };
  return { ...account, orders, holdings: new Map(account.holdings).set(order.market, { ...holding, open }) };
}
