// Applies the exits of one market: returns their new state, and the quote or target for the guards. A stop replaces the intent by a target of 0; a take
// profit adds a resting order to it, or closes at once if the book has reached its price. The side of a triggered exit is suspended.
import { best, type Level, opposite, type Side, signOf } from '../../domain/book.ts';
import { EXIT_SLIPPAGE_BPS, type Exit, type OrderIntent, type Quote } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import { lots, type Ticks, ticks } from '../../domain/numbers.ts';
import type { Finding } from '../../domain/turn.ts';
import type { Rejection } from '../../risk/guard.ts';
import type { ExitState, TriggeredExit, WatchedPosition } from '../../world/position/exit-state.ts';
import { type ExitFacts, surelyHeld } from './exit-facts.ts';
import { endFindings, suspension, triggerFinding } from './findings.ts';
import { isUnclear, levelOf, type StopLevel, stopOf, triggeredBy, updateExit, updatePosition } from './position.ts';

export interface Resolved {
  readonly state: ExitState;
  /** Undefined if nothing is desired in the market. */
  readonly intent: OrderIntent | undefined;
  /** Findings that are reported once. */
  readonly events: readonly Finding[];
  /** The rejection to report while the strategy wants orders of a side that is suspended. */
  readonly suspended: Rejection | undefined;
}

/** `intent` is the strategy's quote or target, `exits` its exits for the same market. */
export function resolveExits(
  before: ExitState,
  { intent, exits }: { intent: OrderIntent | undefined; exits: readonly Exit[] },
  facts: ExitFacts,
): Resolved {
  const position = withUnclearCandle(updatePosition(before.position, facts, exits.length > 0), exits, facts);
  const { exit: earlier, events } = updateExit(before.triggered, facts);
  const reached = isStopping(earlier) ? undefined : triggeredBy({ position, before: before.position, exits }, facts);
  // A take-profit that is still closing is not triggered again.
  const isNew = reached !== undefined && !(reached.exit === 'take-profit' && earlier?.isClosed === false);
  const current = isNew ? reached : earlier;
  const happened = isNew ? [...events, triggerFinding(reached, facts)] : events;
  const isOver = current !== undefined && suspensionEnds(current, intent, facts);
  const triggered = isOver ? undefined : current;
  const effective = effectiveIntent({ position, triggered, intent, exits }, facts);
  return {
    state: { position: position === undefined ? undefined : { ...position, resting: effective.resting }, triggered },
    intent: effective.intent,
    events: isOver && !current.isReported ? [...happened, ...endFindings(current, facts)] : happened,
    suspended: triggered !== undefined && effective.isCut ? suspension(triggered, facts) : undefined,
  };
}

/** Returns the position, with the current candle counted if it is unclear. */
const withUnclearCandle = (position: WatchedPosition | undefined, exits: readonly Exit[], facts: ExitFacts): WatchedPosition | undefined =>
  position === undefined || !isUnclear(exits, position, facts) ? position : { ...position, unclear: (position.unclear ?? 0) + 1 };

/** True while a stop is closing the position. */
const isStopping = (exit: TriggeredExit | undefined): boolean => exit !== undefined && !exit.isClosed && exit.exit !== 'take-profit';

/** Returns the nearest stop of a position that is certainly held and that no stop is closing. */
export function standingStop({ position, triggered }: ExitState, exits: readonly Exit[], facts: ExitFacts): StopLevel | undefined {
  if (position === undefined || isStopping(triggered) || surelyHeld(position.side, facts) === 0) return undefined;
  const price = stopOf(exits, position);
  return price === undefined ? undefined : { side: position.side, price };
}

interface Inputs extends ExitState {
  readonly intent: OrderIntent | undefined;
  readonly exits: readonly Exit[];
}

interface Effective {
  readonly intent: OrderIntent | undefined;
  /** The take-profit order, if it rests alone: the strategy returns no quote, and its target, if it returns one, is reached. */
  readonly resting: Resting | undefined;
}

/** Price in quote money, size in lots. */
type Resting = NonNullable<NonNullable<ExitState['position']>['resting']>;

/** The default applies if the strategy no longer returns exits for the position. */
const slippageOf = (exits: readonly Exit[]): number =>
  exits.length === 0 ? EXIT_SLIPPAGE_BPS : Math.max(...exits.map(({ maxSlippageBps }) => maxSlippageBps));

function effectiveIntent({ position, triggered, intent, exits }: Inputs, facts: ExitFacts): Effective & { readonly isCut: boolean } {
  if (isStopping(triggered)) {
    const isCut = triggered !== undefined && opensSide(intent, triggered.side, facts);
    return { intent: closing(facts, slippageOf(exits)), resting: undefined, isCut };
  }
  const left = triggered === undefined ? intent : withoutSide(intent, triggered.side, facts);
  const isCut = left !== intent;
  const price = position === undefined ? undefined : levelOf(exits, 'take-profit', position);
  if (position === undefined || price === undefined || facts.book === undefined) return { intent: left, resting: undefined, isCut };
  const side = opposite(position.side);
  return { ...withTakeProfit(left, { side, price: facts.market.restAt(side, price) }, facts), isCut };
}

