// Identifiers. Those that the wire carries as u64 are decimal text: exact above 2^53, and never used in sums.

/** The place of a market in the listing, from 0. */
export type MarketId = number;
export type TokenId = number;
/** The account's number, at an exchange that numbers its accounts. */
export type AccountId = number;
/** An account as its exchange names it: a number, or opaque text. */
export type AccountRef = AccountId | string;
export type OrderId = string;
/** Our id of an order, made by `bot/run/state/client-order-ids.ts`. */
export type ClientOrderId = string;
export type TradeId = string;
export type ActionId = string;
/** Stands for an action id that is not known. Lower than every action id. */
export const NO_ACTION: ActionId = '0';
export type SessionId = string;
/**
 * The sequence number of a book or an account at the exchange. If the exchange has restarted the numbers of accounts, it is `SERIES/NUMBER`, where the
 * series counts the restarts.
 */
export type UpdateId = string;

/** Compares two unsigned decimal texts by their value: negative if `a` is the lower. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares two numbers of accounts: any number of a later series is higher. */
export function compareUpdateIds(a: UpdateId, b: UpdateId): number {
  if (!a.includes('/') && !b.includes('/')) return compareIds(a, b);
  return seriesIn(a) - seriesIn(b) || compareIds(numberIn(a), numberIn(b));
}

/** The exchange's own number. */
export const numberIn = (id: UpdateId): UpdateId => id.slice(id.indexOf('/') + 1);
export const seriesIn = (id: UpdateId): number => Number(id.slice(0, Math.max(0, id.indexOf('/'))));
