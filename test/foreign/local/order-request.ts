// Parses the body of POST /orders. The differences decide which of its flags count.
import type { Listing } from '../market.ts';
import type { FillMode, Side } from '../numbering.ts';
import { ApiError } from './api-error.ts';
import type { Differences } from './differences.ts';
import { listingNamed } from './market-names.ts';
import { lotsOf, ticksOf } from './units.ts';

export interface Flags {
  readonly reduceOnly: boolean;
  readonly ioc: boolean;
  readonly postOnly: boolean;
}

export interface OrderRequest extends Flags {
  readonly listing: Listing;
  readonly side: Side;
  /** Ticks; 0 = market order. */
  readonly price: number;
  /** Lots. */
  readonly size: number;
  readonly clientId: string | undefined;
}

export const NO_FLAGS: Flags = { reduceOnly: false, ioc: false, postOnly: false };

export const fillModeOf = ({ price, ioc, postOnly }: Pick<OrderRequest, 'price' | 'ioc' | 'postOnly'>): FillMode =>
  ioc || price === 0 ? 'immediateOrCancel' : postOnly ? 'postOnly' : 'limit';

export function parseOrderRequest(body: unknown, differences: Differences): OrderRequest {
  const fields = parseFields(body);
  const listing = listingNamed(textIn(fields, 'market'));
  const { clientId = null } = fields;
  if (clientId !== null && (typeof clientId !== 'string' || clientId === '')) throw new ApiError('malformed', 'clientId is no text');
  return {
    listing,
    side: sideIn(fields),
    price: priceIn(fields, { listing, differences }),
    size: lotsOf(listing, fields['size']),
    ...flagsIn(fields, differences),
    clientId: clientId ?? undefined,
  };
}

export type BodyFields = Readonly<Record<string, unknown>>;

export function parseFields(body: unknown): BodyFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('malformed', 'the body is not a JSON object');
  return body as BodyFields;
}

export function textIn(fields: BodyFields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new ApiError('malformed', `${name} is missing, or no text`);
  return value;
}

function sideIn(fields: BodyFields): Side {
  const side = textIn(fields, 'side');
  if (side !== 'buy' && side !== 'sell') throw new ApiError('malformed', `side ${side} is neither buy nor sell`);
  return side === 'buy' ? 'bid' : 'ask';
}

function priceIn(fields: BodyFields, { listing, differences }: { listing: Listing; differences: Differences }): number {
  const { price, type } = fields;
  if (differences.typeIgnored) return ticksOf(listing, price);
  if (type !== 'limit' && type !== 'market') throw new ApiError('malformed', 'type is neither limit nor market');
  if (type === 'limit') return ticksOf(listing, price);
  if (price !== null) throw new ApiError('malformed', 'a market order has the price null');
  return 0;
}

function flagsIn(fields: BodyFields, differences: Differences): Flags {
  const read = (name: keyof Flags): boolean => (differences.textFlags ? fields[name] === 'true' : isSet(fields, name));
  const flags: Flags = { reduceOnly: read('reduceOnly'), ioc: read('ioc'), postOnly: read('postOnly') };
  if (differences.flagPrecedence) return effectiveFlag(flags);
  if (flags.ioc && flags.postOnly) throw new ApiError('malformed', 'an order cannot be both ioc and postOnly');
  return flags;
}

function isSet(fields: BodyFields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw new ApiError('malformed', `${name} is neither true nor false`);
  return value;
}

function effectiveFlag({ reduceOnly, ioc, postOnly }: Flags): Flags {
  if (ioc) return { ...NO_FLAGS, ioc, reduceOnly };
  return postOnly ? { ...NO_FLAGS, postOnly } : { ...NO_FLAGS, reduceOnly };
}
