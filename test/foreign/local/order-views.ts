// Orders as the local process shows them: in lists, one by one, and as the answer to what was done.
import type { Order } from '../accounts.ts';
import type { Json } from '../json.ts';
import { priceOf, sizeOf } from '../market.ts';
import { timeText } from '../views.ts';
import type { Placement } from './desk.ts';
import type { House } from './house.ts';
import { nameOf, tradeSide } from './names.ts';
import { transactionId } from './wallet.ts';

/** An item of the list of open orders; `size` is what remains. */
export function openOrder({ desk }: House, order: Order): Json {
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
    clientId: desk.clientIdOf(order) ?? null,
  };
}

/** One order alone: its numbers are text there, as the document's samples have them. */
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

/** The answer to a modification: the order that rests now, in place of the one that `was`. */
export function modifiedOrder(house: House, placement: Placement, was: Order): Json {
  const echo = echoed(house, placement);
  if (house.settings.rows.modifyReplaces) return echo;
  const { listing, price, size } = placement.wanted;
  const spelled = { price: priceOf(listing, price).toString(), size: sizeOf(listing, size).toString(), type: { limit: {} } };
  return { id: (placement.posted ?? was).orderId.toString(), ...echo, ...spelled };
}

export function placedOrder(house: House, placement: Placement): Json {
  return house.settings.rows.placeEchoes ? echoed(house, placement) : transactionOf(placement);
}

function echoed({ settings }: House, { wanted, posted, filled, at }: Placement): { readonly [key: string]: Json } {
  const { listing, side, price, size, reduceOnly, ioc, postOnly, clientId } = wanted;
  const market = nameOf(listing);
  const isVague = settings.rows.nanRemaining && filled === 0;
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
