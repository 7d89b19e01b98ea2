// What an account proves of one of our orders, and what it does not.
import type { Millis } from '../../base/clock.ts';
import type { Account, RestingOrder } from '../../domain/account.ts';
import type { AccountSeen } from '../../domain/event.ts';
import { compareIds, type UpdateId } from '../../domain/ids.ts';
import type { Order } from '../../domain/order.ts';

/** How far what the exchange shows may lag behind what it did. Two accounts asked for so far apart are two witnesses. */
export const LAG: Millis = 2_000;

/** When the exchange's own time was first heard to be past a moment, in engine seconds; undefined while it was not, and where it has gone back since then. */
export type PassedSince = (engineSeconds: number) => Millis | undefined;

/** An order was at the exchange at that time, in accounts of later numbers. */
export interface There {
  readonly at: Millis;
  /** Accounts that were asked for from then on cannot be too old to list it. */
  readonly shownFrom: Millis;
  /** Undefined where there was no account when it was sent. */
  readonly updateId: UpdateId | undefined;
}

/** Accounts that lacked an order although they could have listed it. */
export interface Lacking {
  /** When the first of them was asked for. */
  readonly since: Millis;
  /** The first that was asked for at least LAG later. */
  readonly again?: Pick<AccountSeen, 'asked' | 'at'> | undefined;
}

export const isPast = ({ updateId }: Account, number: UpdateId | undefined): boolean =>
  number === undefined || compareIds(updateId, number) > 0;

/** False while the account stands where it stood when our last action on the order was sent. */
export const hasMoved = (account: Account, { accountThen }: Order): boolean => isPast(account, accountThen);

/**
 * True if an account that does not list an order could have listed it, so that it is a witness against it. Of an order that was at the exchange, the account
 * must have been asked for after that and have a number past that. Where all that we know is that the exchange cannot find the order, the account must be
 * younger than that answer by as much as it may lag. Of an unknown order, its bytes must have been heard to be dead (`deadSince`) before the account was asked for.
 */
export function couldList(
  order: Order,
  { account, asked }: AccountSeen,
  { there, dead }: { there: There | undefined; dead: Millis },
): boolean {
  if (order.status === 'pending') return false;
  if (order.status === 'unknown') return asked >= dead;
  if (there !== undefined) return asked >= there.shownFrom && isPast(account, there.updateId);
  return asked >= order.touchedAt + LAG && hasMoved(account, order);
}

/** Since when the bytes of an unknown order have been heard to be dead: an account says something of it only if it was asked for after that. */
export const deadSince = ({ deadAfter }: Order, passedSince: PassedSince): Millis =>
  (deadAfter === undefined ? undefined : passedSince(deadAfter)) ?? Number.POSITIVE_INFINITY;

/** True if the witnesses suffice without a round of trades: one where the exchange has confirmed the cancel of the order, two where it has only taken the cancel on. */
export const provedCancelled = ({ again }: Lacking, cancel: 'cancelled' | 'queued' | undefined): boolean =>
  cancel === 'cancelled' || (cancel === 'queued' && again !== undefined);

/**
 * The fence. One account is never a proof of absence, for one answer may be empty or cut short. An order is absent if two accounts that could have listed it
 * lack it, asked for at least LAG apart, and a round of our trades was asked for after both had come. An order that may never have reached the exchange needs
 * one thing more: the position in an account as young as the second is what our fills explain.
 */
export const provedAbsent = (
  { status }: Order,
  { again }: Lacking,
  { asked, agreedAsOf }: { asked: Millis; agreedAsOf: Millis | undefined },
): boolean => again !== undefined && asked >= again.at && (status !== 'unknown' || (agreedAsOf !== undefined && agreedAsOf >= again.asked));

/** Where neither id is known, the terms must tell. */
export function sameTerms(order: Order, { market, side, price, originalSize }: RestingOrder): boolean {
  return market === order.market && side === order.side && price === order.price && originalSize === order.size;
}
