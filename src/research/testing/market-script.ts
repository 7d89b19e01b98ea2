// A scripted market: its book, prices and trades, line by line with their times.
import type { Side } from '../../bot/domain/book.ts';

/** The start of every script, in milliseconds since the epoch: 2026-01-05 12:00 UTC. */
export const SCRIPT_START = Date.UTC(2026, 0, 5, 12);

export interface MarketOptions {
  /** Symbol of a market of the embedded exchange. Default BTCUSDC. */
  readonly symbol?: string;
}

/** Prices in quote money, sizes in base units. */
export interface PriceAndSize {
  readonly price: number;
  readonly size: number;
}

/**
 * The script of one market. Times are texts such as `0s`, `1.5s` or `2m` after the start, or milliseconds; they must not decrease. Each method
 * returns the script, and throws a `UserError` for an invalid time or price.
 */
export interface MarketScript {
  readonly symbol: string;
  /** Sets the book around a price: five large levels on each side, one tick apart. Sets mark and index to the price. */
  price(at: number | string, price: number): this;
  /** Sets the whole book, best level first. */
  book(at: number | string, levels: { readonly bids: readonly PriceAndSize[]; readonly asks: readonly PriceAndSize[] }): this;
  /** Adds a trade between others. It fills our resting orders at its price or better, as in any backtest. */
  trade(at: number | string, trade: PriceAndSize & { readonly takerSide: Side }): this;
  /** Sets the mark and index price. Default of the index: the mark. */
  marks(at: number | string, prices: { readonly mark: number; readonly index?: number }): this;
  /** Announces one funding payment, `due` later (default `1h`), with a rate for eight hours; the view shows an eighth of it as the hourly rate. */
  funding(at: number | string, payment: { readonly rate: number; readonly due?: string }): this;
  /** Begins a gap in the data, until the next whole book. */
  gap(at: number | string): this;
  /** Extends the run at least to this time. */
  until(at: number | string): this;
}
