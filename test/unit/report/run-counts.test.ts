// The counts of a run's orders and findings.
import { describe, expect, test } from 'vitest';
import { RunCounts } from '../../../src/bot/accounting/run-counts.ts';
import { findingLine, orderLine } from './samples.ts';

describe('orders', () => {
  test('are counted by status', () => {
    const counts = new RunCounts();
    for (const status of ['placed', 'open', 'cancelled', 'placed', 'filled', 'placed', 'rejected', 'placed', 'unknown'] as const) {
      counts.addLine(orderLine({ status, reason: status === 'rejected' ? 'INSUFFICIENT_FUNDS' : undefined }));
    }
    expect(counts.counts()).toMatchObject({ placed: 4, cancelled: 1, rejected: 1 });
  });

  test('that were never sent count neither as placed nor as rejected', () => {
    const counts = new RunCounts();
    counts.addLine(orderLine({ status: 'placed' }));
    counts.addLine(orderLine({ status: 'rejected', reason: 'NOT_SENT' }));
    expect(counts.counts()).toMatchObject({ placed: 0, rejected: 0 });
  });
});

test('findings are counted by guard, beginning with 0', () => {
  const counts = new RunCounts(['margin', 'rate']);
  expect(counts.counts().findings).toEqual({ margin: 0, rate: 0 });
  for (const guard of ['margin', 'margin', 'data-age']) counts.addLine(findingLine(guard));
  expect(counts.counts().findings).toEqual({ margin: 2, rate: 0, 'data-age': 1 });
});

test('a later process continues from the counts', () => {
  const counts = new RunCounts(['margin']);
  counts.addLine(orderLine({}));
  counts.addLine(findingLine('margin'));
  const later = new RunCounts(['margin']);
  later.resume(counts.counts());
  later.addLine(orderLine({ status: 'cancelled' }));
  expect(later.counts()).toEqual({ placed: 1, cancelled: 1, rejected: 0, findings: { margin: 1 } });
});
