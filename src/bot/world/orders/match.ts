// Matches wanted levels with our orders: which orders already stand for a level, which levels have none, and which orders are surplus.
import type { Level, Side } from '../../domain/book.ts';
import type { Quote, Target } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks } from '../../domain/numbers.ts';
import type { Order } from '../../domain/order.ts';
import type { Exposure } from '../exposure.ts';
import type { World } from '../world.ts';

/** An order whose size is within a tenth of the wanted size is kept: its queue position is worth more than the difference. */
const SIZE_SLACK = 0.1;

export interface Matching {
  readonly side: Side;
  readonly wanted: readonly Level[];
  readonly orders: readonly Order[];
  readonly slack: Ticks;
}

/** `order` stands for the level; undefined if none does. `smaller` is a surplus order at the level's price that is too small for it. */
export interface Pair {
  readonly level: Level;
  readonly order: Order | undefined;
  readonly smaller: Order | undefined;
}

export interface Match {
  /** In the order of the wanted levels. */
  readonly wanted: readonly Pair[];
  readonly surplus: readonly Order[];
  /** All our orders of the side. */
  readonly own: readonly Order[];
}

/** A quote with the orders that stand for its levels. */
export interface MatchedQuote {
  readonly kind: 'quote';
  readonly intent: Quote;
  /** Our orders in the market: the match is valid for these only. */
  readonly orders: readonly Order[];
  readonly bid: Match;
  readonly ask: Match;
}

/** A target and the trade that is missing to reach it; undefined if none. */
export interface MatchedTarget {
  readonly kind: 'target';
  readonly intent: Target;
  readonly missing: { readonly side: Side; readonly size: Lots } | undefined;
}

/** An intent with the orders that already stand for it. */
export type Matched = MatchedQuote | MatchedTarget;

declare const approved: unique symbol;
/** An intent that every guard has passed, as matched then. Created only in `bot/risk/review.ts`: the type is the proof. */
export type Approved = Matched & { readonly [approved]: true };

export function matchQuote(intent: Quote, orders: readonly Order[]): MatchedQuote {
  const { bids, asks, slack } = intent;
  const bid = match({ side: 'bid', wanted: bids, orders, slack });
  return { kind: 'quote', intent, orders, bid, ask: match({ side: 'ask', wanted: asks, orders, slack }) };
}

/** Matches the same intent with the current orders and exposure. The result is not approved: the guards have not checked what is missing now. */
export function matchAgain(matched: Matched, world: Pick<World, 'orders' | 'exposure' | 'market'>): Matched {
  if (matched.kind === 'target') {
    const { intent } = matched;
    return {
      kind: 'target',
      intent,
      missing: shortfall(intent, { market: world.market(intent.market), ...world.exposure(intent.market) }),
    };
  }
  const { kind, intent } = matched;
  const orders = world.orders(intent.market);
  if (orders === matched.orders) return matched;
  const { bids, asks, slack } = intent;
  const bid = isAll(matched.bid.own, 'bid', orders) ? matched.bid : match({ side: 'bid', wanted: bids, orders, slack });
  const ask = isAll(matched.ask.own, 'ask', orders) ? matched.ask : match({ side: 'ask', wanted: asks, orders, slack });
  return { kind, intent, orders, bid, ask }; // not a spread: see `orderWith`
}

function isAll(own: readonly Order[], side: Side, orders: readonly Order[]): boolean {
  let count = 0;
  for (const order of orders) if (order.side === side && order !== own[count++]) return false;
  return count === own.length;
}

/**
 * Pairs one side's wanted levels with our live orders of that side, each with the nearest within `slack`. An order that is in flight, unknown or
 * being cancelled stands for the level too: nothing is placed beside it until its end is known. `orders` may include orders of the other side.
 */
export function match({ side, wanted, orders, slack }: Matching): Match {
  const own: Order[] = [];
  const surplus: Order[] = []; // the unwanted orders first
  const free: (Order | undefined)[] = [];
  for (const order of orders) {
    if (order.side !== side) continue;
    own.push(order);
    (order.unwanted === true ? surplus : free).push(order);
  }
  const pairs: Draft[] = [];
  for (const level of wanted) pairs.push({ level, order: takeNearest(free, level, slack, isStaying), smaller: undefined });
  // a level without a staying order waits for an order that is being cancelled there
  for (const pair of pairs) pair.order ??= takeNearest(free, pair.level, slack, isLeaving);
  let isFree = false;
  for (const order of free) {
    if (order === undefined) continue;
    isFree = true;
    surplus.push(order);
  }
  if (isFree) for (const pair of pairs) if (pair.order === undefined) pair.smaller = takeNearest(free, pair.level, slack, isSmaller);
  return { wanted: pairs, surplus, own };
}

type Draft = { -readonly [Part in keyof Pair]: Pair[Part] };

type Fits = (order: Order, wanted: Lots) => boolean;

const isStaying: Fits = (order, wanted) => order.status !== 'cancelling' && sizeFits(order, wanted);
const isLeaving: Fits = (order) => order.status === 'cancelling';
const isSmaller: Fits = (order, wanted) => order.size < wanted;

/** Removes and returns the first of the nearest orders that fit. */
function takeNearest(orders: (Order | undefined)[], level: Level, slack: Ticks, fits: Fits): Order | undefined {
  let found: number | undefined;
  let least = Infinity;
  for (let at = 0; at < orders.length && least > 0; at++) {
    const order = orders[at];
    if (order === undefined) continue;
    const distance = Math.abs(order.price - level.price);
    if (distance > slack || distance >= least || !fits(order, level.size)) continue;
    found = at;
    least = distance;
  }
  if (found === undefined) return undefined;
  const order = orders[found];
  orders[found] = undefined;
  return order;
}

const sizeFits = (order: Order, wanted: Lots): boolean => order.status !== 'open' || Math.abs(order.size - wanted) <= wanted * SIZE_SLACK;

/** True if orders stand for the whole intent, so that nothing has to be sent. */
export const stands = (matched: Matched): boolean =>
  matched.kind === 'target' ? matched.missing === undefined : isComplete(matched.bid) && isComplete(matched.ask);

export function allStand(some: readonly Matched[]): boolean {
  for (const matched of some) if (!stands(matched)) return false;
  return true;
}

function isComplete({ wanted }: Match): boolean {
  for (const { order } of wanted) if (order === undefined) return false;
  return true;
}

/** True if replacing a smaller order by `instead` lots is worth the lost queue position, for a level that is wanted with size `wanted`. */
export const isWorthReplacing = ({ size }: Order, instead: Lots, wanted: Lots): boolean => instead - size > wanted * SIZE_SLACK;

/**
 * Returns the trade that is missing to reach the target, or undefined if none. Orders that may have filled or are in flight count as filled in the
 * worse direction.
 */
export function shortfall(
  target: Target,
  { market, low, high, bids, asks }: Exposure & { readonly market: Market },
): MatchedTarget['missing'] {
  const toBuy = market.orderSize(lots(target.position - (high + bids)));
  if (toBuy > 0) return { side: 'bid', size: toBuy };
  const toSell = market.orderSize(lots(low - asks - target.position));
  return toSell > 0 ? { side: 'ask', size: toSell } : undefined;
}
