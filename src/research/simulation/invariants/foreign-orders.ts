// Invariant: orders that a person places on the bot's account are left alone, and an alarm reports them.
import type { RestingOrder } from '../../../bot/domain/account.ts';
import type { Order } from '../../../bot/domain/order.ts';
import type { MakeCheck } from '../environment/scene.ts';

export const foreignOrders: MakeCheck = ({ venue, record, fail }) => {
  const { others } = venue.truth;
  const isOurs = ({ clientOrderId = '' }: RestingOrder): boolean => record.orders.has(clientOrderId);
  /** By process: orders that rested when it started need no alarm. */
  const restingAtStart = new Map<number, ReadonlySet<string>>();
  const alarmed = new Set<number>();
  /** Processes that have received an account with a client order id of the bot: they recognise orders by these ids. */
  const named = new Set<number>();
  /** Orders of the person that the bot took for its own: market, side, price and size are the same, and no client id distinguishes the two. */
  const mistaken = new Set<string>();
  return {
    turn({ events, alarms, changes }, { number }) {
      // `company`: orders or trades of somebody else
      if (alarms.some(({ name }) => name === 'company')) alarmed.add(number);
      const accounts = events.filter((event) => event.kind === 'accountSeen').map(({ account }) => account);
      if (accounts.some(({ orders }) => orders.some(isOurs))) named.add(number);
      const listed = accounts.flatMap(({ orders }) => orders);
      for (const { order, status } of changes) {
        if (status !== 'open' || named.has(number)) continue;
        const theirs = listed.find(({ orderId }) => orderId === order.orderId && others.has(orderId));
        if (theirs !== undefined && theirs.clientOrderId === undefined && sameTerms(order, theirs)) mistaken.add(theirs.orderId);
      }
      for (const { orders } of accounts) {
        const theirs = orders.map(({ orderId }) => orderId).filter((orderId) => others.has(orderId) && !mistaken.has(orderId));
        const before = restingAtStart.get(number) ?? new Set(theirs);
        restingAtStart.set(number, before);
        const appeared = theirs.find((orderId) => !before.has(orderId));
        if (appeared !== undefined && !alarmed.has(number)) fail('V22', `order ${appeared} of a person is listed, and no alarm was raised`);
      }
    },
    sent({ action }) {
      if (action.kind !== 'cancelOrder' || !others.has(action.orderId) || mistaken.has(action.orderId)) return;
      if (!venue.manualTrader.withdrawn.has(action.orderId) || venue.truth.rests(action.orderId))
        fail('V19', `order ${action.orderId} of a person is cancelled`);
    },
  };
};

const sameTerms = (order: Order, { market, side, price, originalSize }: RestingOrder): boolean =>
  order.market === market && order.side === side && order.price === price && order.size === originalSize;
