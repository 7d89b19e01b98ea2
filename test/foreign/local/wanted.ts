// What the body of POST /orders asks for; the rows say which of its flags count.
import type { Listing } from '../market.ts';
import type { FillMode, Side } from '../numbering.ts';
import { listingNamed } from './names.ts';
import { lotsOf, ticksOf } from './numbers.ts';
import { Problem } from './problem.ts';
import type { Rows } from './rows.ts';

export interface Flags {
  readonly reduceOnly: boolean;
  readonly ioc: boolean;
  readonly postOnly: boolean;
}

export interface Wanted extends Flags {
  readonly listing: Listing;
  readonly side: Side;
  /** Ticks; 0 = at any price, at once. */
  readonly price: number;
  /** Lots. */
  readonly size: number;
  readonly clientId: string | undefined;
}

export const NO_FLAGS: Flags = { reduceOnly: false, ioc: false, postOnly: false };

export const fillModeOf = ({ price, ioc, postOnly }: Pick<Wanted, 'price' | 'ioc' | 'postOnly'>): FillMode =>
  ioc || price === 0 ? 'immediateOrCancel' : postOnly ? 'postOnly' : 'limit';

export function wantedIn(body: unknown, rows: Rows): Wanted {
  const fields = fieldsIn(body);
  const listing = listingNamed(textIn(fields, 'market'));
  const { clientId = null } = fields;
  if (clientId !== null && (typeof clientId !== 'string' || clientId === '')) throw new Problem('malformed', 'clientId is no text');
  return {
    listing,
    side: sideIn(fields),
    price: priceIn(fields, { listing, rows }),
    size: lotsOf(listing, fields['size']),
    ...flagsIn(fields, rows),
    clientId: clientId ?? undefined,
  };
}

export type BodyFields = Readonly<Record<string, unknown>>;

export function fieldsIn(body: unknown): BodyFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('malformed', 'the body is not a JSON object');
  return body as BodyFields;
}

export function textIn(fields: BodyFields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new Problem('malformed', `${name} is missing, or no text`);
  return value;
}

function sideIn(fields: BodyFields): Side {
  const side = textIn(fields, 'side');
  if (side !== 'buy' && side !== 'sell') throw new Problem('malformed', `side ${side} is neither buy nor sell`);
  return side === 'buy' ? 'bid' : 'ask';
}

function priceIn(fields: BodyFields, { listing, rows }: { listing: Listing; rows: Rows }): number {
  const { price, type } = fields;
  if (rows.typeIgnored) return ticksOf(listing, price);
  if (type !== 'limit' && type !== 'market') throw new Problem('malformed', 'type is neither limit nor market');
  if (type === 'limit') return ticksOf(listing, price);
  if (price !== null) throw new Problem('malformed', 'a market order has the price null');
  return 0;
}

function flagsIn(fields: BodyFields, rows: Rows): Flags {
  const read = (name: keyof Flags): boolean => (rows.textFlags ? fields[name] === 'true' : isSet(fields, name));
  const flags: Flags = { reduceOnly: read('reduceOnly'), ioc: read('ioc'), postOnly: read('postOnly') };
  if (rows.flagPrecedence) return theOneThatCounts(flags);
  if (flags.ioc && flags.postOnly) throw new Problem('malformed', 'an order cannot be both ioc and postOnly');
  return flags;
}

function isSet(fields: BodyFields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw new Problem('malformed', `${name} is neither true nor false`);
  return value;
}

function theOneThatCounts({ reduceOnly, ioc, postOnly }: Flags): Flags {
  if (ioc) return { ...NO_FLAGS, ioc, reduceOnly };
  return postOnly ? { ...NO_FLAGS, postOnly } : { ...NO_FLAGS, reduceOnly };
}
