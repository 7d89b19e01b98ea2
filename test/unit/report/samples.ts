// Lines of a run, with defaults for missing fields.
import type { FillLine, FindingLine, OrderLine } from '../../../src/bot/accounting/lines.ts';

export const AT = '2026-01-05T12:00:00.000Z';

export const orderLine = (part: Partial<OrderLine>): OrderLine => ({
  kind: 'order',
  at: AT,
  market: 'BTCUSDC',
  clientOrderId: '1',
  side: 'bid',
  price: '60000.0',
  size: '1.0000',
  fillMode: 'POST_ONLY',
  status: 'placed',
  ...part,
});

export const fillLine = (part: Partial<FillLine>): FillLine => ({
  kind: 'fill',
  at: AT,
  market: 'BTCUSDC',
  side: 'bid',
  price: '60000.0',
  size: '0.1000',
  role: 'maker',
  orderId: 'x',
  tradeId: 't1',
  ...part,
});

export const findingLine = (guard: string): FindingLine => ({ kind: 'finding', at: AT, guard, verdict: 'refuse', reason: 'no' });
