// Converts a strategy's quotes and targets from decimals to ticks and lots. Throws an error that names an invalid number.
import type { Millis } from '../../../base/clock.ts';
import { type Book, best, type Level, opposite, type Side } from '../../domain/book.ts';
import type { Quote, Target } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';

/** Price and size as decimals. */
export interface PriceLevel {
  readonly price: number;
  readonly size: number;
}

/** The argument of `quote`: the desired resting orders. */
export interface QuoteRequest {
  readonly bids?: readonly PriceLevel[];
  readonly asks?: readonly PriceLevel[];
  /** A resting order within this distance of a desired price is kept; a price difference. Default 0. */
  readonly slack?: number;
  /** `slack` in basis points of the best desired price; used if `slack` is absent. */
  readonly slackBps?: number;
  /** Default true: the exchange refuses an order that would trade at once; it is tried again later. */
  readonly postOnly?: boolean;
}

/** The argument of `target`: the desired position. */
export interface TargetRequest {
  /** Signed, in base units. */
  readonly position: number;
  /**
   * A position that differs from the previous target by less than this many basis points of it counts as unchanged, so that `notional / mid` does not
   * trade one lot at every move of the price. Default 100; with 0 every position is exact. A target of 0, one of the other sign, and one that has not
   * changed for a minute are always exact.
   */
  readonly bandBps?: number;
  /** The worst price to accept. */
  readonly limit?: number;
  /** Without a limit: maximum distance beyond the best price, in basis points. Default 10. */
  readonly maxSlippageBps?: number;
}

const DEFAULT_SLIPPAGE_BPS = 10;
const DEFAULT_BAND_BPS = 100;
/** A target that is unchanged for this long is exact. */
const STEADY_FOR: Millis = 60_000;

/** Creates quotes like `quoteOf`, but returns the previous, frozen quote for a request equal to the previous one, as in most turns. */
export function quoter(market: Market): (request: QuoteRequest) => Quote {
  let last: { readonly request: QuoteRequest; readonly quote: Quote } | undefined;
  return (request) => {
    if (last === undefined || !sameRequest(request, last.request))
      last = { quote: frozen(quoteOf(request, market)), request: copyOf(request) };
    return last.quote;
  };
}

/** Prices are rounded to the passive side, sizes toward zero. Levels left without a price or size are dropped, and equal prices become one order. */
export function quoteOf({ bids = [], asks = [], slack, slackBps = 0, postOnly = true }: QuoteRequest, market: Market): Quote {
  const [wantedBids, wantedAsks] = [levelsOf('bid', bids, market), levelsOf('ask', asks, market)];
  const reference = market.price(wantedBids[0]?.price ?? wantedAsks[0]?.price ?? ticks(0));
  const near = slack ?? (reference * checkedNumber(slackBps, { what: 'slackBps', market })) / 1e4;
  return {
    kind: 'quote',
    market: market.id,
    bids: wantedBids,
    asks: wantedAsks,
    slack: ticks(Math.floor(checkedNumber(near, { what: 'slack', market }) / tickOf(market) + 1e-9)),
    fillMode: postOnly ? 'POST_ONLY' : 'LIMIT',
    ...((isBelowLot(bids, market) || isBelowLot(asks, market)) && { belowLot: true }),
  };
}

function isBelowLot(requests: readonly PriceLevel[], market: Market): boolean {
  for (const { size } of requests) if (size > 0 && wholeLots(size, market) === 0) return true;
  return false;
}

function frozen(quote: Quote): Quote {
  for (const levels of [quote.bids, quote.asks]) for (const part of [levels, ...levels]) Object.freeze(part);
  return Object.freeze(quote);
}

const sameRequest = (one: QuoteRequest, other: QuoteRequest): boolean =>
  one.slack === other.slack &&
  one.slackBps === other.slackBps &&
  one.postOnly === other.postOnly &&
  sameLevels(one.bids, other.bids) &&
  sameLevels(one.asks, other.asks);

function sameLevels(some: readonly PriceLevel[] = [], others: readonly PriceLevel[] = []): boolean {
  if (some.length !== others.length) return false;
  for (let rank = 0; rank < some.length; rank++) {
    const one = some[rank]!;
    const other = others[rank]!;
    if (one.price !== other.price || one.size !== other.size) return false;
  }
  return true;
}

/** Copies the request, because the strategy may change its lists afterwards. */
const copyOf = (request: QuoteRequest): QuoteRequest => ({ ...request, bids: copiesOf(request.bids), asks: copiesOf(request.asks) });
const copiesOf = (levels: readonly PriceLevel[] = []): readonly PriceLevel[] => levels.map(({ price, size }) => ({ price, size }));

interface TargetInputs {
  readonly held: Lots;
  readonly book: Book | undefined;
  readonly now: Millis;
}

