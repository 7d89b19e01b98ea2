// What every trader of the flow has: a seat at the market, and one look at it a step.
import type { Rng } from '../../base/rng.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';
import { opposite, type Side, signOf } from '../../domain/side.ts';
import type { Fair } from './fair-price.ts';
import type { FlowPort } from './flow-port.ts';

export interface Trader {
  act(port: FlowPort, fair: Fair): void;
}

/** Who is sitting there, with what luck, and how much a lot is. */
export interface Attachment {
  readonly trader: number;
  readonly rng: Rng;
  readonly sizes: Sizes;
}

export type Attach = (attach: Attachment) => Trader;

/** Sizes by what they are worth in quote money, so that one flow suits every market; worked out once, as exact decimals are slow. */
export interface Sizes {
  /** Whole lots, at least one. */
  lots(notional: number): Lots;
  /** Signed. */
  notional(size: Lots): number;
}

/** A lot is valued at `price`, decimal, for ever: the flow's price stays near its base. */
export function sizesOf(market: Market, price: number): Sizes {
  const lotValue = market.size(lots(1)) * price;
  return {
    lots: (notional) => lots(Math.max(1, Math.round(notional / lotValue))),
    notional: (size) => size * lotValue,
  };
}

/** Beyond this many times its limit a position is no more uncomfortable: prices lean far then, but never absurdly. */
const HEAVIEST = 5;

/** The position as a share of what the trader likes to hold at most; signed. */
export function burden(port: FlowPort, { trader, sizes }: Attachment, limit: number): number {
  const share = sizes.notional(port.position(trader)) / limit;
  return Math.max(-HEAVIEST, Math.min(HEAVIEST, share));
}

/** The tick on the passive side of a price between ticks: a bid below it, an ask above it. */
export const passiveTick = (side: Side, price: number): Ticks => ticks(Math.max(1, side === 'bid' ? Math.floor(price) : Math.ceil(price)));

/** Takes what rests within `slippage` basis points of the touch, and no more. */
export function takeAtMarket(
  port: FlowPort,
  { trader, side, size, slippage }: { trader: number; side: Side; size: Lots; slippage: number },
): void {
  const touch = port.best(opposite(side));
  if (touch === undefined) return;
  const price = passiveTick(side, touch * (1 + (signOf(side) * slippage) / 1e4));
  port.place({ trader, side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size });
}

/** A side to trade on: mostly chance, and the less a position asks for more of it the likelier. */
export const sideAgainst = (rng: Rng, burdened: number): Side => (rng.next() < 0.5 - 0.3 * burdened ? 'bid' : 'ask');
