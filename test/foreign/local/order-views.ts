// Orders in the JSON form of the local API: in lists, alone, and as the answer to a write request.
import type { Order } from '../accounts.ts';
import type { Json } from '../json.ts';
import { priceOf, sizeOf } from '../market.ts';
import { timeText } from '../views.ts';
import { nameOf, tradeSide } from './market-names.ts';
import type { Placement } from './order-gateway.ts';
import type { ProcessState } from './process-state.ts';
import { transactionId } from './wallet.ts';

/** Returns an item of the list of open orders; `size` is the remaining size. */
export function openOrder({ gateway }: ProcessState, order: Order): Json {
  const market = nameOf(order.listing);
  return {
    id: order.orderId,
    market,
    future: market,
    type: 'limit',
    side: tradeSide(order.side),
    price: priceOf(order.listing, order.price),
    size: sizeOf(order.listing, order.remaining),
    status: 'open',
    clientId: gateway.clientIdOf(order) ?? null,
  };
}

/** Returns a single order. Its numbers are text, as in the samples of the document. */
export function oneOrder({ listing, orderId, side, price, remaining, originalSize, end }: Order): Json {
  const market = nameOf(listing);
  const size = sizeOf(listing, end === undefined ? remaining : originalSize);
  return {
    id: orderId.toString(),
    market,
    future: market,
    type: 'limit',
    side: tradeSide(side),
    price: priceOf(listing, price).toString(),
    size: size.toString(),
    status: end === undefined ? 'open' : 'closed',
  };
}

export const transactionOf = ({ actionId }: Placement): Json => ({ txId: transactionId(`action ${actionId}`) });

/** Returns the answer to a modification of the order `was`: the order that rests now. */
export function modifiedOrder(state: ProcessState, placement: Placement, was: Order): Json {
  const echo = echoed(state, placement);
  if (state.settings.differences.modifyReplaces) return echo;
  const { listing, price, size } = placement.request;
  const spelled = { price: priceOf(listing, price).toString(), size: sizeOf(listing, size).toString(), type: { limit: {} } };
  return { id: (placement.posted ?? was).orderId.toString(), ...echo, ...spelled };
}

export function placedOrder(state: ProcessState, placement: Placement): Json {
  return state.settings.differences.placeEchoes ? echoed(state, placement) : transactionOf(placement);
}

function echoed({ settings }: ProcessState, { request, posted, filled, at }: Placement): { readonly [key: string]: Json } {
  const { listing, side, price, size, reduceOnly, ioc, postOnly, clientId } = request;
  const market = nameOf(listing);
  const isVague = settings.differences.nanRemaining && filled === 0;
  const amounts = isVague
    ? { remainingSize: Number.NaN }
    : { filledSize: sizeOf(listing, filled), remainingSize: sizeOf(listing, posted?.remaining ?? 0) };
  return {
    createdAt: timeText(at),
    future: market,
    market,
    price: priceOf(listing, price),
    side: tradeSide(side),
    size: sizeOf(listing, size),
    ...amounts,
    status: posted === undefined ? 'closed' : 'open',
    reduceOnly,
    ioc,
    postOnly,
    clientId: clientId ?? null,
  };
}
