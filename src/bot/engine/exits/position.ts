// The position that the exits of a market watch: its best price, its entry, and the exit that it has reached.

import { opposite, type Side, signOf } from '../../domain/book.ts';
import type { Exit, ExitName } from '../../domain/intent.ts';
import type { Finding } from '../../domain/turn.ts';
import type { TriggeredExit, WatchedPosition } from '../../world/position/exit-state.ts';
import { type ExitFacts, isFlat, sumOf, surelyHeld } from './exit-facts.ts';
import { endFindings } from './findings.ts';

/**
 * Returns the position after this turn; undefined if none is held. If `isWanted` is false, because the strategy returns no exit, no new position is
 * watched.
 */
export function updatePosition(before: WatchedPosition | undefined, facts: ExitFacts, isWanted: boolean): WatchedPosition | undefined {
  const { held, price } = facts;
  if (held === 0) return isFlat(facts) ? undefined : before;
  const side: Side = held > 0 ? 'bid' : 'ask';
  const size = Math.abs(held);
  const continued = before?.side === side ? before : undefined;
  if (continued === undefined && !isWanted) return undefined;
  const best = price === undefined || !isWanted ? continued?.best : betterOf(side, bestIn(continued, facts), price);
  const { resting, unclear } = continued ?? {};
  return { side, size, best, entry: facts.entry ?? averageOf(continued, facts), resting, ...(unclear !== undefined && { unclear }) };
}

/** Returns the best price since the entry, with that of a candle through which the position was held. */
function bestIn(position: WatchedPosition | undefined, { range }: ExitFacts): number | undefined {
  if (position === undefined || range === undefined) return position?.best;
  return betterOf(position.side, position.best, position.side === 'bid' ? range.high : range.low);
}

/**
 * A candle does not show whether its high or its low came first. Returns true if that decides whether a trailing stop was reached in it: the stop, from the
 * best price up to this candle's end, lies within the candle, and the close has not passed it. Example: a long with a stop at 100, in a candle with
 * high 110, low 98 and close 105: the stop was reached only if the low came after the high.
 */
export function isUnclear(exits: readonly Exit[], position: WatchedPosition, { range, price }: ExitFacts): boolean {
  const level = range === undefined || price === undefined ? undefined : levelOf(exits, 'trailing-stop', position);
  if (level === undefined || range === undefined || price === undefined) return false;
  return position.side === 'bid' ? range.low <= level && level < price : range.high >= level && level > price;
}

const betterOf = (side: Side, one: number | undefined, other: number): number =>
  one === undefined ? other : side === 'bid' ? Math.max(one, other) : Math.min(one, other);

/** Returns the average entry price by our fills. The part held before the first of them counts at that turn's trigger price. */
function averageOf(before: WatchedPosition | undefined, { held, fills, market, price }: ExitFacts): number | undefined {
  const side: Side = held > 0 ? 'bid' : 'ask';
  const opened = sumOf(fills, side, market);
  const earlier = before?.entry === undefined ? Math.max(0, Math.abs(held) - opened.size) : before.size;
  const average = before?.entry ?? price;
  if (average === undefined && earlier > 0) return undefined;
  const size = earlier + opened.size;
  return size === 0 ? undefined : (earlier * (average ?? 0) + opened.cost) / size;
}

/** Updates a triggered exit with the fills of this turn. Reports the price once the position is closed and its fills are known. */
export function updateExit(
  before: TriggeredExit | undefined,
  facts: ExitFacts,
): { readonly exit: TriggeredExit | undefined; readonly events: readonly Finding[] } {
  if (before === undefined || before.isReported) return { exit: before, events: [] };
  const closed = sumOf(facts.fills, opposite(before.side), facts.market);
  const isReversed = signOf(before.side) * facts.held < 0;
  const exit: TriggeredExit = {
    ...before,
    filled: before.filled + closed.size,
    cost: before.cost + closed.cost,
    isClosed: before.isClosed || isFlat(facts) || isReversed,
  };
  if (!exit.isClosed || exit.filled < exit.size) return { exit, events: [] };
  return { exit: { ...exit, isReported: true }, events: endFindings(exit, facts) };
}