/** Returns the target that closes the position by taking from the book, within the slippage from the best price; undefined while there is no book. */
function closing({ market, held, book }: ExitFacts, slippageBps: number): OrderIntent | undefined {
  const side: Side = held > 0 ? 'ask' : 'bid';
  const touch = book === undefined || held === 0 ? undefined : best(book, opposite(side))?.price;
  if (touch === undefined) return undefined;
  return closeAt(market, market.restAt(side, market.price(touch) * (1 - (signOf(opposite(side)) * slippageBps) / 1e4)));
}

const closeAt = (market: Market, limit: Ticks): OrderIntent => ({
  kind: 'target',
  market: market.id,
  position: lots(0),
  limit,
  reduceOnly: true,
});

/** True if the intent would open or enlarge a position of that side. */
function opensSide(intent: OrderIntent | undefined, side: Side, facts: ExitFacts): boolean {
  if (intent === undefined) return false;
  if (intent.kind === 'target') return signOf(side) * intent.position > surelyHeld(side, facts);
  return intent[SIDE_OF[side]].length > 0;
}

const SIDE_OF = { bid: 'bids', ask: 'asks' } as const;

/** Removes from the intent what would open or enlarge a position of that side. Levels that reduce an opposite position stay. */
function withoutSide(intent: OrderIntent | undefined, side: Side, facts: ExitFacts): OrderIntent | undefined {
  if (intent === undefined || !opensSide(intent, side, facts)) return intent;
  if (intent.kind === 'target') return undefined;
  const levels = intent[SIDE_OF[side]];
  let reducible = surelyHeld(opposite(side), facts);
  const left: Level[] = [];
  for (const { price, size } of levels) {
    const kept = Math.min(size, Math.max(0, reducible));
    if (kept > 0) left.push({ price, size: lots(kept) });
    reducible -= size;
  }
  if (left.length === levels.length && reducible >= 0) return intent;
  return { ...intent, [SIDE_OF[side]]: left };
}

/**
 * Adds the take-profit order. If the book has already reached its price, the position is closed at once. Otherwise a target that the position has not
 * reached yet has precedence.
 */
function withTakeProfit(intent: OrderIntent | undefined, { side, price }: { side: Side; price: Ticks }, facts: ExitFacts): Effective {
  const { market, exposure, book, orders } = facts;
  const level: Level = { price, size: lots(surelyHeld(opposite(side), facts)) };
  const unchanged = { intent, resting: undefined };
  if (level.size === 0) return unchanged;
  const isResting = orders.some((order) => order.side === side && order.price === price);
  const touch = book === undefined ? undefined : best(book, opposite(side))?.price;
  if (!isResting && touch !== undefined && signOf(side) * (touch - price) <= 0)
    return { intent: closeAt(market, price), resting: undefined };
  if (intent?.kind === 'quote') return { intent: withLevel(intent, side, level), resting: undefined };
  const isReached = intent === undefined || (exposure.low <= intent.position && intent.position <= exposure.high);
  if (!isReached) return unchanged;
  return { intent: takingProfit(market, side, level), resting: { size: level.size, price: market.price(price) } };
}

const takingProfit = (market: Market, side: Side, level: Level): Quote => {
  const none: readonly Level[] = [];
  const own = { bids: none, asks: none, [SIDE_OF[side]]: [level] };
  return { kind: 'quote', market: market.id, ...own, slack: ticks(0), fillMode: 'POST_ONLY' };
};

/** Adds a level for the part of the position that the strategy's own levels at this price or better do not close. */
function withLevel(quote: Quote, side: Side, { price, size }: Level): Quote {
  const levels = quote[SIDE_OF[side]];
  const isNearer = (level: Level): boolean => signOf(side) * (level.price - price) > 0;
  const before = levels.filter((level) => isNearer(level));
  const same = levels.find((level) => level.price === price)?.size ?? 0;
  const missing = size - same - before.reduce((sum, level) => sum + level.size, 0);
  if (missing <= 0) return quote;
  const after = levels.filter((level) => !isNearer(level) && level.price !== price);
  return { ...quote, [SIDE_OF[side]]: [...before, { price, size: lots(same + missing) }, ...after] };
}

/** True if the suspension ends: the position is closed, and in a turn with prices the strategy wants no order that opens that side. */
const suspensionEnds = ({ isClosed, side }: TriggeredExit, intent: OrderIntent | undefined, facts: ExitFacts): boolean =>
  isClosed && facts.book !== undefined && facts.book.bids.length > 0 && facts.book.asks.length > 0 && !opensSide(intent, side, facts);
