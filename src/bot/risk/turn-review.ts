// Runs the guards over the intents of one turn: over each wanted order, the most important first, beside the standing orders and the orders passed before it.
import { concat } from '../../base/collections/lists.ts';
import { type Level, type Side, signOf } from '../domain/book.ts';
import type { Quote, Target } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { reduces } from '../world/exposure.ts';
import { isWorthReplacing, type MatchedQuote, type MatchedTarget, match, type Pair, shortfall } from '../world/orders/match.ts';
import { type InputSet, inputSet } from '../world/revisions.ts';
import type { World } from '../world/world.ts';
import { type Candidate, type Circumstances, type Guard, isInScope, type Rejection, type RiskRules, type Verdict } from './guard.ts';
import type { FirstRejection, KeptVerdicts, Outcome, VerdictSlot } from './kept-verdicts.ts';
import { RunningExposure } from './running-exposure.ts';

type Wanted = Omit<Candidate, 'reducing' | 'standing'>;

/** The levels of one side during the review. */
interface SideReview {
  readonly side: Side;
  readonly pairs: readonly Pair[];
  /** The allowed size of each level. */
  readonly sizes: Lots[];
  /** The order that stands for each level, after it is known which smaller orders stay; undefined where a new one is wanted. */
  readonly standing: (Order | undefined)[];
}

/** A finding with its rank in the order of importance. */
interface RankedFinding {
  readonly importance: number;
  readonly finding: Rejection;
}

interface QuoteReview {
  readonly quote: Quote;
  readonly market: Market;
  readonly sides: readonly [SideReview, SideReview];
  /** The findings about the quote, by importance once it is reviewed. */
  readonly found: RankedFinding[];
}

export class TurnReview {
  readonly #rules: RiskRules;
  readonly #findings: Rejection[];
  /** The exposure for new orders: all standing orders, wanted or not, plus the new orders passed so far. */
  readonly #all: RunningExposure;
  /** The exposure for standing orders: only orders before it in the review, so that the farthest are withdrawn first if not all can stay. */
  readonly #before: RunningExposure;
  readonly #kept: KeptVerdicts | undefined;
  /** The inputs of each guard, by its rank. */
  readonly #reads: readonly InputSet[];
  #inputs: InputSet = 0;
  #hasRejections = false;

  constructor({ rules, world, findings, kept }: { rules: RiskRules; world: World; findings: Rejection[]; kept: KeptVerdicts | undefined }) {
    this.#rules = rules;
    this.#findings = findings;
    this.#all = new RunningExposure(world);
    this.#before = new RunningExposure(world);
    this.#kept = kept;
    this.#reads = kept?.reads ?? rules.guards.map(({ reads }) => inputSet(reads));
    kept?.begin();
  }

  /** The inputs of the guards that were run so far. */
  get inputs(): InputSet {
    return this.#inputs;
  }

  get hasRejections(): boolean {
    return this.#hasRejections;
  }