/** Returns the price of the nearest exit of that kind, in quote money; undefined if there is none, or if its reference price is unknown. */
export function levelOf(exits: readonly Exit[], name: ExitName, { side, best, entry }: WatchedPosition): number | undefined {
  const from = name === 'trailing-stop' ? best : entry;
  const sign = signOf(side) * (name === 'take-profit' ? 1 : -1);
  let nearest: number | undefined;
  for (const { rules } of exits) {
    for (const { exit, price, bps = 0 } of rules) {
      if (exit !== name) continue;
      const level = price ?? (from === undefined ? undefined : from * (1 + (sign * bps) / 1e4));
      if (level !== undefined && (nearest === undefined || sign * (level - nearest) < 0)) nearest = level;
    }
  }
  return nearest;
}

interface Watched {
  readonly position: WatchedPosition | undefined;
  /** The position in the previous turn. */
  readonly before: WatchedPosition | undefined;
  readonly exits: readonly Exit[];
}

/** Returns the stop that the price has reached, or the take profit that is being filled or was filled since the previous turn; undefined if none. */
export const triggeredBy = (watched: Watched, facts: ExitFacts): TriggeredExit | undefined =>
  reachedStop(watched, facts) ?? filledTakeProfit(watched, facts);

const BEGUN = { filled: 0, cost: 0, isClosed: false, isReported: false };

function reachedStop({ position, exits }: Watched, facts: ExitFacts): TriggeredExit | undefined {
  const { price, now } = facts;
  if (position === undefined || price === undefined || surelyHeld(position.side, facts) === 0) return undefined;
  const { side, size } = position;
  for (const exit of ['stop-loss', 'trailing-stop'] as const) {
    const level = levelOf(exits, exit, position);
    if (level === undefined || signOf(side) * (price - level) > 0) continue;
    return { at: now, ...BEGUN, exit, side, size, price: level, seen: price, other: levelOf(exits, 'take-profit', position) };
  }
  return undefined;
}

/** The position of the previous turn counts, because this turn's fills may have closed it. */
function filledTakeProfit({ position, before, exits }: Watched, facts: ExitFacts): TriggeredExit | undefined {
  const watching = before ?? position;
  if (watching === undefined) return undefined;
  const { side, size, resting } = watching;
  const level = resting?.price ?? levelOf(exits, 'take-profit', watching);
  if (level === undefined || !isTakingProfit(watching, level, facts)) return undefined;
  const { size: filled, cost } = sumOf(facts.fills, opposite(side), facts.market); // in this turn
  return {
    at: facts.now,
    ...BEGUN,
    exit: 'take-profit',
    side,
    size: resting?.size ?? size,
    price: level,
    seen: level,
    other: stopOf(exits, watching),
    filled,
    cost,
  };
}

/** A stop of a position. */
export interface StopLevel {
  /** The side that opened the position: `bid` for a long. */
  readonly side: Side;
  /** Quote money. */
  readonly price: number;
}

/** Returns the price of the nearest stop; undefined if there is none. */
export function stopOf(exits: readonly Exit[], position: WatchedPosition): number | undefined {
  const levels = (['stop-loss', 'trailing-stop'] as const).flatMap((exit) => levelOf(exits, exit, position) ?? []);
  if (levels.length === 0) return undefined;
  return position.side === 'bid' ? Math.max(...levels) : Math.min(...levels);
}

/** True if a fill closes at the price or better, or if the position is smaller than the take-profit order. */
function isTakingProfit({ side, resting }: WatchedPosition, level: number, { market, fills, exposure }: ExitFacts): boolean {
  const price = market.restAt(opposite(side), level);
  const isFilled = fills.some((fill) => fill.side === opposite(side) && signOf(side) * (fill.price - price) >= 0);
  return isFilled || (resting !== undefined && (side === 'bid' ? exposure.high : -exposure.low) < resting.size);
}
