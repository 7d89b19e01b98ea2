// The interface of a trader, who acts once per step, and helpers shared by all traders.
import type { Rng } from '../../../base/rng.ts';
import { opposite, type Side, signOf } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import type { Fair } from './fair-price.ts';
import type { FlowPort } from './flow-port.ts';
import type { Regime } from './regimes.ts';

export interface Trader {
  act(port: FlowPort, fair: Fair): void;
}

/** The trader's number, its randomness, and the sizes of its market. */
export interface Attachment {
  readonly trader: number;
  readonly rng: Rng;
  readonly sizes: Sizes;
  readonly regime: Regime;
}

export type Attach = (attachment: Attachment) => Trader;

/** Converts between sizes and quote money, so that one flow suits every market; computed once, because exact decimals are slow. */
export interface Sizes {
  /** Whole lots, at least one. */
  lots(notional: number): Lots;
  /** Signed. */
  notional(size: Lots): number;
}

/** Lots are always valued at `price`, decimal, because the flow's price stays near its base. */
export function sizesOf(market: Market, price: number): Sizes {
  const lotValue = market.size(lots(1)) * price;
  return {
    lots: (notional) => lots(Math.max(1, Math.round(notional / lotValue))),
    notional: (size) => size * lotValue,
  };
}

/** Cap of a position's share of its limit, which bounds the price skew. */
const LARGEST_SHARE = 5;

/** Returns the position as a share of the trader's limit; signed. */
export function positionShare(port: FlowPort, { trader, sizes }: Attachment, limit: number): number {
  const share = sizes.notional(port.position(trader)) / limit;
  return Math.max(-LARGEST_SHARE, Math.min(LARGEST_SHARE, share));
}

/** Returns the tick on the passive side of a price between ticks: a bid below it, an ask above it. */
export const passiveTick = (side: Side, price: number): Ticks => ticks(Math.max(1, side === 'bid' ? Math.floor(price) : Math.ceil(price)));

/** Takes orders within `slippage` basis points of the touch. */
export function takeAtMarket(
  port: FlowPort,
  { trader, side, size, slippage }: { trader: number; side: Side; size: Lots; slippage: number },
): void {
  const touch = port.best(opposite(side));
  if (touch === undefined) return;
  const price = passiveTick(side, touch * (1 + (signOf(side) * slippage) / 1e4));
  port.place({ trader, side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size });
}

/** Returns a random side to trade on; the larger the position, the likelier the side that reduces it. */
export const drawSide = (rng: Rng, share: number): Side => (rng.next() < 0.5 - 0.3 * share ? 'bid' : 'ask');
