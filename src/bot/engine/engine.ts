// The turn: applies events, decides, and returns actions with their reasons.
import { concat } from '../../base/collections/lists.ts';
import type { RunTotals } from '../domain/accounting/run-totals.ts';
import type { Action } from '../domain/action.ts';
import { SIDES } from '../domain/book.ts';
import type { Event } from '../domain/event.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Intent, OrderIntent } from '../domain/intent.ts';
import { isStricter } from '../domain/mode.ts';
import type { EndedFinding, Finding, LogRecord, Turn } from '../domain/turn.ts';
import { reconcile } from '../execution/reconcile.ts';
import { flattening } from '../risk/flatten.ts';
import { findingOf, type Rejection, type RiskRules } from '../risk/guard.ts';
import { KeptGates } from '../risk/kept-gates.ts';
import { KeptVerdicts } from '../risk/kept-verdicts.ts';
import { type Gated, review } from '../risk/review.ts';
import type { Decider } from '../strategy/decide.ts';
import type { Approved } from '../world/orders/match.ts';
import type { World } from '../world/world.ts';
import { type AfterExits, ExitStep } from './exits/exits.ts';
import type { StopLevel } from './exits/position.ts';
import { idleCauseOf } from './idle-cause.ts';
import { type Decision, SettledReview } from './settled-review.ts';

export interface EngineParts {
  readonly world: World;
  /** The strategy with its view of the world. The view has data of the `open` markets only; the other data is not reliable. */
  readonly decide: Decider;
  readonly rules: RiskRules;
  readonly nextClientOrderId: () => ClientOrderId;
  /** Returns the actions that were sent in place of those decided here; set only during a replay. */
  readonly sentInstead?: (() => readonly Action[]) | undefined;
}

const NO_ACTIONS: readonly Action[] = [];
const NO_FINDINGS: readonly Finding[] = [];
const NOTHING: Decision = { findings: NO_FINDINGS, actions: NO_ACTIONS };
const NO_INTENTS: readonly OrderIntent[] = [];
const NO_MARKETS: ReadonlySet<MarketId> = new Set();
const NONE_REPORTED: ReadonlyMap<string, Rejection> = new Map();

export class Engine {
  readonly #parts: EngineParts;
  readonly #exits = new ExitStep();
  /** The intents that the strategy returned last. */
  #desired: readonly Intent[] = [];
  /** True while the newest book has a price inside a candle: see `BookSeen.inside`. */
  #isInsideCandle = false;
  /** The findings of the previous turn, by key. */
  #reported: ReadonlyMap<string, Rejection> = NONE_REPORTED;
  /** The same, as a list, to notice that nothing changed. */
  #currentFindings: readonly Rejection[] = [];
  /** The totals of the previous turn. */
  #totals: RunTotals;
  readonly #gates: KeptGates;
  readonly #verdicts: KeptVerdicts;
  readonly #settled: SettledReview;

  constructor(parts: EngineParts) {
    const { world, rules } = parts;
    this.#parts = parts;
    this.#totals = world.accounting.totals;
    this.#gates = new KeptGates(rules, world);
    this.#verdicts = new KeptVerdicts(rules, world.revisions);
    this.#settled = new SettledReview({ world, rules, kept: this.#verdicts, send: (approved, gated) => this.#send(approved, gated) });
  }

