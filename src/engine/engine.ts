// The turn: what has happened in, a few actions out, and the record of why.
import type { Action } from '../domain/action.ts';
import type { Event } from '../domain/event.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Approved, Intent } from '../domain/intent.ts';
import { isStricter } from '../domain/mode.ts';
import type { Order } from '../domain/order.ts';
import type { Finding, Turn } from '../domain/turn.ts';
import { reconcile } from '../execution/reconcile.ts';
import { flattening } from '../risk/flatten.ts';
import { type Objection, type RiskRules, written } from '../risk/guard.ts';
import { type Gated, passGates, type Review, review } from '../risk/review.ts';
import { stands } from '../world/match.ts';
import type { World } from '../world/world.ts';

export interface EngineParts {
  readonly world: World;
  /** The strategy, with its view of the world in front of it: of the data of the `open` markets alone, for the rest is not to be learned from. */
  readonly decide: (world: World, open: ReadonlySet<MarketId>) => readonly Intent[];
  readonly rules: RiskRules;
  readonly nextClientOrderId: () => ClientOrderId;
}

type Answer = Pick<Turn, 'actions'> & Pick<Review, 'findings'>;
const NO_ACTIONS: readonly Action[] = [];
const NO_FINDINGS: readonly Finding[] = [];
const NOTHING: Answer = { findings: NO_FINDINGS, actions: NO_ACTIONS };
const NO_INTENTS: readonly Intent[] = [];
const NO_MARKETS: ReadonlySet<MarketId> = new Set();
const NOBODY: ReadonlySet<string> = new Set();

/** What the guards said of these wants for as long as the stakes are these: all that they approved of stood. */
interface Settled extends Pick<Review, 'approved' | 'findings'> {
  readonly intents: readonly Intent[];
  readonly stakes: number;
  readonly orders: readonly Order[];
}

export class Engine {
  readonly #parts: EngineParts;
  #said: ReadonlySet<string> = NOBODY;
  #standing: readonly Objection[] = [];
  #settled: Settled | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /**
   * Takes in all that has come, and then decides once. Synchronous and without effects of its own: the same events in the same turns give the same
   * record, byte for byte.
   */
  step(...events: readonly Event[]): Turn {
    const { world, rules } = this.#parts;
    world.apply(...events);
    const gated = passGates(rules, world);
    const intents = this.#wants(gated);
    const { findings, actions } = world.mode === 'halted' ? NOTHING : (this.#unmoved(intents, gated) ?? this.#answer(intents, gated));
    this.#standing = findings;
    return {
      at: world.now,
      events,
      intents,
      findings: this.#unsaid(findings),
      actions,
      changes: world.takeChanges(),
      fills: world.fills(),
      alarms: world.takeAlarms(),
    };
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
    const { world, rules } = this.#parts;
    const { approved, lasting, findings } = review(intents, { rules, world, gated });
    const actions = this.#send(approved, gated);
    const final = lasting && (findings.length === 0 || actions.length === 0); // what is sent may be what is objected to next
    const settled = final && gated.findings.length === 0 && allStand(approved, world);
    this.#settled = settled ? { intents: [...intents], approved, findings, stakes: world.stakes, orders: world.orders() } : undefined;
    return { findings, actions };
  }

  /**
   * Where the very same is wanted as when all that was approved stood, and no guard could judge otherwise: what they said then, and nothing to do while
   * no order of ours has gone a step on its way, else, where nothing was objected to, what its step makes possible, such as the cancel of one that was
   * not open before. Undefined where the guards have to be asked.
   */
  #unmoved(intents: readonly Intent[], gated: Gated): Answer | undefined {
    const { world } = this.#parts;
    const settled = this.#settled;
    if (settled === undefined || settled.stakes !== world.stakes || gated.findings.length > 0) return undefined;
    if (!same(intents, settled.intents)) return undefined;
    const { approved, findings, orders } = settled;
    if (orders === world.orders()) return { findings, actions: NO_ACTIONS };
    if (findings.length > 0 || !allStand(approved, world)) return undefined;
    const actions = this.#send(approved, gated);
    this.#settled = { ...settled, orders: world.orders() };
    return { findings, actions };
  }

  /** The actions, which are on their way from now on. */
  #send(approved: readonly Approved[], gated: Gated): readonly Action[] {
    const { world, nextClientOrderId } = this.#parts;
    const held = this.#isClosing ? NO_MARKETS : gated.held;
    const actions = reconcile({ approved, held, world, nextClientOrderId });
    world.sent(actions);
    return actions;
  }

  /** What the turn before did not already say: a guard that goes on refusing is told once. */
  #unsaid(findings: readonly Objection[]): readonly Finding[] {
    const before = this.#said;
    if (findings.length === 0) {
      this.#said = NOBODY;
      return NO_FINDINGS;
    }
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

function allStand(approved: readonly Approved[], world: World): boolean {
  for (const intent of approved) if (!stands(intent, world)) return false;
  return true;
}

function same(some: readonly Intent[], others: readonly Intent[]): boolean {
  if (some.length !== others.length) return false;
  for (let rank = 0; rank < some.length; rank++) if (some[rank] !== others[rank]) return false;
  return true;
}

const keyOf = ({ guard, market, side, verdict }: Objection): string => [guard, market, side, verdict].join('/');
