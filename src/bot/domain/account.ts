// An account at one poll: balances, positions, resting orders and margins at one `updateId`.

import type { Side } from './book.ts';
import type { AccountRef, ActionId, ClientOrderId, MarketId, OrderId, TokenId, UpdateId } from './ids.ts';
import type { Lots, Micros, Ticks } from './numbers.ts';

export interface Balance {
  readonly tokenId: TokenId;
  readonly token: string;
  /** Decimal, in whole tokens. */
  readonly amount: number;
}

/** What an account holds in one market. */
export interface Position {
  readonly market: MarketId;
  /** Positive long, negative short. */
  readonly size: Lots;
  /** Average entry price, decimal; off the tick after several fills. Undefined when flat. */
  readonly entry?: number | undefined;
  readonly tradingPnl: Micros;
  /** Funding earned since it was last settled into the balance; if `fundingIndex` is absent, since the run began. */
  readonly fundingPaymentPnl: Micros;
  /**
   * Cumulative funding paid by a long of one base unit from the start of the market to the last settlement, in quote units; absent if the exchange
   * does not report settlements.
   */
  readonly fundingIndex?: number | undefined;
  /** The last action that modified the position. */
  readonly actionId: ActionId;
}

/** An order that rests at the exchange, ours or not. */
export interface RestingOrder {
  readonly orderId: OrderId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  /** The size still to be filled. */
  readonly size: Lots;
  readonly originalSize: Lots;
  readonly clientOrderId?: ClientOrderId | undefined;
}

/**
 * Amounts of quote money, although the exchange calls them fractions: compare omf with imf and cmf, mf with mmf; never divide. An exchange that knows
 * an initial and a maintenance margin only has no cmf: its orders are never cancelled for margin.
 */
export interface Margins {
  readonly omf: Micros;
  readonly mf: Micros;
  readonly imf: Micros;
  readonly cmf?: Micros | undefined;
  readonly mmf: Micros;
  /** Notional of positions and orders. */
  readonly pon: Micros;
  /** Notional of positions. */
  readonly pn: Micros;
  readonly bankruptcy: boolean;
}

/** Fractions of the notional. */
export interface Fees {
  readonly maker: number;
  readonly taker: number;
}

/** An account at one poll: what it holds, its resting orders, its margins. */
export interface Account {
  readonly id: AccountRef;
  readonly updateId: UpdateId;
  readonly balances: readonly Balance[];
  /** Set if spot tokens, and the money to buy them, are apart from the margins, whose figures do not include them. */
  readonly spotApart?: true | undefined;
  readonly positions: readonly Position[];
  readonly orders: readonly RestingOrder[];
  readonly margins: Margins;
  /** How many requests the account has made, and how many the exchange allows it in all; absent if it states no such limit. */
  readonly requests?: { readonly used: number; readonly allowed: number } | undefined;
  /** The highest fee that the account is charged for a fill, as a fraction of the notional; absent if the exchange does not report it. */
  readonly feeRate?: number | undefined;
  /** The lowest and the highest fee of any tier of the exchange; absent if it does not report its tiers. */
  readonly feeRange?: { readonly lowest: number; readonly highest: number } | undefined;
  /** The fees of the account's tier, as fractions of the notional; absent if the exchange does not report them. A negative fee is paid to us. */
  readonly fees?: Fees | undefined;
}

/** The position in a market; undefined if there is none. A loop, because `find` with a function for each market costs more than the search. */
export function positionIn(positions: readonly Position[], market: MarketId): Position | undefined {
  for (const position of positions) if (position.market === market) return position;
  return undefined;
}
