// What is asked of the trading floor, and what comes of it.
import type { Account, Order } from './accounts.ts';
import type { Listing } from './market.ts';
import type { ErrorName, FillMode, Side } from './numbering.ts';

/** Thrown by whatever the exchange says no to. */
export class Refused extends Error {
  readonly error: ErrorName;

  constructor(error: ErrorName) {
    super(error);
    this.error = error;
  }
}

/** Price in ticks, size in lots, fees in millionths of the quote token, time in milliseconds of the engine. */
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

/** Parts per million of the notional, of the first tier. */
export const FEES = { maker: 100, taker: 350 } as const;
/** The accounts that the crowd trades from; their purses are bottomless and not kept. */
export const CROWD_ACCOUNTS = { taker: 9_001, maker: 9_002 } as const;

export const opposite = (side: Side): Side => (side === 'bid' ? 'ask' : 'bid');
