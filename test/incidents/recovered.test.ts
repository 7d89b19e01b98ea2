// What a process finds of the one before it: fills that were reported while nobody knew whose they were.
import { expect, test } from 'vitest';
import type { Entry } from '../../src/run/state/entries.ts';
import { historyOf } from '../../src/run/state/history.ts';
import { BTC } from '../unit/world-builder.ts';

const ORDER = { market: 'BTCUSDC', clientOrderId: '7', side: 'bid', price: '60000.0', size: '0.0100', fillMode: 'POST_ONLY' } as const;
const FILL = { kind: 'fill', market: 'BTCUSDC', side: 'bid', price: '60000.0', size: '0.0100', fee: '0.06', role: 'maker' } as const;
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 12) + seconds * 1_000).toISOString();

/** An order gets no answer, and is filled; so long after it another's order is filled, and the process dies. */
const toldBefore = (seconds: number): readonly Entry[] => [
  { kind: 'process', at: at(0) },
  { ...ORDER, kind: 'order', at: at(1), status: 'placed' },
  { kind: 'sent', at: at(1), action: 'place', clientOrderId: '7', timestamp: 1, nonce: 1, deadAfter: 64 },
  { ...ORDER, kind: 'order', at: at(4), status: 'unknown', deadAfter: 64 },
  { ...FILL, at: at(5), orderId: '70', tradeId: '1' },
  { ...FILL, at: at(5 + seconds), orderId: '90', tradeId: '2', clientOrderId: '9' },
];

const ownerlessAfter = (seconds: number): readonly string[] =>
  historyOf(toldBefore(seconds), new Map([[BTC.symbol, BTC]])).fills.map(({ tradeId }) => tradeId);

test('a fill of an order without an answer is remembered', () => {
  expect(ownerlessAfter(60)).toContain('1');
});

test('and for as long as the order is unknown', () => {
  expect(ownerlessAfter(700)).toContain('1');
});
