// The limit `gross-notional` of a fleet before an order leaves: what the worst case of each run may be worth, given the worst cases of the others.
// All runs of a fleet share a process, and a turn is never interrupted by one of another run, so two runs cannot use the same part of the limit.
import type { MarketId } from '../../bot/domain/ids.ts';
import { MICROS_PER_UNIT } from '../../bot/domain/numbers.ts';
import { worstNotional } from '../../bot/risk/worst-notional.ts';
import type { Allowance } from '../../bot/world/commands.ts';
import type { World } from '../../bot/world/world.ts';

/**
 * The limit is divided into this many steps. The worst case of a run is rounded up to whole steps, so that a small move of a price does not change what
 * others may hold.
 */
const STEPS = 1_000;
/** Number of steps that no run may use: a position that is worth the whole limit would exceed it with the next rise of a price. */
const HEADROOM = 10;

/** What one run may hold. */
export interface SharedAllowance {
  /** Called when the run starts to trade. Returns a function for what it may hold at the moment of the call. */
  begin(world: World): () => Allowance;
  /** Called when the run has ended, also if it never traded. What it left at the exchange continues to count. */
  ended(): void;
}

interface Member {
  readonly name: string;
  world: World | undefined;
  hasEnded: boolean;
}

export class SharedLimit {
  readonly #maxNotional: number;
  /** In millionths of the quote token. */
  readonly #step: number;
  readonly #members: Member[] = [];

  /** `maxNotional`: in quote tokens. */
  constructor(maxNotional: number) {
    this.#maxNotional = maxNotional;
    this.#step = Math.ceil((maxNotional * MICROS_PER_UNIT) / STEPS);
  }

  /** Adds a run. All runs must be added before the first of them trades. */
  add(name: string): SharedAllowance {
    const member: Member = { name, world: undefined, hasEnded: false };
    this.#members.push(member);
    return {
      begin: (world) => {
        member.world = world;
        return () => this.#allowanceOf(member);
      },
      ended: () => {
        member.hasEnded = true;
      },
    };
  }

  /** Returns the steps that the worst cases of the other runs leave, less HEADROOM. Nothing while the worst case of another run is unknown. */
  #allowanceOf(member: Member): Allowance {
    let steps = Math.floor((this.#maxNotional * MICROS_PER_UNIT) / this.#step) - HEADROOM;
    for (const other of this.#members) {
      if (other === member) continue;
      const worst = worstOf(other);
      if (worst === undefined) return { notional: 0, reason: `the position of the run ${other.name} of the fleet is not known yet` };
      steps -= Math.ceil(worst / this.#step);
    }
    const reason = `all runs of the fleet together could hold more than its gross-notional of ${this.#maxNotional}`;
    return { notional: Math.max(0, steps) * this.#step, reason };
  }
}

/** Returns what the worst case of a run is worth, in millionths of the quote token. Undefined until its account and prices are known. */
function worstOf({ world, hasEnded }: Member): number | undefined {
  const isKnown = world?.account !== undefined && world.perps.every(({ id }) => world.info(id)?.value.index !== undefined);
  if (!isKnown) return hasEnded ? 0 : undefined;
  return worstNotional({ world, exposure: (market: MarketId) => world.exposure(market) }, world.perps);
}
