// Margin use of an account: how near it is to refusal of new orders, cancelling of orders, and liquidation.
import type { Account, Margins } from '../../bot/domain/account.ts';
import type { Market } from '../../bot/domain/market.ts';
import { MICROS_PER_UNIT } from '../../bot/domain/numbers.ts';

/** Margin use: required margin divided by available margin, from 0 to 1. At 1 the limit is reached. */
export interface MarginShares {
  /** `imf / omf`: at 1 new orders are refused. */
  readonly open: number;
  /** `cmf / omf`: at 1 resting orders are cancelled. Undefined if the exchange has no such limit. */
  readonly cancel: number | undefined;
  /** `mmf / mf`: at 1 positions are liquidated. */
  readonly maintenance: number;
}

/** Returns the margin use of these margins. */
export function marginShares({ omf, mf, imf, cmf, mmf }: Margins): MarginShares {
  return { open: share(imf, omf), cancel: cmf === undefined ? undefined : share(cmf, omf), maintenance: share(mmf, mf) };
}

function share(required: number, available: number): number {
  if (required === 0) return 0;
  return available <= 0 ? 1 : Math.min(1, Math.max(0, required / available));
}

/**
 * Returns the mark price, decimal, at which the account would be liquidated if only this market moved; undefined when flat, or if there is no such
 * positive price. Solves mf − mmf = |size| × distance × (1 ∓ mmf fraction): a falling price also lowers the requirement of a long, a rising one
 * adds to that of a short.
 */
export function liquidationPrice({ margins, positions }: Account, market: Market, mark: number): number | undefined {
  const lots = positions.find((position) => position.market === market.id)?.size ?? 0;
  if (lots === 0 || market.spec.kind !== 'perp') return undefined;
  const size = market.size(lots);
  const room = (margins.mf - margins.mmf) / MICROS_PER_UNIT;
  const distance = room / (Math.abs(size) * (1 - Math.sign(size) * market.spec.mmf));
  const price = mark - Math.sign(size) * distance;
  return price > 0 ? price : undefined;
}
