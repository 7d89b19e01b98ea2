// Keeps the verdicts of the guards from one review to the next, so that a guard is asked again only if the order or an input that it reads has changed.

import type { Side } from '../domain/book.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market, MarketKind } from '../domain/market.ts';
import type { Lots } from '../domain/numbers.ts';
import type { Exposure } from '../world/exposure.ts';
import { type InputSet, inputSet, type Revisions, type Snapshot } from '../world/revisions.ts';
import { type Candidate, PASS, type Rejection, type RiskRules, type Verdict } from './guard.ts';

/** The terms of the order that guards were asked about. Whether it reduces is not among them: it follows from the exposure. */
type Asked = Pick<Candidate, 'price' | 'size' | 'fillMode' | 'standing'>;

/** The first guard that did not pass an order as it was, by its rank, with its verdict and the finding about it. */
export interface FirstRejection {
  readonly rank: number;
  readonly verdict: Verdict;
  readonly finding: Rejection;
}

export interface Outcome {
  /** The allowed size. */
  readonly left: Lots;
  /** The inputs of the guards that were run. */
  readonly reads: InputSet;
  /** Undefined if all guards have passed the order. */
  readonly first: FirstRejection | undefined;
  readonly findings: readonly Rejection[];
}

/**
 * The kept verdicts of one side: on each level without an order, on each standing order, and on all standing orders reviewed as one, at the lowest and at the
 * highest of their prices.
 */
interface SideSlots {
  readonly levels: VerdictSlot[];
  readonly standing: VerdictSlot[];
  readonly asOne: VerdictSlot[];
}

/** For one world and its rules. */
export class KeptVerdicts {
  /** The inputs of each guard, by its rank. */
  readonly reads: readonly InputSet[];
  readonly #revisions: Revisions;
  readonly #monotone: ReadonlySet<MarketKind>;
  readonly #slots = new Map<MarketId, Readonly<Record<Side, SideSlots>>>();
  #now: Snapshot;
  #compared: Snapshot | undefined;
  #moved: InputSet = 0;

  constructor({ guards }: Pick<RiskRules, 'guards'>, revisions: Revisions) {
    this.reads = guards.map(({ reads }) => inputSet(reads));
    this.#revisions = revisions;
    this.#now = revisions.snapshot();
    const isMonotone = (kind: MarketKind): boolean =>
      guards.every(({ onlyNew, markets = kind, monotone }) => onlyNew === true || markets !== kind || monotone === true);
    this.#monotone = new Set((['perp', 'spot'] as const).filter(isMonotone));
  }

  /** Call it before each review. */
  begin(): void {
    this.#now = this.#revisions.snapshot();
    this.#compared = undefined;
  }

  /** The revisions in this review. */
  get now(): Snapshot {
    return this.#now;
  }

  /** The inputs that have changed from an earlier review to this one. */
  movedSince(earlier: Snapshot): InputSet {
    if (earlier !== this.#compared) {
      this.#moved = this.#revisions.since(earlier);
      this.#compared = earlier;
    }
    return this.#moved;
  }

  /** True if all guards of the market's standing orders are monotone. */
  isMonotone({ spec }: Market): boolean {
    return this.#monotone.has(spec.kind);
  }

  /** Returns the slot of the verdicts of that kind and rank; adds it if it is new. */
  slot({ market: { id }, side }: Pick<Candidate, 'market' | 'side'>, kind: keyof SideSlots, rank: number): VerdictSlot {
    let sides = this.#slots.get(id);
    if (sides === undefined) {
      sides = { bid: { levels: [], standing: [], asOne: [] }, ask: { levels: [], standing: [], asOne: [] } };
      this.#slots.set(id, sides);
    }
    const slots = sides[side][kind];
    while (slots.length <= rank) slots.push(new VerdictSlot(this));
    return slots[rank]!;
  }
}

/** The verdicts on one order, as of the review that last asked about it. */
export class VerdictSlot {
  readonly #verdicts: KeptVerdicts;
  #asked: Asked | undefined;
  /** The exposure in the market, with the orders before this one. */
  #exposure: Exposure | undefined;
  #revisions: Snapshot = [];
  #outcome: Outcome | undefined;

  constructor(verdicts: KeptVerdicts) {
    this.#verdicts = verdicts;
  }

  /** Returns the inputs that have changed since the same was asked with the same orders before it; undefined if it was not. */
  movedSince(asked: Asked, exposure: Exposure): InputSet | undefined {
    if (this.#asked === undefined || this.#exposure === undefined) return undefined;
    if (!isSame(this.#asked, asked) || !isSameExposure(this.#exposure, exposure)) return undefined;
    return this.#verdicts.movedSince(this.#revisions);
  }

  /** Returns the outcome of all guards; undefined if one of them reads an input that has changed. */
  outcome(moved: InputSet): Outcome | undefined {
    const outcome = this.#outcome;
    return outcome !== undefined && (outcome.reads & moved) === 0 ? outcome : undefined;
  }

  /** Returns the verdict of one guard, or undefined if it must be asked. */
  verdict(rank: number, moved: InputSet): Verdict | undefined {
    if ((this.#verdicts.reads[rank]! & moved) !== 0) return undefined;
    const first = this.#outcome?.first;
    if (first === undefined || rank < first.rank) return PASS;
    return rank === first.rank ? first.verdict : undefined;
  }

  /** The finding that belongs to a kept verdict. */
  findingOf(verdict: Verdict): Rejection | undefined {
    const first = this.#outcome?.first;
    return verdict === first?.verdict ? first.finding : undefined;
  }

  keep(asked: Asked, exposure: Exposure, outcome: Outcome): void {
    this.#asked = asked;
    this.#exposure = exposure;
    this.#outcome = outcome;
    this.#revisions = this.#verdicts.now;
  }
}

const isSame = (one: Asked, other: Asked): boolean =>
  one.price === other.price &&
  one.size === other.size &&
  one.fillMode === other.fillMode &&
  one.standing?.clientOrderId === other.standing?.clientOrderId;

const isSameExposure = (one: Exposure, other: Exposure): boolean =>
  one === other || (one.low === other.low && one.high === other.high && one.bids === other.bids && one.asks === other.asks);