/** Creates targets of one market like `targetOf`, with a dead band around the previous position. */
export function targeter(market: Market): (request: TargetRequest, seen: TargetInputs) => Target {
  let wanted: number | undefined;
  let last: { readonly position: number; readonly since: Millis } | undefined;
  return ({ position, bandBps = DEFAULT_BAND_BPS, limit, maxSlippageBps }, { now, held, book }) => {
    const band = checkedNumber(bandBps, { what: 'bandBps', market }) / 1e4;
    if (last?.position !== position) last = { position, since: now };
    if (wanted === undefined || isBeyond(band, { position, wanted }) || now - last.since >= STEADY_FOR) wanted = position;
    return targetOf({ position: wanted, limit, maxSlippageBps }, { market, held, book });
  };
}

const isBeyond = (band: number, { position, wanted }: { position: number; wanted: number }): boolean =>
  Math.sign(position) !== Math.sign(wanted) || !(Math.abs(position - wanted) <= band * Math.abs(wanted));

interface WantedTarget extends Pick<TargetRequest, 'position'> {
  readonly limit?: number | undefined;
  readonly maxSlippageBps?: number | undefined;
}

/** Without a book and without a limit there is no price to take at: the intent then keeps the current position. */
export function targetOf(
  { position, limit, maxSlippageBps = DEFAULT_SLIPPAGE_BPS }: WantedTarget,
  { market, held, book }: { market: Market; held: Lots; book: Book | undefined },
): Target {
  const size = wholeLots(checkedNumber(Math.abs(position), { what: 'the position', market, step: lotOf(market) }), market);
  const wanted = lots(position < 0 ? -size : size);
  const side: Side = wanted >= held ? 'bid' : 'ask';
  const slippage = checkedNumber(maxSlippageBps, { what: 'maxSlippageBps', market }) / 1e4;
  const worst = limit ?? beyondBest(book, { side, slippage, market });
  if (worst === undefined) return { kind: 'target', market: market.id, position: held, limit: ticks(0) };
  const target: Target = { kind: 'target', market: market.id, position: wanted, limit: tickAt(worst, { side, market }) };
  return size === 0 && position !== 0 ? { ...target, belowLot: true } : target;
}

function levelsOf(side: Side, requests: readonly PriceLevel[], market: Market): readonly Level[] {
  const levels: Level[] = [];
  for (const request of requests) {
    const price = tickAt(request.price, { side, market });
    const size = wholeLots(checkedNumber(request.size, { what: SIZE_IN[side], market, step: lotOf(market) }), market);
    if (price > 0 && size > 0) insert(levels, { price, size }, side);
  }
  return levels;
}

/** Keeps the best first. Most strategies give their levels in that order, so the search starts at the far end. */
function insert(levels: Level[], level: Level, side: Side): void {
  const outward = side === 'bid' ? -1 : 1;
  let at = levels.length;
  while (at > 0 && outward * ((levels[at - 1] as Level).price - level.price) > 0) at--;
  const before = levels[at - 1];
  if (before?.price === level.price) levels[at - 1] = { price: level.price, size: lots(before.size + level.size) };
  else if (at === levels.length) levels.push(level);
  else levels.splice(at, 0, level);
}

const SIZE_IN = { bid: 'a size in the bids', ask: 'a size in the asks' } as const;
const PRICE_IN = { bid: 'a price in the bids', ask: 'a price in the asks' } as const;

/** The tick on the passive side. A price that is off the tick only by the rounding error of a double is on it. */
function tickAt(price: number, { side, market }: { side: Side; market: Market }): Ticks {
  const wanted = checkedNumber(price, { what: PRICE_IN[side], market, step: tickOf(market) });
  const exact = market.ticksOf(wanted);
  return exact !== undefined && market.isOrderPrice(exact) ? exact : market.restAt(side, wanted);
}

/** Rounds to lots toward zero, with the same tolerance as `tickAt`. */
const wholeLots = (size: number, market: Market): Lots => market.orderSize(market.lotsOf(size) ?? market.lots(size));

function beyondBest(
  book: Book | undefined,
  { side, slippage, market }: { side: Side; slippage: number; market: Market },
): number | undefined {
  const touch = book === undefined ? undefined : best(book, opposite(side));
  return touch === undefined ? undefined : market.price(touch.price) * (side === 'bid' ? 1 + slippage : 1 - slippage);
}

const tickOf = (market: Market): number => market.price(ticks(1));
const lotOf = (market: Market): number => market.size(lots(1));

interface Named {
  readonly what: string;
  readonly market: Market;
  /** The value must be a safe integer number of these steps. */
  readonly step?: number;
}

/** Returns a finite number that is not negative; throws an error that names the value otherwise. */
function checkedNumber(value: number, { what, market, step = 1 }: Named): number {
  const fault = faultOf(value, step);
  if (fault === undefined) return value;
  throw new Error(`${market.symbol}: ${what} is ${String(value)}, ${fault}`);
}

function faultOf(value: unknown, step: number): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'which is not a finite number';
  if (value < 0) return 'which is negative';
  return Number.isSafeInteger(Math.ceil(value / step)) ? undefined : 'which is more than an order can have';
}
