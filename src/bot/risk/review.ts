// The review: runs every guard on every intent. The only place that creates approved intents.
import type { Level } from '../domain/book.ts';
import type { MarketId } from '../domain/ids.ts';
import type { OrderIntent, Quote, Target } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { type Side, signOf } from '../domain/side.ts';
import type { Finding } from '../domain/turn.ts';
import { reduces } from '../world/exposure.ts';
import {
  type Approved,
  allStand,
  isWorthReplacing,
  type Match,
  type Matched,
  type MatchedQuote,
  type MatchedTarget,
  match,
  matchQuote,
  type Pair,
  shortfall,
} from '../world/orders/match.ts';
import { type InputSet, inputSet } from '../world/revisions.ts';
import type { World } from '../world/world.ts';
import { type Candidate, type Circumstances, type Gate, isInScope, type Rejection, type RiskRules } from './guard.ts';
import { type Passed, RunningExposure } from './running-exposure.ts';

/** The result of the gates, before any intent. */
export interface Gated {
  readonly open: ReadonlySet<MarketId>;
  /** Markets in which nothing is sent and resting orders stay. */
  readonly held: ReadonlySet<MarketId>;
  readonly findings: readonly Finding[];
}

const NOTHING_HELD: ReadonlySet<MarketId> = new Set();
const NO_FINDINGS: readonly Finding[] = [];
const NOT_MATCHED: readonly Matched[] = [];

export function passGates({ gates }: RiskRules, world: World): Gated {
  let stopped: { readonly all: Set<MarketId>; readonly held: Set<MarketId>; readonly findings: Finding[] } | undefined;
  for (const market of world.markets.values()) {
    let worst: ReturnType<Gate['check']>;
    for (const gate of gates) {
      const stop = gate.check(market, world);
      if (stop === undefined) continue;
      stopped ??= { all: new Set(), held: new Set(), findings: [] };
      stopped.findings.push({
        guard: gate.name,
        market: market.id,
        verdict: stop.kind === 'hold' ? 'hold' : 'refuse',
        reason: stop.reason,
      });
      if (worst?.kind !== 'withdraw') worst = stop;
    }
    if (worst !== undefined) stopped?.all.add(market.id);
    if (worst?.kind === 'hold') stopped?.held.add(market.id);
  }
  if (stopped === undefined) return { open: world.marketIds, held: NOTHING_HELD, findings: NO_FINDINGS };
  const { all, held, findings } = stopped;
  return { open: new Set([...world.marketIds].filter((id) => !all.has(id))), held, findings };
}

export interface Review {
  readonly approved: readonly Approved[];
  readonly held: Gated['held'];
  /** Returns the inputs that the verdicts depend on: while they are unchanged, the same intents get the same verdicts. */
  readonly inputs: () => InputSet;
  /** True if a guard shrank or refused anything, whether it is in the findings or not. */
  readonly hasRejections: boolean;
  /** The findings of the gates, then those of the guards. */
  readonly findings: readonly Rejection[];
}

export interface ReviewParts {
  readonly rules: RiskRules;
  readonly world: World;
  /** The result of the gates, if they have already been run. */
  readonly gated?: Gated;
  /** The intents as matched with the current orders, if that has already been done. */
  readonly matched?: readonly Matched[];
}

export function review(
  intents: readonly OrderIntent[],
  { rules, world, gated = passGates(rules, world), matched = NOT_MATCHED }: ReviewParts,
): Review {
  const findings: Rejection[] = [...gated.findings];
  const turnReview = new TurnReview({ rules, world, findings });
  const approved: Approved[] = [];
  for (const intent of intents) {
    const market = world.market(intent.market);
    if (!gated.open.has(market.id)) continue;
    if (intent.kind === 'target') {
      approved.push(turnReview.target(intent, market) as Approved);
      continue;
    }
    const known = matched.find((candidate) => candidate.intent === intent);
    approved.push(turnReview.quote(known?.kind === 'quote' ? known : matchQuote(intent, world.orders(market.id)), market) as Approved);
  }
  return { approved, held: gated.held, inputs: () => turnReview.inputs, hasRejections: turnReview.hasRejections, findings };
}

