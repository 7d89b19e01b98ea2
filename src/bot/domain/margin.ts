// The margin model: one set of formulas for the embedded exchange and for the guards that project it.
// A new order is added in bot/risk/margin-projection.ts (guards) and embedded/exchange/rules/order-checks.ts (exchange).
import type { Margins } from './account.ts';
import type { Market } from './market.ts';
import { type Lots, lots, type Micros, micros, mulPpm, type Ticks } from './numbers.ts';

/** The data of one perpetual for an account's margins. */
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

/** The margin requirement of a notional, rounded up. */
export const requirement = (notional: Micros, ppm: number): Micros => micros(mulPpm(notional, ppm, 'up'));

/** Only for an exchange whose margin model has a cancel level. */
export type MarginsWithCancel = Margins & { readonly cmf: Micros };

/**
 * Adds up the margins of an account, one market at a time. With s the position, B and A the open bids and asks and P the index price of each perpetual:
 *
 *     pon = Σ max(|s + B|, |s − A|) × P          pn  = Σ |s| × P
 *     imf = Σ pon × imf_market                   mmf = Σ pn × mmf_market
 *     cmf = Σ pon × cmf_market
 *     mf  = collateral + Σ tradingPnl + Σ fundingPaymentPnl
 *     omf = min(mf, collateral + Σ fundingPaymentPnl)
 *
 * `collateral` is Σ balance × token price × weight (weight 1 for debts). Unrealised profit cannot open positions, so omf excludes it; unrealised
 * loss counts. Source: the reference client's market model of the exchange, and its predecessor's published margin rules.
 */
export class MarginSums {
  #imf = 0;
  #cmf = 0;
  #mmf = 0;
  #pon = 0;
  #pn = 0;
  #trading = 0;
  #funding = 0;

  add({ market, price, position, bids, asks, tradingPnl, fundingPaymentPnl }: MarginExposure): void {
    const held = market.notional(price, lots(Math.abs(position)));
    const withOrders = bids === 0 && asks === 0 ? held : market.notional(price, worstSize(position, bids, asks));
    this.#pon += withOrders;
    this.#pn += held;
    this.#imf += requirement(withOrders, market.imfPpm);
    this.#cmf += requirement(withOrders, market.cmfPpm ?? market.imfPpm);
    this.#mmf += requirement(held, market.mmfPpm);
    this.#trading += tradingPnl;
    this.#funding += fundingPaymentPnl;
  }

  margins(collateral: Micros): MarginsWithCancel {
    const mf = collateral + this.#trading + this.#funding;
    return {
      omf: micros(Math.min(mf, collateral + this.#funding)),
      mf: micros(mf),
      imf: micros(this.#imf),
      cmf: micros(this.#cmf),
      mmf: micros(this.#mmf),
      pon: micros(this.#pon),
      pn: micros(this.#pn),
      bankruptcy: mf < 0,
    };
  }
}

/** True if opening is allowed. */
export const mayOpen = ({ omf, imf }: Margins): boolean => omf > imf;
/** True if resting orders are cancelled. */
export const mustCancel = ({ omf, cmf, pon }: MarginsWithCancel): boolean => pon > 0 && omf <= cmf;
/** True if the position is liquidated. */
export const mustLiquidate = ({ mf, mmf, pn }: Margins): boolean => pn > 0 && mf < mmf;
