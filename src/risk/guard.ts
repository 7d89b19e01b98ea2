// What a guard is: it sees one order that is wanted and may pass it, shrink it or refuse it, never grow it.
import type { z } from 'zod';
import type { MarketId } from '../domain/ids.ts';
import type { Market, MarketSpec } from '../domain/market.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { FillMode, Order } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import type { Finding } from '../domain/turn.ts';
import type { Exposure } from '../world/position/exposure.ts';
import { type Input, type InputSet, inputSet } from '../world/revisions.ts';
import type { World } from '../world/world.ts';

/** One wanted order, in the order of importance: nearest the best price first. */
export interface Candidate {
  readonly market: Market;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly fillMode: FillMode;
  /** The order that already rests for it, or is on its way; refusing it withdraws that. */
  readonly standing: Order | undefined;
  /** The position that it is to lead to, where that was wanted rather than an order. */
  readonly goal?: Lots | undefined;
  /** It can only bring the position nearer to flat, with everything before it filled or not. */
  readonly reducing: boolean;
}

export interface Circumstances {
  readonly world: World;
  /** Our orders in a market that stand, and those passed before this candidate in this turn. */
  own(market: MarketId): readonly { readonly side: Side; readonly price: Ticks; readonly remaining: Lots }[];
  /** How many new orders were passed before this candidate in this turn. */
  passed(): number;
  /** The worst case in a market before this candidate: what stands, and what was passed before it in this turn. */
  exposure(market: MarketId): Exposure;
}

/** Words for a person. What takes long to write is written when it is told: a guard that goes on refusing is told once. */
export type Reason = string | (() => string);

/** Shrunk to nothing is refused. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'shrink'; readonly size: Lots; readonly reason: Reason }
  | { readonly kind: 'refuse'; readonly reason: Reason };

/** A finding that is not written yet. */
export type Rejection = Omit<Finding, 'reason'> & { readonly reason: Reason };

export const written = ({ reason, ...objection }: Rejection): Finding => ({
  ...objection,
  reason: typeof reason === 'string' ? reason : reason(),
});

export const PASS: Verdict = { kind: 'pass' };

/** The largest size below `size` that holds, or nothing; `size` itself does not. */
export function largest(size: Lots, holds: (size: Lots) => boolean): Lots {
  let [good, bad] = [0, size as number];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (holds(lots(middle))) good = middle;
    else bad = middle;
  }
  return lots(good);
}

/** Of what a guard is asked. */
export interface Scope {
  /** As in the configuration's `limits` and in findings: `price-collar`. */
  readonly name: string;
  /** Markets of this kind alone; all unless told. */
  readonly markets?: MarketSpec['kind'] | undefined;
  /** New orders alone: what rests or is on its way stays. */
  readonly onlyNew?: boolean | undefined;
  /**
   * All that its verdicts depend on, beside its limits and the candidate's own terms. The engine asks it again of an order that rests only when one of
   * these has moved, so an input that is missing here is a verdict that is never revised.
   */
  readonly reads: readonly Input[];
}

export interface Guard extends Scope {
  /** While its inputs stand still it gives the same verdict, and what it has passed as new it passes as standing. */
  review(candidate: Candidate, circumstances: Circumstances): Verdict;
}

/** What is not in its scope passes. */
export function asked(guard: Guard, candidate: Candidate, circumstances: Circumstances): Verdict {
  return isInScope(guard, candidate) ? guard.review(candidate, circumstances) : PASS;
}

export function isInScope({ markets, onlyNew }: Guard, { market, standing }: Candidate): boolean {
  if (onlyNew === true && standing !== undefined) return false;
  return markets === undefined || markets === market.spec.kind;
}

/**
 * A gate looks at a market as a whole, before anything is wanted in it. `hold`: nothing is known well enough to act on, so nothing is sent, and
 * what rests stays. `withdraw`: it has lasted too long, so what rests is cancelled.
 */
export interface Gate {
  readonly name: string;
  check(market: Market, world: World): { readonly kind: 'hold' | 'withdraw'; readonly reason: string } | undefined;
}

export interface RiskRules {
  readonly gates: readonly Gate[];
  readonly guards: readonly Guard[];
}

const inputSets = new WeakMap<RiskRules['guards'], readonly InputSet[]>();

/** What each guard reads, in their order. */
export function inputsOf(guards: RiskRules['guards']): readonly InputSet[] {
  const known = inputSets.get(guards);
  if (known !== undefined) return known;
  const sets = guards.map(({ reads }) => inputSet(reads));
  inputSets.set(guards, sets);
  return sets;
}

/** A guard or a gate as the configuration knows it: a name, and a block of limits under that name. */
export interface Kind<Rule> {
  readonly name: string;
  readonly limits: z.ZodType;
  /** Of a block that `limits` has already checked, and of all blocks. */
  create(block: unknown, all: Readonly<Record<string, unknown>>): Rule;
}

export function guardKind<L>({
  name,
  markets,
  onlyNew,
  reads,
  limits,
  review,
}: Scope & { limits: z.ZodType<L>; review: (limits: L) => Guard['review'] }): Kind<Guard> {
  return { name, limits, create: (block) => ({ name, markets, onlyNew, reads, review: review(limits.parse(block)) }) };
}

export function gateKind<L>({
  name,
  limits,
  check,
}: {
  name: string;
  limits: z.ZodType<L>;
  check: (limits: L) => Gate['check'];
}): Kind<Gate> {
  return { name, limits, create: (block) => ({ name, check: check(limits.parse(block)) }) };
}
