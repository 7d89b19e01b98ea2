// Compares a finished run at Hyperliquid's API with the record of the embedded exchange.
import { expect } from 'vitest';
import type { Market } from '../../src/bot/domain/market.ts';
import { lots, micros, toDecimal } from '../../src/bot/domain/numbers.ts';
import type { Finished, HyperliquidStage } from './stage.ts';

/** No order was sent twice, none is left or unknown, and fills, fees and the positions are those of the exchange. */
export function expectAgreement({ exchange, accounts, cloids }: HyperliquidStage, { ending, summary }: Finished, hint: string): void {
  const states = accounts.map((account) => exchange.account(account)!);
  const trades = accounts.flatMap((account) =>
    exchange.records
      .tradesSince({ account }, { after: 0, most: 100_000 })
      .map(({ takerId, takerFee, makerFee }) => (takerId === account ? takerFee : makerFee)),
  );
  expect(ending, hint).toEqual({ kind: 'settled' });
  expect(new Set(cloids).size, `${hint}: each order arrived once`).toBe(cloids.length);
  expect(
    states.flatMap(({ orders }) => orders),
    `${hint}: left behind`,
  ).toEqual([]);
  expect(summary.orders, hint).toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(summary.fills, `${hint}: fills`).toBe(trades.length);
  const held = (market: Market): number => {
    if (market.spec.kind === 'perp') return market.size(states[0]?.positions.find((one) => one.market === market.id)?.size ?? lots(0));
    const amount = states[1]?.balances.find(({ tokenId }) => tokenId === market.spec.baseTokenId)?.amount ?? 0;
    return market.orderSize(market.wholeLots(amount)) === 0 ? 0 : amount; // no order can sell less
  };
  for (const market of exchange.markets)
    expect(Number(summary.positions[market.symbol] ?? 0), `${hint}: the position in ${market.symbol}`).toBeCloseTo(held(market), 9);
  const fees = trades.reduce((sum, fee) => sum + fee, 0);
  expect(Number(summary.fees), `${hint}: fees`).toBeCloseTo(toDecimal(micros(fees)), 6);
}