  /**
   * Applies all events that have arrived, and then decides once. Synchronous and without side effects of its own: the same events in the same turns
   * give the same record, byte for byte.
   */
  step(...events: readonly Event[]): Turn {
    const { world, decide } = this.#parts;
    world.apply(...events);
    this.#seeBooks(events);
    const gated = this.#gates.check();
    const { intents, events: exits, suspended } = this.#intentsOf(gated); // `suspended`: of sides on which nothing is placed after an exit
    const { findings: reviewed, actions } =
      world.mode === 'halted' ? NOTHING : (this.#settled.decideUnchanged(intents, gated) ?? this.#reviewAndSend(intents, gated));
    const staleInputs = this.#isClosing ? NO_FINDINGS : world.inputs.findings(world.now);
    const holds = concat<Rejection>(suspended, postOnlyHolds(intents, world));
    const findings = concat<Rejection>(concat<Rejection>(reviewed, holds), staleInputs);
    // An unchanged list reports nothing, ends nothing, and keeps `#reported`.
    const before = this.#reported;
    const found = isSameList(findings, this.#currentFindings) ? NO_FINDINGS : this.#newFindings(findings);
    const ended = this.#endedOf(before);
    this.#currentFindings = findings;
    return {
      at: world.now,
      events,
      intents,
      findings: concat(exits, found),
      actions,
      idle: actions.length > 0 ? undefined : idleCauseOf({ world, decide, intents, reviewed, gated, holds, staleInputs }),
      changes: world.takeChanges(),
      fills: world.takeFills(),
      corrections: world.judgedFills.takeCorrections(),
      unbooked: world.judgedFills.takeUnbooked(),
      alarms: world.takeAlarms(),
      health: world.health.takeFound(),
      logs: merged(world.inputs.takeRecords(), decide.takeLogs?.()),
      memory: world.memory.takeChanges(),
      totals: this.#newTotals(),
      ended,
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
    const reviewed = review(intents, { rules, world, gated, kept: this.#verdicts });
    const { approved, findings } = reviewed;
    const actions = this.#send(approved, gated);
    this.#settled.keep(reviewed, { intents, gated, actions });
    return { findings, actions };
  }

  /** Returns the actions, and marks them as sent. */
  #send(approved: readonly Approved[], gated: Gated): readonly Action[] {
    const { world, nextClientOrderId, sentInstead } = this.#parts;
    const held = this.#isClosing ? NO_MARKETS : gated.held; // while closing, cancels go out in held markets too
    const actions = reconcile({ approved, held, world, nextClientOrderId });
    world.markSent(sentInstead?.() ?? actions);
    return actions;
  }

  #newTotals(): RunTotals | undefined {
    const { totals } = this.#parts.world.accounting;
    if (totals === this.#totals) return undefined;
    this.#totals = totals;
    return totals;
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
    if (before === this.#reported) return undefined;
    let ended: EndedFinding[] | undefined;
    for (const [key, { guard, market, side, verdict }] of before) {
      if (this.#reported.has(key)) continue;
      ended ??= [];
      ended.push({ guard, market, side, verdict });
    }
    return ended;
  }
}

function isSameList<T>(some: readonly T[], others: readonly T[]): boolean {
  if (some.length !== others.length) return false;
  for (let rank = 0; rank < some.length; rank++) if (some[rank] !== others[rank]) return false;
  return true;
}

const merged = (some: readonly LogRecord[] | undefined, others: readonly LogRecord[] | undefined): readonly LogRecord[] | undefined =>
  some === undefined || others === undefined ? (some ?? others) : [...some, ...others];

const keyOf = ({ guard, market, side, verdict }: Rejection): string => `${guard}/${market ?? ''}/${side ?? ''}/${verdict}`;

/** Fewer refusals of one level are ordinary: the market moves while an order is under way. */
const MANY = 3;
const NONE: readonly Rejection[] = [];

/**
 * Returns one finding for each side of a market with a wanted post-only level that was refused MANY times: the market has passed the level, and the
 * exchange refuses an order that would trade at once.
 */
function postOnlyHolds(intents: readonly OrderIntent[], world: World): readonly Rejection[] {
  let found: Rejection[] | undefined;
  for (const quote of intents) {
    if (quote.kind !== 'quote' || quote.fillMode !== 'POST_ONLY') continue;
    const { market } = quote;
    for (const side of SIDES) {
      const refusals = world.holdback.postOnlyRefusals({ market, side });
      if (refusals === undefined) continue;
      for (const { price } of side === 'bid' ? quote.bids : quote.asks) {
        const times = refusals.get(price) ?? 0;
        if (times < MANY) continue;
        found ??= [];
        found.push({
          guard: 'post-only',
          market,
          side,
          verdict: 'hold',
          reason: () => reasonOf(world.market(market).priceText(price), times),
        });
        break;
      }
    }
  }
  return found ?? NONE;
}

const reasonOf = (price: string, times: number): string =>
  `the exchange refused ${times} orders at ${price} because they would have traded at once: the market has passed this price. ` +
  'With postOnly: false in quote() the order takes what is offered there';
