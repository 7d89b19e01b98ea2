// How near an account is to the lines of its margins: refusal of new orders, cancelling of orders, liquidation.
import type { Account, Margins } from '../domain/account.ts';
import type { Market } from '../domain/market.ts';
import { MICROS_PER_UNIT } from '../domain/numbers.ts';

/** required ÷ there: 0 far away, 1 at the line or beyond; undefined if the exchange has no such line. */
export interface MarginShares {
  /** New orders are refused at 1: imf against omf. */
  readonly open: number;
  /** Resting orders are cancelled at 1: cmf against omf. */
  readonly cancel: number | undefined;
  /** Positions are liquidated at 1: mmf against mf. */
  readonly maintenance: number;
}

export function marginShares({ omf, mf, imf, cmf, mmf }: Margins): MarginShares {
  return { open: share(imf, omf), cancel: cmf === undefined ? undefined : share(cmf, omf), maintenance: share(mmf, mf) };
}

const share = (required: number, there: number): number =>
  required === 0 ? 0 : there <= 0 ? 1 : Math.min(1, Math.max(0, required / there));

/**
 * The mark price at which the maintenance margin would be reached if only this market moved, decimal; undefined when flat, or if no positive price
 * reaches it. From mf − mmf = |size| × distance × (1 ∓ mmf fraction): a falling price also lowers the requirement of a long, a rising one adds to
 * that of a short.
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
