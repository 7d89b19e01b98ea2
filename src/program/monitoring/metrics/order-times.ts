// Measures our orders: from sending to the receipt, and from sending to the first fill.
import { Histogram, type Registry } from 'prom-client';
import { type Millis, SECOND } from '../../../base/clock.ts';
import { orderStatusWords } from '../../../bot/accounting/lines.ts';
import type { ClientOrderId } from '../../../bot/domain/ids.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { ExchangeClock } from '../../../research/exchange-clock.ts';

/** Buckets in seconds. */
const TO_RECEIPT = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const TO_FILL = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];

interface SentOrder {
  readonly sentAt: Millis;
  awaitsReceipt: boolean;
  awaitsFill: boolean;
}

/** Returns a function that takes each turn; `clock` converts the times of fills to ours. Orders that were sent before the first turn are not measured. */
export function orderTimesIn(registry: Registry, prefix: string): (turn: Turn, clock: ExchangeClock | undefined) => void {
  const histogram = (name: string, help: string, buckets: number[]): Histogram =>
    new Histogram({ name: `${prefix}${name}`, help, buckets, registers: [registry] });
  const toReceipt = histogram(
    'order_receipt_seconds',
    'Time from sending an order to the receipt that it is open, filled or rejected',
    TO_RECEIPT,
  );
  const toFill = histogram('order_fill_seconds', 'Time from sending an order to its first fill', TO_FILL);
  const sentOrders = new Map<ClientOrderId, SentOrder>();
  return ({ at, changes, fills }, clock) => {
    for (const { order, status } of changes)
      if (status === 'placed') sentOrders.set(order.clientOrderId, { sentAt: order.sentAt, awaitsReceipt: true, awaitsFill: true });
    for (const { clientOrderId, time } of fills) {
      const order = clientOrderId === undefined ? undefined : sentOrders.get(clientOrderId);
      if (order?.awaitsFill !== true) continue;
      order.awaitsFill = false;
      toFill.observe(((clock?.ours(time, { since: order.sentAt, until: at }) ?? at) - order.sentAt) / SECOND);
    }
    for (const change of changes) {
      const { clientOrderId } = change.order;
      const words = orderStatusWords(change); // those of an order that was not sent are not `rejected`
      const order = sentOrders.get(clientOrderId);
      if (order === undefined) continue;
      if (order.awaitsReceipt && (words === 'open' || words === 'filled' || words === 'rejected')) {
        order.awaitsReceipt = false;
        toReceipt.observe((at - order.sentAt) / SECOND);
      }
      if (words === 'filled' || words === 'cancelled' || change.status === 'rejected') sentOrders.delete(clientOrderId);
    }
  };
}
