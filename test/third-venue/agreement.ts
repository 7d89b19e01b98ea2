// Checks a finished run at the third exchange against the exchange's own record.
import { expect } from 'vitest';
import { ACCOUNT, type Finished, type ThirdStage } from './stage.ts';

/** Parameters of the grid with which it trades often. */
export const GRID = { market: 'BTC-PERP', spacingBps: 1, levels: 3, notional: 500, maxPositionNotional: 8_000 };
const LOT = 0.001;

export function expectAgreement({ exchange }: ThirdStage, { ending, summary }: Finished): void {
  const own = exchange.fills.filter(({ account }) => account === ACCOUNT);
  const ids = exchange.placed.map(({ clientId }) => clientId);
  expect(ending, 'ending').toEqual({ kind: 'settled' });
  expect(new Set(ids).size, 'each order arrived once').toBe(ids.length);
  expect(exchange.account(ACCOUNT).orders, 'left behind').toEqual([]);
  expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(summary.fills, 'fills').toBe(own.length);
  expect(Number(summary.positions['BTC-PERP'] ?? 0), 'position').toBeCloseTo(exchange.account(ACCOUNT).position * LOT, 9);
  expect(Number(summary.fees), 'fees').toBeCloseTo(
    own.reduce((sum, { fee }) => sum + fee, 0),
    4,
  );
}
