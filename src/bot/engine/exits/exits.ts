// Applies the exits of all markets in a turn, between the strategy and the guards. Their state is kept in the run's memory.
// `apply-exits.ts` applies those of one market, `position.ts` watches its position, `exit-facts.ts` has the market's state, `findings.ts` the reports.
import { bookFault } from '../../domain/book.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Exit, Intent, OrderIntent } from '../../domain/intent.ts';
import { midOf } from '../../domain/market.ts';
import type { Finding } from '../../domain/turn.ts';
import type { Rejection } from '../../risk/guard.ts';
import { type ExitState, exitStates, keepExitStates, NO_EXIT_STATES } from '../../world/position/exit-state.ts';
import type { World } from '../../world/world.ts';
import { resolveExits, standingStop } from './apply-exits.ts';
import type { ExitFacts } from './exit-facts.ts';
import type { StopLevel } from './position.ts';

export interface AfterExits {
  /** The quotes and targets with the exits applied. */
  readonly intents: readonly OrderIntent[];
  /** Findings of exits triggered or completed in this turn. */
  readonly events: readonly Finding[];
  /** Rejections for the sides that are suspended after an exit. */
  readonly suspended: readonly Rejection[];
}

const NOTHING: readonly never[] = [];
const NEW: ExitState = {};

export class ExitStep {
  /** The last intent made for the exits of each market, so that an equal one is the same object. */
  readonly #made = new Map<MarketId, OrderIntent>();
  readonly #stops = new Map<MarketId, StopLevel>();

  /** Applies the exits among the intents, and those that were triggered in earlier turns. Prices of markets that are not `open` are not used. */
  apply(intents: readonly Intent[], { world, open }: { readonly world: World; readonly open: ReadonlySet<MarketId> }): AfterExits {
    if (this.#stops.size > 0) this.#stops.clear();
    const before = exitStates(world.memory);
    const exits = hasExit(intents) ? intents.filter((intent) => intent.kind === 'exit') : NOTHING;
    const desired = exits.length === 0 ? (intents as readonly OrderIntent[]) : intents.filter((intent) => intent.kind !== 'exit');
    if (exits.length === 0 && before === NO_EXIT_STATES) return { intents: desired, events: NOTHING, suspended: NOTHING };
    const concerned = [...world.markets.values()].filter(
      ({ id, symbol }) => before[symbol] !== undefined || exits.some(({ market }) => market === id),
    );
    if (concerned.length === 0) return { intents: desired, events: NOTHING, suspended: NOTHING };
    const states: Record<string, ExitState> = { ...before };
    const events: Finding[] = [];
    const suspended: Rejection[] = [];
    let left = desired;
    for (const { id, symbol } of concerned) {
      const intent = left.find(({ market }) => market === id);
      const ownExits: readonly Exit[] = exits.filter(({ market }) => market === id);
      const facts = factsOf(id, world, open.has(id));
      const resolved = resolveExits(before[symbol] ?? NEW, { intent, exits: ownExits }, facts);
      states[symbol] = resolved.state;
      const stop = standingStop(resolved.state, ownExits, facts);
      if (stop !== undefined) this.#stops.set(id, stop);
      events.push(...resolved.events);
      if (resolved.suspended !== undefined) suspended.push(resolved.suspended);
      if (resolved.intent === intent) continue;
      const instead = resolved.intent === undefined ? [] : [this.#reuse(resolved.intent)];
      left = intent === undefined ? [...left, ...instead] : left.flatMap((one) => (one === intent ? instead : [one]));
    }
    keepExitStates(world.memory, states);
    return { intents: left, events, suspended };
  }

  /** The nearest stop of the position in a market; undefined if there is none, or if it is being closed already. */
  stopIn(market: MarketId): StopLevel | undefined {
    return this.#stops.get(market);
  }

  #reuse(intent: OrderIntent): OrderIntent {
    const last = this.#made.get(intent.market);
    if (last !== undefined && JSON.stringify(last) === JSON.stringify(intent)) return last;
    this.#made.set(intent.market, intent);
    return intent;
  }
}

function hasExit(intents: readonly Intent[]): boolean {
  for (const { kind } of intents) if (kind === 'exit') return true;
  return false;
}

function factsOf(id: MarketId, world: World, isOpen: boolean): ExitFacts {
  const market = world.market(id);
  const book = isOpen ? world.book(id)?.value : undefined;
  const info = isOpen ? world.info(id) : undefined;
  const mark = info?.value.mark;
  const range = info?.at === world.now ? info.value.range : undefined;
  const mid = book === undefined || bookFault(book) !== undefined ? undefined : midOf(market, book);
  return {
    market,
    now: world.now,
    held: world.held(id),
    exposure: world.exposure(id),
    entry: world.position(id)?.entry,
    price: mark === undefined ? mid : market.price(mark),
    range: range && { low: market.price(range.low), high: market.price(range.high) },
    book,
    fills: world.fills(id),
    orders: world.orders(id),
  };
}
