// Compares a finished run at Hyperliquid's API with the record of the embedded exchange.
import { expect } from 'vitest';
import { lots, micros, toDecimal } from '../../src/bot/domain/numbers.ts';
import type { Finished, HyperliquidStage } from './stage.ts';

/** No order was sent twice, none is left or unknown, and fills, fees and the position are those of the exchange. */
export function expectAgreement({ exchange, account, cloids }: HyperliquidStage, { ending, summary }: Finished, hint: string): void {
  const { orders, positions } = exchange.account(account)!;
  const trades = exchange.records.tradesSince({ account }, { after: 0, most: 100_000 });
  const fees = trades.reduce((sum, { takerId, takerFee, makerFee }) => sum + (takerId === account ? takerFee : makerFee), 0);
  expect(ending, hint).toEqual({ kind: 'settled' });
  expect(new Set(cloids).size, `${hint}: each order arrived once`).toBe(cloids.length);
  expect(orders, `${hint}: left behind`).toEqual([]);
  expect(summary.orders, hint).toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(summary.fills, `${hint}: fills`).toBe(trades.length);
  expect(Number(summary.positions['BTCUSDC'] ?? 0), `${hint}: position`).toBeCloseTo(
    exchange.markets[0]!.size(positions[0]?.size ?? lots(0)),
    9,
  );
  expect(Number(summary.fees), `${hint}: fees`).toBeCloseTo(toDecimal(micros(fees)), 6);
}
