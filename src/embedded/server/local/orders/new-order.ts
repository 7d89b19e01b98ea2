// Reads the body of a new order, and converts its price and size to ticks and lots.

import { badRequest } from '../../../../base/server/reply.ts';
import type { HttpRequest } from '../../../../base/transport/transport.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../../bot/domain/numbers.ts';
import type { FillMode } from '../../../../bot/domain/order.ts';
import type { PlaceRequest } from '../../../exchange/commands.ts';
import { bodyOf, flag, oneOf, optionalId, positive, positiveOrNull, text } from '../bodies.ts';
import type { LocalApiContext } from '../context.ts';

const NEW_ORDER = {
  market: text,
  side: oneOf('buy', 'sell'),
  price: positiveOrNull,
  type: oneOf('limit', 'market'),
  size: positive,
  reduceOnly: flag,
  ioc: flag,
  postOnly: flag,
  clientId: optionalId,
};

/** Returns the order that the body of `POST /orders` describes; throws 4xx if it cannot be one. */
export function newOrderIn({ account, names, clientIds }: LocalApiContext, request: HttpRequest): PlaceRequest {
  const fields = bodyOf(request, NEW_ORDER);
  const market = names.find(fields.market);
  if (fields.reduceOnly && market.spec.kind === 'spot')
    throw badRequest('reduceOnly is for futures: a spot market has no position to reduce');
  return {
    account,
    market: market.id,
    side: fields.side === 'buy' ? 'bid' : 'ask',
    fillMode: fillModeOf(fields),
    price: fields.price === undefined ? undefined : ticksFrom(market, names.of(market), fields.price),
    size: lotsFrom(market, names.of(market), fields.size),
    clientOrderId: fields.clientId === undefined ? undefined : clientIds.registeredNumberOf(fields.clientId),
    reduceOnly: fields.reduceOnly,
  };
}

interface OrderFields {
  readonly type: 'limit' | 'market';
  readonly price: number | undefined;
  readonly ioc: boolean;
  readonly postOnly: boolean;
}

function fillModeOf({ type, price, ioc, postOnly }: OrderFields): FillMode {
  if (type === 'market' && price !== undefined) throw badRequest('a market order has no price; expected null');
  if (type === 'limit' && price === undefined) throw badRequest('a limit order needs a price; null is for market orders');
  if (postOnly && (ioc || type === 'market')) throw badRequest('postOnly cannot be combined with ioc or with a market order');
  if (postOnly) return 'POST_ONLY';
  return ioc || type === 'market' ? 'IMMEDIATE_OR_CANCEL' : 'LIMIT';
}

/** Converts a decimal price to ticks. Throws 400 instead of rounding. */
export function ticksFrom(market: Market, name: string, price: number): Ticks {
  const found = market.ticksOf(price);
  if (found === undefined) throw badRequest(`price ${price} is not a multiple of ${market.priceText(ticks(1))}, the tick of ${name}`);
  return found;
}

/** Converts a decimal size to lots. Throws 400 instead of rounding. */
export function lotsFrom(market: Market, name: string, size: number): Lots {
  const found = market.lotsOf(size);
  if (found === undefined) throw badRequest(`size ${size} is not a multiple of ${market.sizeText(lots(1))}, the step of ${name}`);
  return found;
}