  /**
   * Reviews a quote; returns it with the allowed sizes. New orders come first: their verdicts do not depend on whether the standing ones stay, because those
   * count until they are known to be gone.
   */
  quote(matched: MatchedQuote, market: Market): MatchedQuote {
    const { intent: quote, orders, bid, ask } = matched;
    const { slack } = quote;
    const [bids, asks] = [sideOf('bid', bid.wanted), sideOf('ask', ask.wanted)];
    const reviewed: QuoteReview = { quote, market, sides: [bids, asks], found: [] };
    this.#newOrders(reviewed);
    if (this.#passesAsOne(bids, reviewed) && this.#passesAsOne(asks, reviewed)) this.#allStay(reviewed);
    else this.#standingOrders(reviewed);
    for (const { finding } of reviewed.found) this.#findings.push(finding);
    const isWholeSide = { bid: isWhole(quote.bids, bids.sizes), ask: isWhole(quote.asks, asks.sizes) };
    if (isWholeSide.bid && isWholeSide.ask) return matched;
    const left = { ...quote, bids: withSizes(quote.bids, bids.sizes), asks: withSizes(quote.asks, asks.sizes) };
    return {
      kind: 'quote',
      intent: left,
      orders,
      bid: isWholeSide.bid ? bid : match({ side: 'bid', wanted: left.bids, orders, slack }),
      ask: isWholeSide.ask ? ask : match({ side: 'ask', wanted: left.asks, orders, slack }),
    };
  }

  target(target: Target, market: Market): MatchedTarget {
    const missing = shortfall(target, { market, ...this.#all.exposure(market.id) });
    if (missing === undefined) return { kind: 'target', intent: target, missing };
    const wanted: Wanted = { market, ...missing, price: target.limit, fillMode: 'IMMEDIATE_OR_CANCEL', goal: target.position };
    const size = this.#askNew(wanted, this.#findings);
    this.#before.place(wanted, size);
    const position = lots(target.position - signOf(missing.side) * (missing.size - size));
    return { kind: 'target', intent: { ...target, position }, missing: size > 0 ? { side: missing.side, size } : undefined };
  }

  /** Reviews the levels for which no order stands, and decides which smaller orders are replaced. */
  #newOrders({ quote, market, sides, found }: QuoteReview): void {
    const { fillMode } = quote;
    const levels = Math.max(sides[0].pairs.length, sides[1].pairs.length);
    for (let rank = 0; rank < levels; rank++) {
      for (const { side, pairs, sizes, standing } of sides) {
        const pair = pairs[rank];
        if (pair === undefined) continue;
        const { level, order, smaller } = pair;
        standing.push(order);
        sizes.push(level.size);
        if (order !== undefined) continue;
        const findings: Rejection[] = [];
        const wanted: Wanted = { market, side, price: level.price, size: level.size, fillMode };
        const size = smaller === undefined ? this.#askNew(wanted, findings, rank) : this.#askInstead(smaller, wanted, findings);
        if (size === undefined) standing[rank] = smaller;
        sizes[rank] = size ?? smaller?.size ?? level.size;
        for (const finding of findings) found.push({ importance: importanceOf(side, rank), finding });
      }
    }
  }

  /** Returns the size that the guards allow for a new order. `rank`: its level, if the verdicts are kept. */
  #askNew(wanted: Wanted, findings: Rejection[], rank?: number): Lots {
    const slot = rank === undefined ? undefined : this.#kept?.slot(wanted, 'levels', rank);
    const left = this.#throughGuards(wanted, { standing: undefined, circumstances: this.#all, findings, slot });
    this.#all.place(wanted, left);
    return left;
  }

  /**
   * Asks about a level whose order was shrunk earlier. Returns undefined if that order stays, because the guards would shrink it again. Returns the new size
   * if they now allow enough more to replace it; 0 if they refuse the larger size beside it, so that it is withdrawn first.
   */
  #askInstead(smaller: Order, wanted: Wanted, findings: Rejection[]): Lots | undefined {
    const found: Rejection[] = [];
    const instead = this.#throughGuards(wanted, { standing: undefined, circumstances: this.#all.without(smaller), findings: found });
    if (!isWorthReplacing(smaller, instead, wanted.size)) {
      if (instead > 0) findings.push(...found); // no finding about an order that is not sent
      return undefined;
    }
    const beside = this.#throughGuards(wanted, { standing: undefined, circumstances: this.#all, findings: [] });
    return beside < instead ? lots(0) : this.#askNew(wanted, findings);
  }

  /**
   * True if all standing orders of a side certainly stay: the guards pass the largest of them at the lowest and at the highest of their prices, with
   * all other orders before it. That is enough only for guards that are `monotone`.
   */
  #passesAsOne({ side, pairs, standing }: SideReview, { quote, market }: QuoteReview): boolean {
    const kept = this.#kept;
    let largest: Order | undefined;
    let [low, high] = [Infinity, -Infinity];
    for (let rank = 0; rank < standing.length; rank++) {
      const order = standing[rank];
      if (order === undefined) continue;
      if (largest === undefined || order.remaining > largest.remaining) largest = order;
      const { price } = pairs[rank]!.level;
      low = Math.min(low, price);
      high = Math.max(high, price);
    }
    if (largest === undefined) return true;
    if (kept === undefined || !kept.isMonotone(market)) return false;
    const circumstances = this.#all.without(largest);
    const size = largest.remaining;
    for (const price of low === high ? [low] : [low, high]) {
      const wanted: Wanted = { market, side, price: price as Ticks, size, fillMode: quote.fillMode };
      const slot = kept.slot(wanted, 'asOne', price === low ? 0 : 1);
      if (this.#throughGuards(wanted, { standing: largest, circumstances, findings: undefined, slot }) < size) return false;
    }
    return true;
  }

