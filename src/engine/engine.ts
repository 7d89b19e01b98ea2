// The turn: one event in, a few actions out, and the record of why.

import type { Event } from '../domain/event.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Intent } from '../domain/intent.ts';
import { isStricter } from '../domain/mode.ts';
import type { Finding, Turn } from '../domain/turn.ts';
import { reconcile } from '../execution/reconcile.ts';
import { flattening } from '../risk/flatten.ts';
import { type Objection, type RiskRules, written } from '../risk/guard.ts';
import { type Gated, passGates, type Review, review } from '../risk/review.ts';
import type { World } from '../world/world.ts';

export interface EngineParts {
  readonly world: World;
  /** The strategy, with its view of the world in front of it: of the data of the `open` markets alone, for the rest is not to be learned from. */
  readonly decide: (world: World, open: ReadonlySet<MarketId>) => readonly Intent[];
  readonly rules: RiskRules;
  readonly nextClientOrderId: () => ClientOrderId;
}

type Answer = Pick<Turn, 'actions'> & Pick<Review, 'findings'>;
const NOTHING: Answer = { findings: [], actions: [] };
const NO_INTENTS: readonly Intent[] = [];
const NO_MARKETS: ReadonlySet<MarketId> = new Set();

export class Engine {
  readonly #parts: EngineParts;
  #said: ReadonlySet<string> = new Set();
  #standing: readonly Objection[] = [];
  #settled: { readonly intents: readonly Intent[]; readonly revision: number } | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Synchronous and without effects of its own: the same events give the same turns, byte for byte. */
  step(event: Event): Turn {
    const { world, rules } = this.#parts;
    world.apply(event);
    const gated = passGates(rules, world);
    const intents = this.#wants(gated);
    const { findings, actions } = world.mode === 'halted' || this.#isSettled(intents, gated) ? NOTHING : this.#answer(intents, gated);
    world.sent(actions);
    this.#standing = findings;
    const [changes, fills, alarms] = [world.takeChanges(), world.fills(), world.takeAlarms()];
    return { event, intents, findings: this.#unsaid(findings), actions, changes, fills, alarms };
  }

  /** All that is held back since the last turn, said before or not. */
  standing(): readonly Finding[] {
    return this.#standing.map(written);
  }

  /** The strategy is asked while it may trade. After that all is cancelled, for nothing is wanted; or the way out is. */
  #wants({ open }: Gated): readonly Intent[] {
    const { world, decide } = this.#parts;
    if (!this.#isClosing) return decide(world, open);
    return world.stopping === undefined && world.mode === 'flatten' ? flattening(world) : NO_INTENTS;
  }

  get #isClosing(): boolean {
    const { stopping, mode } = this.#parts.world;
    return stopping !== undefined || isStricter(mode, 'close-only');
  }

  #answer(intents: readonly Intent[], gated: Gated): Answer {
    const { world, rules, nextClientOrderId } = this.#parts;
    const { approved, stands, findings } = review(intents, { rules, world, gated });
    const held = this.#isClosing ? NO_MARKETS : gated.held;
    const actions = reconcile({ approved, held, world, nextClientOrderId });
    this.#settled = stands && findings.length === 0 ? { intents: [...intents], revision: world.revision } : undefined;
    return { findings, actions };
  }

  /** All that was wanted stood and nobody objected; the very same is wanted again, and nothing of ours or of the prices has moved since. */
  #isSettled(intents: readonly Intent[], gated: Gated): boolean {
    const settled = this.#settled;
    return (
      settled !== undefined &&
      settled.revision === this.#parts.world.revision &&
      gated.findings.length === 0 &&
      intents.length === settled.intents.length &&
      intents.every((intent, index) => intent === settled.intents[index])
    );
  }

  /** What the turn before did not already say: a guard that goes on refusing is told once. */
  #unsaid(findings: readonly Objection[]): readonly Finding[] {
    const before = this.#said;
    const said = new Set<string>();
    const fresh: Finding[] = [];
    for (const finding of findings) {
      const key = keyOf(finding);
      if (!before.has(key) && !said.has(key)) fresh.push(written(finding));
      said.add(key);
    }
    this.#said = said;
    return fresh;
  }
}

const keyOf = ({ guard, market, side, verdict }: Objection): string => [guard, market, side, verdict].join('/');
