// The turn: applies events, decides, and returns actions with their reasons.
import { concat } from '../base/collections/concat.ts';
import type { Action } from '../domain/action.ts';
import type { Event } from '../domain/event.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Intent, OrderIntent } from '../domain/intent.ts';
import { isStricter } from '../domain/mode.ts';
import type { EndedFinding, Finding, LogRecord, RunProfit, Turn } from '../domain/turn.ts';
import { reconcile } from '../execution/reconcile.ts';
import { flattening } from '../risk/flatten.ts';
import { findingOf, type Rejection, type RiskRules } from '../risk/guard.ts';
import { type Gated, passGates, type Review, review } from '../risk/review.ts';
import type { Decider } from '../strategy/decide.ts';
import { type Approved, matchAgain, stands } from '../world/orders/match.ts';
import { type InputSet, inputSet, type Snapshot } from '../world/revisions.ts';
import type { World } from '../world/world.ts';
import { type AfterExits, ExitStep } from './exits/exits.ts';
import type { StopLevel } from './exits/position.ts';
import { idleCauseOf } from './idle-cause.ts';
import { passedLevels } from './passed-levels.ts';
import { StandingGuards } from './standing-guards.ts';

export interface EngineParts {
  readonly world: World;
  /** The strategy with its view of the world. The view has data of the `open` markets only; the other data is not reliable. */
  readonly decide: Decider;
  readonly rules: RiskRules;
  readonly nextClientOrderId: () => ClientOrderId;
  /** Returns the actions that were sent in place of those decided here; set only during a replay. */
  readonly sentInstead?: (() => readonly Action[]) | undefined;
}

type Decision = Pick<Turn, 'actions'> & Pick<Review, 'findings'>;
const NO_ACTIONS: readonly Action[] = [];
const NO_FINDINGS: readonly Finding[] = [];
const NOTHING: Decision = { findings: NO_FINDINGS, actions: NO_ACTIONS };
const NO_INTENTS: readonly OrderIntent[] = [];
const NO_MARKETS: ReadonlySet<MarketId> = new Set();
const NONE_REPORTED: ReadonlyMap<string, Rejection> = new Map();

/** A review after which orders stood for all approved intents, with the revisions of the guards' inputs at that time. */
interface Settled extends Omit<Review, 'approved' | 'inputs'> {
  readonly inputs: InputSet;
  readonly intents: readonly OrderIntent[];
  /** Matched with the orders at that time. */
  approved: readonly Approved[];
  revisions: Snapshot;
}

/** The inputs from which the candidates are derived: if one changes, every guard is run again. */
const CANDIDATES = inputSet(['exposure']);
const ORDERS = inputSet(['orders']);

