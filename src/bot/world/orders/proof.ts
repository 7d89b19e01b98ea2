// Decides what an account proves about one of our orders.
import type { Millis } from '../../../base/clock.ts';
import type { Account, RestingOrder } from '../../domain/account.ts';
import type { AccountSeen } from '../../domain/event.ts';
import { compareUpdateIds, type UpdateId } from '../../domain/ids.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import type { DeadSince } from './expiry.ts';

/** How far the exchange's data may lag behind its actions. Two accounts requested at least this far apart are independent evidence. */
export const LAG: Millis = 2_000;
/**
 * Accounts that have shown the same for this long are believed even if other evidence contradicts them (a spot balance must also have stayed the same).
 * This is longer than an exchange has been seen to lag or to answer wrongly. It holds for positions and balances (`../position/`), for orders that have left
 * the book (`closing-orders.ts`), and for accounts whose number stands still (`bot/exchange/kit/streams/account-series.ts`). A stricter mode, the end of
 * a run and the command `flatten` wait for it.
 */
export const ACCEPTED_AFTER: Millis = 150_000;

/** Shows that the order was at the exchange at `at`. Only accounts with a later update number than `updateId` can show that it is gone since. */
export interface Presence {
  readonly at: Millis;
  /** Accounts requested from this time on are recent enough to list it. */
  readonly shownFrom: Millis;
  /** Undefined if there was no account when the order was sent. */
  readonly updateId: UpdateId | undefined;
}

/** Accounts that lacked an order although they could have listed it. */
export interface Absence {
  /** When the first of them was requested. */
  readonly since: Millis;
  /** The first account that was requested at least LAG later. */
  readonly again?: Pick<AccountSeen, 'asked' | 'at'> | undefined;
}

/**
 * Adds an account that could have listed the order and does not. Begins anew if the first absence is from before `dead`. `dead` of an unknown order is when
 * its bytes had expired, which moves to later if the exchange's time goes back. `dead` of any other order is when our clock last jumped.
 */
export function withAbsence(before: Absence | undefined, { asked, at }: AccountSeen, dead: Millis): Absence {
  if (before === undefined || before.since < dead) return { since: asked };
  return before.again === undefined && asked >= before.since + LAG ? { ...before, again: { asked, at } } : before;
}

/** True if the account is newer than the one with this update number; true for every account if `number` is undefined. */
export const isPast = ({ updateId }: Account, number: UpdateId | undefined): boolean =>
  number === undefined || compareUpdateIds(updateId, number) > 0;

/** False while the account's update number is the one at which our last action on the order was sent. */
export const hasMoved = (account: Account, { accountThen }: Order): boolean => isPast(account, accountThen);

/**
 * True if an account that lacks an order could have listed it, so that its absence is evidence.
 * - Pending: never.
 * - Unknown: requested after its bytes had expired (`dead`).
 * - Known to have been at the exchange (`presence`): requested from `shownFrom` on, with a later update number.
 * - Otherwise: requested at least LAG after the first answer that it cannot be found (`notFound`). Without such an answer: at least LAG after its status
 *   last changed (`touchedAt`), and with a later update number than when our last action on it was sent.
 */
export function couldList(
  order: Order,
  { account, asked }: AccountSeen,
  { presence, dead, notFound }: { presence: Presence | undefined; dead: Millis; notFound?: Millis | undefined },
): boolean {
  if (order.status === 'pending') return false;
  if (order.status === 'unknown') return asked >= dead;
  if (presence !== undefined) return asked >= presence.shownFrom && isPast(account, presence.updateId);
  return notFound === undefined ? asked >= order.touchedAt + LAG && hasMoved(account, order) : asked >= notFound + LAG;
}

/**
 * Returns when the bytes of an unknown order were first known to have expired by both clocks; infinity if they have not. Only accounts requested later
 * prove its absence.
 */
export const orderDeadSince = ({ deadAfter, sentAt, life }: Order, deadSince: DeadSince): Millis =>
  (deadAfter === undefined ? undefined : deadSince({ deadAfter, signedBy: sentAt, life })) ?? Number.POSITIVE_INFINITY;

/**
 * True if the accounts suffice without a poll of fills: one account if the exchange has confirmed the cancel of the order, two if it has only queued
 * the cancel.
 */
export const provedCancelled = ({ again }: Absence, cancel: 'cancelled' | 'queued' | undefined): boolean =>
  cancel === 'cancelled' || (cancel === 'queued' && again !== undefined);

/**
 * True if the order is proved absent. One account never proves it, because an answer may be empty or incomplete. An order is absent if two accounts
 * that could have listed it lack it, requested at least LAG apart, and our fills were polled after both had arrived. For an order that may never have
 * reached the exchange, our fills must also explain the position in an account at least as young as the second one.
 */
export const provedAbsent = (
  { status }: Order,
  { again }: Absence,
  { asked, agreedAsOf }: { asked: Millis; agreedAsOf: Millis | undefined },
): boolean => again !== undefined && asked >= again.at && (status !== 'unknown' || (agreedAsOf !== undefined && agreedAsOf >= again.asked));

/**
 * Returns `uncertainId` of the order after an account has listed it as `resting`. `true` if the account lists it under another order id and without our
 * client order id: it was then found by its terms only.
 */
export const uncertainIdOf = ({ clientOrderId, orderId, uncertainId }: Order, resting: RestingOrder): true | undefined => {
  if (resting.clientOrderId === clientOrderId) return undefined;
  return resting.orderId === orderId ? uncertainId : true;
};

/** Returns the order with an uncertain id if the account lists that id under another client order id: its receipt has named another order. */
export const withCheckedId = (order: Order, { orders }: Account): Order => {
  const { orderId, clientOrderId, uncertainId } = order;
  if (uncertainId === true || orderId === undefined) return order;
  for (const one of orders)
    if (one.orderId === orderId && one.clientOrderId !== undefined && one.clientOrderId !== clientOrderId)
      return orderWith(order, { uncertainId: true });
  return order;
};

/** True if the terms are equal. Used for orders whose ids are not known. */
export function sameTerms(order: Order, { market, side, price, originalSize }: RestingOrder): boolean {
  return market === order.market && side === order.side && price === order.price && originalSize === order.size;
}
