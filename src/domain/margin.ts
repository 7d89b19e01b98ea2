// The margin model: one set of formulas for the embedded exchange and for the guards that project it.
// A new order is added in risk/margin-projection.ts (guards) and embedded/rules/order-checks.ts (exchange).
import type { Margins } from './account.ts';
import type { Market } from './market.ts';
import { type Lots, lots, type Micros, micros, mulPpm, type Ticks } from './numbers.ts';

/** What one perpetual adds to an account's margins. */
export interface MarginExposure {
  readonly market: Market;
  /** Index price. */
  readonly price: Ticks;
  /** Signed. */
  readonly position: Lots;
  /** Total size of open bids, and of open asks. */
  readonly bids: Lots;
  readonly asks: Lots;
  /** position × (index − entry). */
  readonly tradingPnl: Micros;
  /** Funding earned (positive) or owed since it was last settled into the balance. */
  readonly fundingPaymentPnl: Micros;
}

/** The largest size that could be held if every order of the worse side filled: max(|s + B|, |s − A|). */
export function worstSize(position: Lots, bids: Lots, asks: Lots): Lots {
  return lots(Math.max(Math.abs(position + bids), Math.abs(position - asks)));
}

/** The requirement on a notional, rounded against the account. */
export const requirement = (notional: Micros, ppm: number): Micros => micros(mulPpm(notional, ppm, 'up'));

/** Only for an exchange whose margin model has a cancel level. */
export type MarginsWithCancel = Margins & { readonly cmf: Micros };

/**
 * Margins of an account. With s the position, B and A the open bids and asks and P the index price of each perpetual:
 *
 *     pon = Σ max(|s + B|, |s − A|) × P          pn  = Σ |s| × P
 *     imf = Σ pon × imf_market                   mmf = Σ pn × mmf_market
 *     cmf = Σ pon × cmf_market
 *     mf  = collateral + Σ tradingPnl + Σ fundingPaymentPnl
 *     omf = min(mf, collateral + Σ fundingPaymentPnl)
 *
 * `collateral` is Σ balance × token price × weight (weight 1 for debts). Unrealised profit cannot open positions, so omf leaves it out; unrealised
 * loss does count. Source: the reference client's market model of the exchange, and its predecessor's published margin rules.
 */
export function marginsOf({ collateral, exposures }: { collateral: Micros; exposures: Iterable<MarginExposure> }): MarginsWithCancel {
  let [imf, cmf, mmf, pon, pn, trading, funding] = [0, 0, 0, 0, 0, 0, 0];
  for (const exposure of exposures) {
    const { market, price, position } = exposure;
    const withOrders = market.notional(price, worstSize(position, exposure.bids, exposure.asks));
    const held = market.notional(price, lots(Math.abs(position)));
    pon += withOrders;
    pn += held;
    imf += requirement(withOrders, market.imfPpm);
    cmf += requirement(withOrders, market.cmfPpm ?? market.imfPpm);
    mmf += requirement(held, market.mmfPpm);
    trading += exposure.tradingPnl;
    funding += exposure.fundingPaymentPnl;
  }
  const mf = collateral + trading + funding;
  return {
    omf: micros(Math.min(mf, collateral + funding)),
    mf: micros(mf),
    imf: micros(imf),
    cmf: micros(cmf),
    mmf: micros(mmf),
    pon: micros(pon),
    pn: micros(pn),
    bankruptcy: mf < 0,
  };
}

/** True if opening is allowed. */
export const mayOpen = ({ omf, imf }: Margins): boolean => omf > imf;
/** True if resting orders are cancelled. */
export const mustCancel = ({ omf, cmf, pon }: MarginsWithCancel): boolean => pon > 0 && omf <= cmf;
/** True if the position is liquidated. */
export const mustLiquidate = ({ mf, mmf, pn }: Margins): boolean => pn > 0 && mf < mmf;
