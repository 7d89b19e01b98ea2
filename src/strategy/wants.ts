// An author's wishes in decimals, turned into intents on the tick and on the lot; nonsense is named, not rounded.
import { best, type Book, type Level } from '../domain/book.ts';
import type { Quote, Target } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../domain/numbers.ts';
import { opposite, type Side } from '../domain/side.ts';

/** Price and size as decimals. */
export interface PriceLevel {
  readonly price: number;
  readonly size: number;
}

export interface QuoteWish {
  readonly bids?: readonly PriceLevel[];
  readonly asks?: readonly PriceLevel[];
  /** A resting order this near to a wanted price is left where it is; in price, or in basis points of the wanted price. Default 0. */
  readonly slack?: number;
  readonly slackBps?: number;
  /** Default true: an order that would trade at once is refused by the exchange instead, and wanted again later. */
  readonly postOnly?: boolean;
}

export interface TargetWish {
  /** Signed, in base units. */
  readonly position: number;
  /** The worst price to accept. */
  readonly limit?: number;
  /** Where no limit is given: how far beyond the best price to go, in basis points. Default 10. */
  readonly maxSlippageBps?: number;
}

const DEFAULT_SLIPPAGE_BPS = 10;

/** Prices rounded to the passive side, sizes toward zero; what is left with no price or size is dropped, and equal prices are one order. */
export function quoteOf({ bids = [], asks = [], slack, slackBps = 0, postOnly = true }: QuoteWish, market: Market): Quote {
  const wanted = { bids: levelsOf('bid', bids, market), asks: levelsOf('ask', asks, market) };
  const reference = wanted.bids[0]?.price ?? wanted.asks[0]?.price ?? 0;
  const near = slack === undefined ? (reference * checked(slackBps, { name: 'slackBps', market })) / 1e4 : checked(slack, { name: 'slack', market }) / tickOf(market);
  return { kind: 'quote', market: market.id, ...wanted, slack: ticks(Math.floor(Math.abs(near) + 1e-9)), fillMode: postOnly ? 'POST_ONLY' : 'LIMIT' };
}

/** Without a book and without a limit there is no price to take at: the position is then wanted as it is. */
export function targetOf(
  { position, limit, maxSlippageBps = DEFAULT_SLIPPAGE_BPS }: TargetWish,
  { market, held, book }: { market: Market; held: Lots; book: Book | undefined },
): Target {
  const wanted = signedLots(position, market);
  const side: Side = wanted >= held ? 'bid' : 'ask';
  const worst = limit ?? beyondBest(book, { side, slippage: checked(maxSlippageBps, { name: 'maxSlippageBps', market }) / 1e4, market });
  if (worst === undefined) return { kind: 'target', market: market.id, position: held, limit: ticks(0) };
  return { kind: 'target', market: market.id, position: wanted, limit: tickAt(side, worst, market) };
}

function levelsOf(side: Side, wishes: readonly PriceLevel[], market: Market): readonly Level[] {
  const sizes = new Map<Ticks, number>();
  for (const { price, size } of wishes) {
    const at = tickAt(side, price, market);
    if (checked(size, { name: `the size of a ${side}`, market }) < 0) throw mistake(market, `the size of a ${side} is ${size}; sizes are positive on both sides`);
    const whole = signedLots(size, market);
    if (at > 0 && whole > 0) sizes.set(at, (sizes.get(at) ?? 0) + whole);
  }
  const best = side === 'bid' ? -1 : 1;
  return [...sizes].map(([price, size]) => ({ price, size: lots(size) })).sort((a, b) => best * (a.price - b.price));
}

/** The passive tick; a price that is on the tick but for the last bits of a double is taken as it was meant. */
function tickAt(side: Side, price: number, market: Market): Ticks {
  const safe = checked(price, { name: `the price of a ${side}`, market, most: Number.MAX_SAFE_INTEGER * tickOf(market) });
  if (safe <= 0) throw mistake(market, `the price of a ${side} is ${price}; it must be above zero`);
  return market.ticksOf(safe) ?? market.restAt(side, safe);
}

/** Toward zero, with the same forgiveness. */
function signedLots(size: number, market: Market): Lots {
  const safe = checked(size, { name: 'a size', market, most: Number.MAX_SAFE_INTEGER * market.size(lots(1)) });
  const whole = market.lotsOf(Math.abs(safe)) ?? market.lots(Math.abs(safe));
  return lots(safe < 0 ? -whole : whole);
}

function beyondBest(book: Book | undefined, { side, slippage, market }: { side: Side; slippage: number; market: Market }): number | undefined {
  const touch = book === undefined ? undefined : best(book, opposite(side));
  if (touch === undefined) return undefined;
  return market.price(touch.price) * (side === 'bid' ? 1 + slippage : 1 - slippage);
}

const tickOf = (market: Market): number => market.price(ticks(1));

function checked(value: number, { name, market, most = Number.MAX_VALUE }: { name: string; market: Market; most?: number }): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw mistake(market, `${name} is ${String(value)}; it must be a finite number`);
  if (Math.abs(value) > most) throw mistake(market, `${name} is ${value}; no order can be so large`);
  return value;
}

const mistake = ({ symbol }: Market, text: string): Error => new Error(`${symbol}: ${text}`);
