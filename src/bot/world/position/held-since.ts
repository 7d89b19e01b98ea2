// Since when each market's position has had its sign, kept across restarts.
import type { Millis } from '../../../base/clock.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/numbers.ts';
import type { RunMemory } from '../memory.ts';
import { inputSet, type Revisions, type Snapshot } from '../revisions.ts';

interface Held {
  /** 1 for a long, -1 for a short. */
  readonly sign: number;
  readonly since: Millis;
}

/** The part of the world that is read in a turn. */
interface Positions {
  readonly now: Millis;
  readonly account: unknown;
  readonly revisions: Revisions;
  readonly markets: ReadonlyMap<MarketId, Market>;
  held(market: MarketId): Lots;
}

/** What `held` depends on. An account with other sizes changes the exposure, too. */
const POSITIONS = inputSet(['exposure', 'agreement', 'fills']);
const NAME = 'held since';

export class HeldSince {
  readonly #memory: RunMemory;
  /** Undefined before the first account: until then positions are not known. */
  #held: Map<MarketId, Held> | undefined;
  /** The revisions when the positions were last read. */
  #readAt: Snapshot | undefined;

  constructor(memory: RunMemory) {
    this.#memory = memory;
  }

  /** The time of the turn in which the position was first seen with its sign; undefined when flat, and before the first account. */
  of(market: MarketId): Millis | undefined {
    return this.#held?.get(market)?.since;
  }

  /** Call it after the events of a turn. */
  see(world: Positions): void {
    if (world.account === undefined) return;
    if (this.#readAt !== undefined && (world.revisions.since(this.#readAt) & POSITIONS) === 0) return;
    this.#readAt = world.revisions.snapshot();
    const held = (this.#held ??= this.#remembered(world));
    let isChanged = false;
    for (const market of world.markets.keys()) {
      const sign = Math.sign(world.held(market));
      if (sign === (held.get(market)?.sign ?? 0)) continue;
      if (sign === 0) held.delete(market);
      else held.set(market, { sign, since: world.now });
      isChanged = true;
    }
    if (isChanged) this.#remember(world.markets);
  }

  /** Returns what the earlier process kept; `see` then corrects it where the sign has changed. */
  #remembered({ markets }: Positions): Map<MarketId, Held> {
    const bySymbol = (this.#memory.get(NAME) ?? {}) as Readonly<Record<string, Held>>;
    return new Map([...markets.values()].flatMap(({ id, symbol }) => (Object.hasOwn(bySymbol, symbol) ? [[id, bySymbol[symbol]!]] : [])));
  }

  #remember(markets: Positions['markets']): void {
    const entries = [...(this.#held ?? [])].map(([market, held]) => [markets.get(market)?.symbol ?? '', held] as const);
    // the memory keeps JSON text and returns it parsed
    this.#memory.set(NAME, JSON.stringify(Object.fromEntries(entries)));
  }
}
