// The sums and limits on the page of a fleet.
import { expect, test } from 'vitest';
import { overviewOf } from '../../../src/program/commands/fleet/page.ts';
import { runListShape } from '../../../src/program/monitoring/page/contract.ts';

const FILE = {
  name: 'two',
  limits: { 'gross-notional': { maxNotional: 40_000, mode: 'close-only' }, 'daily-loss': { maxLoss: 500, mode: 'flatten' } },
} as const;
const SUMS = { gross: 1_000_500_000, pnl: -20_000_000, today: -5_250_000, drawdown: 30_000_000 };

test('the sums are shown, and for each limit of the file how much of it is used and whether it has acted', () => {
  const fleet = overviewOf(FILE, { sums: SUMS, acted: ['daily-loss'] });
  expect(fleet).toEqual({
    fleet: 'two',
    pnl: '-20.00',
    today: '-5.25',
    gross: '1000.50',
    limits: [
      { limit: 'gross-notional', used: '1000.50', most: '40000', mode: 'close-only', acted: false },
      { limit: 'daily-loss', used: '5.25', most: '500', mode: 'flatten', acted: true },
    ],
  });
  expect(runListShape.parse({ runs: [], sums: [], fleet })).toMatchObject({ fleet: { fleet: 'two' } });
});

test('a day in profit uses nothing of the daily loss limit', () => {
  const { limits } = overviewOf(FILE, { sums: { ...SUMS, today: 7_000_000 }, acted: [] });
  expect(limits.map(({ used }) => used)).toEqual(['1000.50', '0.00']);
});
