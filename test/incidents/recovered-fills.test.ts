// Recovery of fills that were reported while their order had no answer.
import { expect, test } from 'vitest';
import type { Entry } from '../../src/run/state/entries.ts';
import { historyOf } from '../../src/run/state/history.ts';
import { BTC } from '../unit/world-builder.ts';

const ORDER = { market: 'BTCUSDC', clientOrderId: '7', side: 'bid', price: '60000.0', size: '0.0100', fillMode: 'POST_ONLY' } as const;
const FILL = { kind: 'fill', market: 'BTCUSDC', side: 'bid', price: '60000.0', size: '0.0100', fee: '0.06', role: 'maker' } as const;
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 12) + seconds * 1_000).toISOString();

/** Entries of a killed process: an order without an answer is filled, and `seconds` later another order. */
const entriesBefore = (seconds: number): readonly Entry[] => [
  { kind: 'process', at: at(0) },
  { ...ORDER, kind: 'order', at: at(1), status: 'placed' },
  { kind: 'sent', at: at(1), action: 'place', clientOrderId: '7', timestamp: 1, nonce: 1, deadAfter: 64 },
  { ...ORDER, kind: 'order', at: at(4), status: 'unknown', deadAfter: 64 },
  { ...FILL, at: at(5), orderId: '70', tradeId: '1' },
  { ...FILL, at: at(5 + seconds), orderId: '90', tradeId: '2', clientOrderId: '9' },
];

const unassignedFillsAfter = (seconds: number): readonly string[] =>
  historyOf(entriesBefore(seconds), new Map([[BTC.symbol, BTC]])).fills.map(({ tradeId }) => tradeId);

test('the fill of an order without an answer is recovered', () => {
  expect(unassignedFillsAfter(60)).toContain('1');
});

test('the fill is recovered as long as the order is unknown', () => {
  expect(unassignedFillsAfter(700)).toContain('1');
});
