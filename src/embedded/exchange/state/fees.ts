// The fee of a trade: by the account's volume of the last thirty days, or the same rate for all accounts.

import type { Side } from '../../../bot/domain/book.ts';
import type { FeeRates, Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Micros, micros, mulPpm } from '../../../bot/domain/numbers.ts';

export type Role = 'maker' | 'taker';

export interface FeeBracket extends FeeRates {
  readonly tier: number;
}

/** Tiers 0 to 4 are the standard ones; 5 to 9 are the same minus a fifth, for accounts with a discount. */
export const FEE_BRACKETS: readonly FeeBracket[] = [
  { tier: 0, makerPpm: 100, takerPpm: 350 },
  { tier: 1, makerPpm: 50, takerPpm: 300 },
  { tier: 2, makerPpm: 0, takerPpm: 250 },
  { tier: 3, makerPpm: 0, takerPpm: 230 },
  { tier: 4, makerPpm: 0, takerPpm: 200 },
  { tier: 5, makerPpm: 80, takerPpm: 280 },
  { tier: 6, makerPpm: 40, takerPpm: 240 },
  { tier: 7, makerPpm: 0, takerPpm: 200 },
  { tier: 8, makerPpm: 0, takerPpm: 184 },
  { tier: 9, makerPpm: 0, takerPpm: 160 },
];

/** The volumes of quote money above which each tier after the first begins. */
const TIER_VOLUMES: readonly Micros[] = [5e6, 25e6, 100e6, 1e9].map((units) => micros(units * 1e6));

/** Returns the standard tier of a thirty-day volume. */
export function tierOf(volume: number): number {
  let tier = 0;
  while (tier < TIER_VOLUMES.length && volume > TIER_VOLUMES[tier]!) tier++;
  return tier;
}

/** Returns the fee of one execution, negative if it is paid out; rounded up to the millionth. */
export const feeOn = (notional: Micros, ppm: number): Micros => micros(mulPpm(notional, ppm, 'up'));

/** Returns the fee of a purchase of this size that is taken from the tokens that are bought; rounded up to the lot. */
export const baseFeeOn = (size: Lots, ppm: number): Lots => lots(mulPpm(size, ppm, 'up'));

/** True if the fee is taken from the tokens that are bought. */
export const paysInBase = ({ spec }: Market, side: Side): boolean => spec.buyFee === 'base' && side === 'bid';
