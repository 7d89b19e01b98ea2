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
 * After accounts have shown something for this long, it is accepted even if other evidence contradicts it. A spot balance must also have stayed the same.
 * This is longer than an exchange has been seen to lag or to answer wrongly.
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
 * Adds an account that could have listed the order and does not. Accounts requested before the order's bytes had expired (`dead`) do not count: the
 * exchange's time may go back.
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
 * True if an account that does not list an order could have listed it, so that its absence is evidence. For an order that was at the exchange, the
 * account must have been requested after that and have a later update number. If it is only known that the exchange cannot find the order, the
 * account must have been requested LAG after the first such answer (`notFound`). For an unknown order, its bytes must have expired (`deadSince`)
 * before the account was requested.
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

/** Returns `uncertainId` of the order after an account has listed it as `resting`. */
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
