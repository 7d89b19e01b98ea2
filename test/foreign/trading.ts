// Inputs and outputs of the matching engine: place requests, trades, refusals and fees.
import type { Account, Order } from './accounts.ts';
import type { Listing } from './market.ts';
import type { ErrorName, FillMode, Side } from './numbering.ts';

/** Thrown when the exchange refuses an action. */
export class Refused extends Error {
  readonly error: ErrorName;

  constructor(error: ErrorName) {
    super(error);
    this.error = error;
  }
}

/** Price in ticks, size in lots, fees in millionths of the quote token, time in engine milliseconds. */
export interface Trade {
  readonly time: number;
  readonly actionId: bigint;
  readonly tradeId: bigint;
  readonly listing: Listing;
  readonly takerId: number;
  readonly takerSide: Side;
  readonly makerId: number;
  readonly orderId: bigint;
  readonly price: number;
  readonly size: number;
  readonly makerFee: number;
  readonly takerFee: number;
}

export interface PlaceRequest {
  readonly account: Account;
  readonly listing: Listing;
  readonly side: Side;
  readonly fillMode: FillMode;
  /** Ticks; 0 = no limit. */
  readonly price: number;
  /** Lots. */
  readonly size: number;
  readonly reduceOnly: boolean;
  readonly clientOrderId: bigint | undefined;
}

export interface Placed {
  readonly posted: Order | undefined;
  readonly fills: readonly Trade[];
}

/** Fees of the first tier, in parts per million of the notional. */
export const FEES = { maker: 100, taker: 350 } as const;
/** Account ids of the other traders. Their balances are unlimited and not recorded. */
export const OTHER_ACCOUNTS = { taker: 9_001, maker: 9_002 } as const;

export const opposite = (side: Side): Side => (side === 'bid' ? 'ask' : 'bid');
