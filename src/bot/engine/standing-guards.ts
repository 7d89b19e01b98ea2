// The guards that must pass the orders that rest already, when their inputs change.
import type { Market } from '../domain/market.ts';
import type { Guard, RiskRules } from '../risk/guard.ts';
import { type InputSet, inputSet } from '../world/revisions.ts';

/** The guards that apply to resting orders of these markets, by the inputs that they read. */
export class StandingGuards {
  readonly #guards: readonly Guard[];
  readonly #inputs: InputSet;
  readonly #known = new Map<InputSet, RiskRules>();

  constructor(guards: readonly Guard[], markets: Iterable<Market>) {
    const kinds = new Set([...markets].map(({ spec }) => spec.kind));
    this.#guards = guards.filter((guard) => guard.onlyNew !== true && (guard.markets === undefined || kinds.has(guard.markets)));
    this.#inputs = this.#guards.reduce((inputs, { reads }) => inputs | inputSet(reads), 0);
  }

  /** Rules with the guards that read any of these inputs; undefined if none does. */
  reading(inputs: InputSet): RiskRules | undefined {
    const read = inputs & this.#inputs;
    if (read === 0) return undefined;
    let rules = this.#known.get(read);
    if (rules === undefined) {
      rules = { gates: [], guards: this.#guards.filter((guard) => (inputSet(guard.reads) & read) !== 0) };
      this.#known.set(read, rules);
    }
    return rules;
  }
}
