// A line of an order in the journal.
import { timeText } from '../../../../src/base/text/duration.ts';
import type { OrderLine } from '../../../../src/bot/accounting/lines.ts';

/** A bid in BTCUSDC that was just placed. */
export const orderLine = (clientOrderId: string, at: number, more: Partial<OrderLine> = {}): OrderLine => ({
  kind: 'order',
  at: timeText(at),
  market: 'BTCUSDC',
  clientOrderId,
  side: 'bid',
  price: '60000.0',
  size: '0.0100',
  fillMode: 'POST_ONLY',
  status: 'placed',
  ...more,
});