/** Approves intents that a review has passed before, if orders stand for all of them. Returns undefined if one is missing, which the guards must judge. */
export const approveStanding = (matched: readonly Matched[]): readonly Approved[] | undefined =>
  allStand(matched) ? (matched as readonly Approved[]) : undefined;

/** The run of all guards over the intents of one turn. */
class TurnReview {
  readonly #rules: RiskRules;
  readonly #findings: Rejection[];
  readonly #passed: Passed[] = [];
  /** The exposure for new orders: all standing orders, wanted or not, plus the new orders passed so far. */
  readonly #all: RunningExposure;
  /** The exposure for standing orders: only orders before it in the review, so that the farthest are withdrawn first if not all can stay. */
  readonly #before: RunningExposure;
  /** True for each guard that was run, by its index. */
  readonly #wasRun: boolean[] = [];
  #hasRejections = false;

  constructor({ rules, world, findings }: { rules: RiskRules; world: World; findings: Rejection[] }) {
    this.#rules = rules;
    this.#findings = findings;
    this.#all = new RunningExposure(world, this.#passed);
    this.#before = new RunningExposure(world, this.#passed);
  }

  /** Returns the inputs of the guards that were run so far. */
  get inputs(): InputSet {
    let inputs = 0;
    for (const [rank, { reads }] of this.#rules.guards.entries()) if (this.#wasRun[rank] === true) inputs |= inputSet(reads);
    return inputs;
  }

  get hasRejections(): boolean {
    return this.#hasRejections;
  }

  quote(matched: MatchedQuote, market: Market): MatchedQuote {
    const { intent: quote, orders, bid, ask } = matched;
    const { slack } = quote;
    const bids = bid.wanted;
    const asks = ask.wanted;
    this.#withoutStanding('bid', bids, market);
    this.#withoutStanding('ask', asks, market);
    const passed: Sizes = { bids: [], asks: [] };
    for (let rank = 0; rank < bids.length || rank < asks.length; rank++) {
      if (rank < bids.length) passed.bids.push(this.#level('bid', bids[rank]!, { quote, market }));
      if (rank < asks.length) passed.asks.push(this.#level('ask', asks[rank]!, { quote, market }));
    }
    const isWholeSide = { bid: isWhole(quote.bids, passed.bids), ask: isWhole(quote.asks, passed.asks) };
    if (isWholeSide.bid && isWholeSide.ask) return matched;
    const left = { ...quote, bids: withSizes(quote.bids, passed.bids), asks: withSizes(quote.asks, passed.asks) };
    return {
      kind: 'quote',
      intent: left,
      orders,
      bid: isWholeSide.bid ? bid : match({ side: 'bid', wanted: left.bids, orders, slack }),
      ask: isWholeSide.ask ? ask : match({ side: 'ask', wanted: left.asks, orders, slack }),
    };
  }

  /** Removes the standing orders from `#before`: each is added when its level is reviewed. */
  #withoutStanding(side: Side, pairs: Match['wanted'], market: Market): void {
    for (const { order, smaller = order } of pairs) if (smaller !== undefined) this.#before.add(market.id, side, -smaller.remaining);
  }

  target(target: Target, market: Market): MatchedTarget {
    const missing = shortfall(target, { market, ...this.#all.exposure(market.id) });
    if (missing === undefined) return { kind: 'target', intent: target, missing };
    const wanted: Wanted = { market, ...missing, price: target.limit, fillMode: 'IMMEDIATE_OR_CANCEL', goal: target.position };
    const size = this.#ask(wanted, undefined);
    const position = lots(target.position - signOf(missing.side) * (missing.size - size));
    return { kind: 'target', intent: { ...target, position }, missing: size > 0 ? { side: missing.side, size } : undefined };
  }

  /**
   * Returns the size that the guards allow for a wanted level. An order that was shrunk earlier (`smaller`) stays if the guards would shrink it
   * again. It is replaced if they now allow enough more; if the larger size is refused beside it, it is withdrawn first.
   */
  #level(side: Side, { level, order, smaller }: Pair, { quote, market }: { quote: Quote; market: Market }): Lots {
    const wanted: Wanted = { market, side, price: level.price, size: level.size, fillMode: quote.fillMode };
    if (smaller === undefined) return this.#ask(wanted, order);
    const findings: Rejection[] = [];
    const instead = this.#throughGuards(wanted, undefined, this.#all.without(smaller), findings);
    if (!isWorthReplacing(smaller, instead, wanted.size)) {
      if (instead > 0) this.#findings.push(...findings); // no finding about an order that is not sent
      return this.#ask({ ...wanted, size: smaller.size }, smaller);
    }
    this.#before.add(market.id, side, smaller.remaining);
    return this.#throughGuards(wanted, undefined, this.#all, []) < instead ? lots(0) : this.#ask(wanted, undefined);
  }

  /** Returns the size that all guards allow for a wanted order. A standing order cannot shrink in place, so it is kept whole or withdrawn. */
  #ask(wanted: Wanted, standing: Order | undefined): Lots {
    const { market, side, price } = wanted;
    if (standing !== undefined) {
      const size = standing.remaining;
      const left = this.#throughGuards(wanted, standing, this.#before, this.#findings);
      this.#before.add(market.id, side, size); // a withdrawn order also counts until it is known to be gone
      return left < size ? lots(0) : wanted.size;
    }
    const left = this.#throughGuards(wanted, undefined, this.#all, this.#findings);
    if (left > 0) this.#passed.push({ market: market.id, side, price, remaining: left });
    this.#all.add(market.id, side, left);
    this.#before.add(market.id, side, left);
    return left;
  }

  /** Runs the guards and returns the allowed size. A standing order is reviewed with its remaining size. */
  #throughGuards(
    { market, side, price, size: wanted, fillMode, goal }: Wanted,
    standing: Order | undefined,
    circumstances: Circumstances,
    findings: Rejection[],
  ): Lots {
    const size = standing?.remaining ?? wanted;
    const reducing = reduces(circumstances.exposure(market.id), { side, size });
    let left: Candidate = { market, side, price, size, fillMode, standing, goal, reducing };
    const { guards } = this.#rules;
    for (let rank = 0; rank < guards.length; rank++) {
      const guard = guards[rank]!;
      if (!isInScope(guard, left)) continue;
      this.#wasRun[rank] = true;
      const verdict = guard.review(left, circumstances);
      if (verdict.kind === 'pass') continue;
      this.#hasRejections = true;
      const rest = lots(verdict.kind === 'refuse' ? 0 : market.orderSize(lots(Math.max(0, Math.min(left.size, verdict.size)))));
      const kind = rest > 0 ? 'shrink' : 'refuse';
      findings.push({ guard: guard.name, market: left.market.id, side: left.side, verdict: kind, reason: verdict.reason });
      if (rest === 0) return rest;
      left = { ...left, size: rest };
    }
    return left.size;
  }
}

type Wanted = Omit<Candidate, 'reducing' | 'standing'>;

/** The allowed size of each level. */
interface Sizes {
  readonly bids: Lots[];
  readonly asks: Lots[];
}

function isWhole(levels: readonly Level[], sizes: readonly Lots[]): boolean {
  for (let rank = 0; rank < levels.length; rank++) if (levels[rank]!.size !== sizes[rank]) return false;
  return true;
}

const withSizes = (levels: readonly Level[], sizes: readonly Lots[]): readonly Level[] =>
  levels.map(({ price }, rank) => ({ price, size: sizes[rank]! })).filter(({ size }) => size > 0);
