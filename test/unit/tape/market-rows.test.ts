// The funding rows of a market: a rate for the whole interval between two payments, whatever its length.
import { expect, test } from 'vitest';
import { fundingOf, MarketRows } from '../../../src/embedded/recording/market-rows.ts';
import type { Row } from '../../../src/embedded/rows/row-builder.ts';
import { codeOf, FUNDING_PARTS, STAMPS_PER_MILLI } from '../../../src/embedded/rows/rows.ts';

const NOW = 1_000_000;
const HOUR = 3_600_000;

test.each([
  [undefined, 0.0001],
  [8, 0.0008],
])('a rate of 0.0001 an hour, paid every %s hours', (fundingHours, rate) => {
  const rows: Row[] = [];
  const market = new MarketRows((row) => rows.push(row), { fundingHours });
  const when = { time: NOW * STAMPS_PER_MILLI, lag: 0 };
  market.info({ market: 0, frozen: false, fundingRate: 0.0001, nextFunding: NOW + HOUR }, when);
  expect(rows).toEqual([{ ...when, code: codeOf('funding'), price: HOUR, size: Math.round(rate * FUNDING_PARTS) }]);
  expect(fundingOf({ kind: 'perp', fundingHours })).toEqual({ fundingIntervalMs: (fundingHours ?? 1) * HOUR });
});