  #allStay({ market, sides }: QuoteReview): void {
    for (const { side, pairs, sizes, standing } of sides)
      for (let rank = 0; rank < sizes.length; rank++)
        if (standing[rank] === undefined && sizes[rank]! > 0)
          this.#before.place({ market, side, price: pairs[rank]!.level.price }, sizes[rank]!);
  }

  /** Asks about each standing order, with the orders before it. */
  #standingOrders({ quote: { fillMode }, market, sides, found }: QuoteReview): void {
    for (const { side, pairs } of sides)
      for (const { order, smaller = order } of pairs) if (smaller !== undefined) this.#before.add(market.id, side, -smaller.remaining);
    const levels = Math.max(sides[0].pairs.length, sides[1].pairs.length);
    for (let rank = 0; rank < levels; rank++) {
      for (const { side, pairs, sizes, standing } of sides) {
        const pair = pairs[rank];
        if (pair === undefined) continue;
        const wanted: Wanted = { market, side, price: pair.level.price, size: sizes[rank]!, fillMode };
        const order = standing[rank];
        if (order === undefined) {
          if (pair.smaller !== undefined) this.#before.add(market.id, side, pair.smaller.remaining);
          this.#before.place(wanted, wanted.size);
          continue;
        }
        const findings: Rejection[] = [];
        sizes[rank] = this.#askStanding(wanted, order, findings, rank);
        for (const finding of findings) found.push({ importance: importanceOf(side, rank), finding });
      }
    }
    found.sort((one, other) => one.importance - other.importance);
  }

  /** Returns the size that the guards allow for a standing order. It cannot shrink in place, so it is kept whole or withdrawn. */
  #askStanding(wanted: Wanted, standing: Order, findings: Rejection[], rank: number): Lots {
    const size = standing.remaining;
    const slot = this.#kept?.slot(wanted, 'standing', rank);
    const left = this.#throughGuards(wanted, { standing, circumstances: this.#before, findings, slot });
    this.#before.add(wanted.market.id, wanted.side, size); // a withdrawn order also counts until it is known to be gone
    return left < size ? lots(0) : wanted.size;
  }

  /**
   * Runs the guards and returns the allowed size. A standing order is reviewed with its remaining size. The verdicts in `slot` whose inputs have not changed
   * are used again. Without `findings` it is only asked whether the whole size passes: if not, 0 is returned and nothing is recorded.
   */
  #throughGuards(wanted: Wanted, { standing, circumstances, findings, slot }: Question): Lots {
    const { market, side, price, fillMode, goal } = wanted;
    const size = standing?.remaining ?? wanted.size;
    const exposure = circumstances.exposure(market.id);
    const candidate: Candidate = { market, side, price, size, fillMode, standing, goal, reducing: reduces(exposure, { side, size }) };
    // a new order passed before this one is an input that the revisions of the world do not show
    const usableSlot = this.#all.passed() === 0 ? slot : undefined;
    const moved = usableSlot?.movedSince(candidate, exposure);
    const unchanged = moved === undefined ? undefined : usableSlot?.outcome(moved);
    const outcome =
      unchanged ??
      this.#askGuards(candidate, circumstances, {
        wholeOnly: findings === undefined,
        kept: moved === undefined ? undefined : usableSlot,
        moved: moved ?? 0,
      });
    usableSlot?.keep(candidate, exposure, outcome);
    this.#inputs |= outcome.reads;
    if (findings === undefined) return outcome.left;
    if (outcome.first !== undefined) this.#hasRejections = true;
    for (const finding of outcome.findings) findings.push(finding);
    return outcome.left;
  }

  #askGuards(whole: Candidate, circumstances: Circumstances, { wholeOnly, kept, moved }: Asking): Outcome {
    const { guards } = this.#rules;
    let left = whole;
    let usable = kept;
    let reads: InputSet = 0;
    let first: FirstRejection | undefined;
    let findings = NO_FINDINGS;
    for (let rank = 0; rank < guards.length; rank++) {
      const guard = guards[rank]!;
      if (!isInScope(guard, left)) continue;
      reads |= this.#reads[rank]!;
      const verdict = usable?.verdict(rank, moved) ?? guard.review(left, circumstances);
      if (verdict.kind === 'pass') continue;
      const rest = lots(verdict.kind === 'refuse' ? 0 : left.market.orderSize(lots(Math.max(0, Math.min(left.size, verdict.size)))));
      const finding = usable?.findingOf(verdict) ?? findingAbout(guard, left, { rest, verdict });
      first ??= { rank, verdict, finding };
      findings = concat(findings, [finding]);
      usable = undefined; // the kept verdicts are about the whole size
      left = { ...left, size: wholeOnly ? lots(0) : rest };
      if (left.size === 0) break;
    }
    return { left: left.size, reads, first, findings };
  }
}

const NO_FINDINGS: readonly Rejection[] = [];

interface Question {
  readonly standing: Order | undefined;
  readonly circumstances: Circumstances;
  readonly findings: Rejection[] | undefined;
  readonly slot?: VerdictSlot | undefined;
}

interface Asking {
  /** True if only whether the guards pass the whole size is asked. */
  readonly wholeOnly: boolean;
  readonly kept: VerdictSlot | undefined;
  readonly moved: InputSet;
}

const findingAbout = ({ name }: Guard, { market, side }: Candidate, { rest, verdict }: { rest: Lots; verdict: Rejecting }): Rejection => ({
  guard: name,
  market: market.id,
  side,
  verdict: rest > 0 ? 'shrink' : 'refuse',
  reason: verdict.reason,
});

type Rejecting = Exclude<Verdict, { readonly kind: 'pass' }>;

const sideOf = (side: Side, pairs: readonly Pair[]): SideReview => ({ side, pairs, sizes: [], standing: [] });

/** Nearest first; a bid before the ask of the same rank. */
const importanceOf = (side: Side, rank: number): number => rank * 2 + (side === 'bid' ? 0 : 1);

function isWhole(levels: readonly Level[], sizes: readonly Lots[]): boolean {
  for (let rank = 0; rank < levels.length; rank++) if (levels[rank]!.size !== sizes[rank]) return false;
  return true;
}

const withSizes = (levels: readonly Level[], sizes: readonly Lots[]): readonly Level[] =>
  levels.map(({ price }, rank) => ({ price, size: sizes[rank]! })).filter(({ size }) => size > 0);
