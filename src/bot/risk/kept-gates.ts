// Runs the gates again only where their result can have changed: a market that has passed stays open until an event concerns it or its data is too old.
import type { Millis } from '../../base/clock.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { World } from '../world/world.ts';
import type { RiskRules } from './guard.ts';
import { type Gated, passGates } from './review.ts';

/** For one world and its rules. */
export class KeptGates {
  readonly #rules: RiskRules;
  readonly #world: World;
  /** The result while all markets are open; undefined while one is not. */
  #open: Gated | undefined;
  /** Until when all markets stay open if no event concerns them; undefined until it is asked for. */
  #until: Millis | undefined;

  constructor(rules: RiskRules, world: World) {
    this.#rules = rules;
    this.#world = world;
  }

  /** Call it once in each turn. */
  check(): Gated {
    const { touched, now } = this.#world;
    const kept = this.#open;
    const isKept = kept !== undefined && !touched.areAll && now <= this.#openUntil() && this.#stayOpen(touched.some);
    touched.clear();
    return isKept ? kept : this.#checkAll();
  }

  #stayOpen(touched: readonly MarketId[]): boolean {
    const { gates } = this.#rules;
    const world = this.#world;
    for (let nth = 0; nth < touched.length; nth++) {
      const market = world.markets.get(touched[nth]!);
      if (market === undefined) continue;
      for (let rank = 0; rank < gates.length; rank++) if (gates[rank]!.check(market, world) !== undefined) return false;
      this.#until = Math.min(this.#openUntil(), this.#untilOf(market));
    }
    return true;
  }

  #checkAll(): Gated {
    const gated = passGates(this.#rules, this.#world);
    const isOpen = gated.findings.length === 0;
    this.#open = isOpen ? gated : undefined;
    this.#until = undefined;
    return gated;
  }

  #openUntil(): Millis {
    if (this.#until !== undefined) return this.#until;
    let until = Infinity;
    for (const market of this.#world.markets.values()) until = Math.min(until, this.#untilOf(market));
    this.#until = until;
    return until;
  }

  /** A gate that does not say how long its pass is valid is asked in every turn. */
  #untilOf(market: Market): Millis {
    let until = Infinity;
    for (const gate of this.#rules.gates) until = Math.min(until, gate.passesUntil?.(market, this.#world) ?? -Infinity);
    return until;
  }
}
