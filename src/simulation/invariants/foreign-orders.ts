// Invariant: a person trades on the same account: their orders are left alone, and an alarm reports that someone else is there.
import type { MakeCheck } from './record/scene.ts';

export const foreignOrders: MakeCheck = ({ venue, fail }) => {
  const { others } = venue.truth;
  /** By process: orders that rested when it started need no alarm. */
  const known = new Map<number, ReadonlySet<string>>();
  const alarmed = new Set<number>();
  return {
    turn({ events, alarms }, { number }) {
      if (alarms.some(({ name }) => name === 'company')) alarmed.add(number);
      for (const event of events) {
        if (event.kind !== 'accountSeen') continue;
        const theirs = event.account.orders.map(({ orderId }) => orderId).filter((orderId) => others.has(orderId));
        const before = known.get(number) ?? new Set(theirs);
        known.set(number, before);
        const appeared = theirs.find((orderId) => !before.has(orderId));
        if (appeared !== undefined && !alarmed.has(number)) fail('V22', `order ${appeared} of a person is listed, and no alarm was raised`);
      }
    },
    sent({ action }) {
      if (action.kind !== 'cancelOrder' || !others.has(action.orderId)) return;
      if (!venue.manualTrader.withdrawn.has(action.orderId) || venue.truth.rests(action.orderId))
        fail('V19', `order ${action.orderId} of a person is cancelled`);
    },
  };
};
