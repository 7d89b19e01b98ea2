// A market written line by line: what its book, its prices and its trades are at which moment.
import type { Side } from '../domain/side.ts';

/** When every script begins, in milliseconds since the epoch: 2026-01-05 12:00 UTC. */
export const SCRIPT_START = Date.UTC(2026, 0, 5, 12);

export interface MarketOptions {
  /** Which market of the embedded exchange it is; BTCUSDC by default. */
  readonly symbol?: string;
}

/** Prices in quote money, sizes in base units. */
export interface PriceAndSize {
  readonly price: number;
  readonly size: number;
}

/**
 * What happens in one market. Times are texts such as `0s`, `1.5s` or `2m` after the start, or milliseconds; they must not go back. Each method returns
 * the script, and throws a `UserError` for a time or a price that cannot be.
 */
export interface MarketScript {
  readonly symbol: string;
  /** The whole book around a price: five levels on each side, one tick apart, deep enough for any test. Mark and index are the price. */
  price(at: number | string, price: number): this;
  /** The whole book, best level first. */
  book(at: number | string, levels: { readonly bids: readonly PriceAndSize[]; readonly asks: readonly PriceAndSize[] }): this;
  /** A trade of others. It fills our resting orders at its price or better, as in any backtest. */
  trade(at: number | string, trade: PriceAndSize & { readonly takerSide: Side }): this;
  /** Mark and index price; the index is the mark by default. */
  marks(at: number | string, prices: { readonly mark: number; readonly index?: number }): this;
  /** Funding that is paid once, `due` later (`1h` by default): a rate for eight hours, of which the view shows an eighth as the rate an hour. */
  funding(at: number | string, payment: { readonly rate: number; readonly due?: string }): this;
  /** Nothing is known of the market from here until the next whole book. */
  gap(at: number | string): this;
  /** The run lasts at least until then. */
  until(at: number | string): this;
}
