// What an account proves of one of our orders, and what it does not.
import type { Millis } from '../base/clock.ts';
import type { Account, RestingOrder } from '../domain/account.ts';
import type { AccountSeen } from '../domain/event.ts';
import { compareIds } from '../domain/ids.ts';
import type { Order } from '../domain/order.ts';

/** When the exchange's own time was first heard to be past a moment, in engine seconds; undefined while it was not. */
export type PassedSince = (engineSeconds: number) => Millis | undefined;

/** False while the account stands where it stood when our last action on the order was sent. */
export const hasMoved = (account: Account, { accountThen }: Order): boolean =>
  accountThen === undefined || compareIds(account.updateId, accountThen) > 0;

/**
 * Of an order that the account does not list. It is gone if the account was asked for after our last word on it and has moved since our last action on
 * it; an unknown one only if its bytes were already dead when the account was asked for; one without an answer never.
 */
export function provedGone(order: Order, { account, asked }: AccountSeen, passedSince: PassedSince): boolean {
  switch (order.status) {
    case 'pending':
      return false;
    case 'unknown': {
      const dead = order.deadAfter === undefined ? undefined : passedSince(order.deadAfter);
      return dead !== undefined && asked >= dead;
    }
    case 'open':
    case 'cancelling':
      return asked >= order.touchedAt && hasMoved(account, order);
  }
}

/** Where neither id is known, the terms must tell. */
export function sameTerms(order: Order, { market, side, price, originalSize }: RestingOrder): boolean {
  return market === order.market && side === order.side && price === order.price && originalSize === order.size;
}
