// The turn: one event in, a few actions out, and the record of why.

import type { Event } from '../domain/event.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Intent } from '../domain/intent.ts';
import type { Finding, Turn } from '../domain/turn.ts';
import { reconcile } from '../execution/reconcile.ts';
import type { RiskRules } from '../risk/guard.ts';
import { passGates, review } from '../risk/review.ts';
import type { World } from '../world/world.ts';

export interface EngineParts {
  readonly world: World;
  /** The strategy, with its view of the world in front of it: of the data of the `open` markets alone, for the rest is not to be learned from. */
  readonly decide: (world: World, open: ReadonlySet<MarketId>) => readonly Intent[];
  readonly rules: RiskRules;
  readonly nextClientOrderId: () => ClientOrderId;
}

export class Engine {
  readonly #parts: EngineParts;
  #said: ReadonlySet<string> = new Set();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Synchronous and without effects of its own: the same events give the same turns, byte for byte. */
  step(event: Event): Turn {
    const { world, decide, rules, nextClientOrderId } = this.#parts;
    world.apply(event);
    const closing = world.stopping !== undefined;
    const gated = passGates(rules, world);
    const intents = closing ? [] : decide(world, gated.open);
    const { approved, held, findings } = review(intents, { rules, world, gated });
    const actions = reconcile({ approved, held: closing ? new Set() : held, world, nextClientOrderId });
    world.sent(actions);
    return { event, intents, findings: this.#unsaid(findings), actions, changes: world.takeChanges(), fills: world.fills() };
  }

  /** What the turn before did not already say: a guard that goes on refusing is told once. */
  #unsaid(findings: readonly Finding[]): readonly Finding[] {
    const before = this.#said;
    const said = new Set<string>();
    const fresh: Finding[] = [];
    for (const finding of findings) {
      const key = keyOf(finding);
      if (!before.has(key) && !said.has(key)) fresh.push(finding);
      said.add(key);
    }
    this.#said = said;
    return fresh;
  }
}

const keyOf = ({ guard, market, side, verdict }: Finding): string => [guard, market, side, verdict].join('/');
