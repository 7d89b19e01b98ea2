// Commands of traders: an order is placed or cancelled, or the reason why not is named.
import { canRest } from '../domain/order.ts';
import type { Account } from './account.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest, Refusal, Refused } from './commands.ts';
import { execute, takeOut } from './execution.ts';
import { gate } from './gate.ts';
import { type House, nextAction } from './house.ts';
import { band, type Pit } from './pit.ts';

const MOST_OPEN_ORDERS = 250;

export function place(house: House, request: PlaceRequest): PlaceOutcome {
  const account = house.accounts[request.account];
  if (account === undefined) return refused(house, 'ACCOUNT_NOT_FOUND');
  const pit = house.pits[request.market];
  if (pit === undefined) return refused(house, 'MARKET_NOT_FOUND');
  const refusal = plan(account, pit, request) ?? gate(house, account, pit, request);
  return refusal === undefined ? execute(house, account, pit, request) : refused(house, refusal);
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

export const refused = (house: House, error: Refusal): Refused => ({ kind: 'refused', actionId: String(house.actions + 1), error });

/** Plans the fills of a sound request in the pit's book; a market order takes up to the edge of the price band. */
function plan(account: Account, pit: Pit, { side, fillMode, price, size }: PlaceRequest): Refusal | undefined {
  if (pit.frozen) return 'MARKET_FROZEN';
  if (size > pit.sizeLimit) return 'ORDER_EXECUTION_SIZE_LIMIT';
  const { low, high } = band(pit, side);
  if (price !== undefined && (price < low || price > high)) return 'ORDER_EXECUTION_LIMIT_PRICE';
  if (canRest(fillMode) && !account.house && account.orders.size >= MOST_OPEN_ORDERS) return 'TOO_MANY_OPEN_ORDERS';
  const edge = side === 'bid' ? high : low;
  return pit.book.plan(side, fillMode, size, price ?? (canRest(fillMode) ? undefined : edge));
}