export class Engine {
  readonly #parts: EngineParts;
  readonly #exits = new ExitStep();
  /** What the strategy returned last. */
  #desired: readonly Intent[] = [];
  /** True while the newest book has a price inside a candle: see `BookSeen.inside`. */
  #isInsideCandle = false;
  #reported: ReadonlyMap<string, Rejection> = NONE_REPORTED;
  #currentFindings: readonly Rejection[] = [];
  #settled: Settled | undefined;
  /** As of the previous turn. */
  #profit: RunProfit;
  readonly #standingGuards: StandingGuards;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#profit = parts.world.accounting.newest;
    this.#standingGuards = new StandingGuards(parts.rules.guards, parts.world.markets.values());
  }

  /**
   * Applies all events that have arrived, and then decides once. Synchronous and without side effects of its own: the same events in the same turns
   * give the same record, byte for byte.
   */
  step(...events: readonly Event[]): Turn {
    const { world, rules, decide } = this.#parts;
    world.apply(...events);
    this.#seeBooks(events);
    const gated = passGates(rules, world);
    const { intents, events: exits, suspended } = this.#intentsOf(gated);
    const { findings: reviewed, actions } =
      world.mode === 'halted' ? NOTHING : (this.#decideUnchanged(intents, gated) ?? this.#reviewAndSend(intents, gated));
    const stale = this.#isClosing ? NO_FINDINGS : world.inputs.findings(world.now);
    const holds = concat<Rejection>(suspended, passedLevels(intents, world));
    const findings = concat<Rejection>(concat<Rejection>(reviewed, holds), stale);
    this.#currentFindings = findings;
    const before = this.#reported;
    return {
      at: world.now,
      events,
      intents,
      findings: concat(exits, this.#newFindings(findings)),
      actions,
      idle: actions.length > 0 ? undefined : idleCauseOf({ world, decide, intents, reviewed, gated, holds, stale }),
      changes: world.takeChanges(),
      fills: world.takeFills(),
      corrections: world.judgedFills.takeCorrections(),
      unbooked: world.judgedFills.takeUnbooked(),
      alarms: world.takeAlarms(),
      health: world.health.takeFound(),
      logs: merged(world.inputs.takeRecovered(), decide.takeLogs?.()),
      memory: world.memory.takeChanges(),
      profit: this.#newProfit(),
      ended: this.#endedOf(before),
    };
  }

  /** The nearest stop of the position in a market, as of the last turn; undefined if there is none. */
  stopIn(market: MarketId): StopLevel | undefined {
    return this.#isClosing ? undefined : this.#exits.stopIn(market);
  }

  /** All findings of the last turn, reported before or not. */
  currentFindings(): readonly Finding[] {
    return this.#currentFindings.map(findingOf);
  }

  /**
   * Returns the strategy's intents with its exits applied, while it may trade. Otherwise none, so that all orders are cancelled; or, in mode flatten,
   * targets that close every position.
   */
  #intentsOf({ open }: Gated): AfterExits {
    const { world, decide } = this.#parts;
    if (!this.#isClosing) {
      if (!this.#isInsideCandle) this.#desired = decide(world, open);
      return this.#exits.apply(this.#desired, { world, open });
    }
    const intents = world.stopping === undefined && world.mode === 'flatten' ? flattening(world) : NO_INTENTS;
    return { intents, events: NO_FINDINGS, suspended: NO_FINDINGS };
  }

  #seeBooks(events: readonly Event[]): void {
    for (const event of events) if (event.kind === 'bookSeen') this.#isInsideCandle = event.inside === true;
  }

  get #isClosing(): boolean {
    const { stopping, mode } = this.#parts.world;
    return stopping !== undefined || isStricter(mode, 'close-only');
  }

  #reviewAndSend(intents: readonly OrderIntent[], gated: Gated): Decision {
    const { world, rules } = this.#parts;
    const reviewed = review(intents, { rules, world, gated });
    const { approved, findings } = reviewed;
    const actions = this.#send(approved, gated);
    const final = findings.length === 0 || actions.length === 0; // an action that is sent may be rejected next
    this.#settled = undefined;
    if (!final || gated.findings.length > 0) return { findings, actions };
    const now = this.#current(approved, { isSame: actions.length === 0 });
    if (allStand(now))
      this.#settled = settledBy(reviewed, { approved: now, intents: intents.slice(), revisions: world.revisions.snapshot() });
    return { findings, actions };
  }

  /**
   * Decides without a full review, for intents that equal those of the last settled review. Returns undefined if all guards must be run. If a guard
   * rejected something then, no input that was read may have changed. Otherwise the guards whose inputs have changed are run again for the standing
   * orders and must pass them. Then nothing needs to be sent, unless one of our orders has changed: that can make an action possible, such as the
   * cancel of an order that was not open before.
   */
  #decideUnchanged(intents: readonly OrderIntent[], gated: Gated): Decision | undefined {
    const { world } = this.#parts;
    const settled = this.#settled;
    if (settled === undefined || gated.findings.length > 0 || !same(intents, settled.intents)) return undefined;
    const { findings, inputs, hasRejections, revisions } = settled;
    const moved = world.revisions.since(revisions);
    if ((moved & CANDIDATES) !== 0) return undefined;
    const changed = (moved & ORDERS) !== 0;
    if (hasRejections) return changed || (moved & inputs) !== 0 ? undefined : { findings, actions: NO_ACTIONS };
    const approved = this.#current(settled.approved, { isSame: !changed });
    if (changed && !allStand(approved)) return undefined;
    const rules = this.#standingGuards.reading(moved);
    if (rules !== undefined && review(intents, { rules, world, gated, matched: approved }).hasRejections) return undefined;
    const actions = changed ? this.#send(approved, gated) : NO_ACTIONS;
    if (changed || rules !== undefined) settled.revisions = world.revisions.snapshot();
    settled.approved = this.#current(approved, { isSame: actions.length === 0 });
    return { findings, actions };
  }

  /** Returns the intents matched with the current orders. `isSame`: no order has changed since they were matched. */
  #current(approved: readonly Approved[], { isSame }: { readonly isSame: boolean }): readonly Approved[] {
    return isSame ? approved : approved.map((matched) => matchAgain(matched, this.#parts.world));
  }

  /** Returns the actions, and marks them as sent. */
  #send(approved: readonly Approved[], gated: Gated): readonly Action[] {
    const { world, nextClientOrderId, sentInstead } = this.#parts;
    const held = this.#isClosing ? NO_MARKETS : gated.held;
    const actions = reconcile({ approved, held, world, nextClientOrderId });
    world.markSent(sentInstead?.() ?? actions);
    return actions;
  }

  #newProfit(): RunProfit | undefined {
    const [{ newest }, { total, today }] = [this.#parts.world.accounting, this.#profit];
    if (newest.total === total && newest.today === today) return undefined;
    this.#profit = newest;
    return newest;
  }

  /** Returns the findings that the previous turn did not have: a guard that continues to refuse is reported once. */
  #newFindings(findings: readonly Rejection[]): readonly Finding[] {
    const before = this.#reported;
    if (findings.length === 0) {
      this.#reported = NONE_REPORTED;
      return NO_FINDINGS;
    }
    const reported = new Map<string, Rejection>();
    const found: Finding[] = [];
    for (const finding of findings) {
      const key = keyOf(finding);
      if (!before.has(key) && !reported.has(key)) found.push(findingOf(finding));
      reported.set(key, finding);
    }
    this.#reported = reported;
    return found;
  }

  /** Returns the findings of the previous turn (`before`) that have ended; undefined if none. */
  #endedOf(before: ReadonlyMap<string, Rejection>): readonly EndedFinding[] | undefined {
    let ended: EndedFinding[] | undefined;
    for (const [key, { guard, market, side, verdict }] of before) {
      if (this.#reported.has(key)) continue;
      ended ??= [];
      ended.push({ guard, market, side, verdict });
    }
    return ended;
  }
}

/** Field by field: a spread costs two microseconds on Node 20. */
const settledBy = (
  { held, inputs, hasRejections, findings }: Review,
  { approved, intents, revisions }: Pick<Settled, 'approved' | 'intents' | 'revisions'>,
): Settled => ({ approved, held, inputs: inputs(), hasRejections, findings, intents, revisions });

function allStand(approved: readonly Approved[]): boolean {
  for (const matched of approved) if (!stands(matched)) return false;
  return true;
}

function same(some: readonly OrderIntent[], others: readonly OrderIntent[]): boolean {
  if (some.length !== others.length) return false;
  for (let rank = 0; rank < some.length; rank++) if (some[rank] !== others[rank]) return false;
  return true;
}

const merged = (some: readonly LogRecord[] | undefined, others: readonly LogRecord[] | undefined): readonly LogRecord[] | undefined =>
  some === undefined || others === undefined ? (some ?? others) : [...some, ...others];

const keyOf = ({ guard, market, side, verdict }: Rejection): string => [guard, market, side, verdict].join('/');
