// What a guard is: it sees one wanted order and may pass it, shrink it or refuse it, but never enlarge it.
import type { z } from 'zod';
import type { MarketId } from '../domain/ids.ts';
import type { Market, MarketSpec } from '../domain/market.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { FillMode, Order } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import type { Finding } from '../domain/turn.ts';
import type { Exposure } from '../world/position/exposure.ts';
import type { Input } from '../world/revisions.ts';
import type { World } from '../world/world.ts';

/** One wanted order. Orders are reviewed in order of importance: nearest the best price first. */
export interface Candidate {
  readonly market: Market;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly fillMode: FillMode;
  /** The order that already rests for it or is in flight; refusing the candidate withdraws that order. */
  readonly standing: Order | undefined;
  /** The position to reach, if the intent was a target rather than a quote. */
  readonly goal?: Lots | undefined;
  /** True if it can only bring the position nearer to flat, whether everything before it fills or not. */
  readonly reducing: boolean;
}

export interface Circumstances {
  readonly world: World;
  /** Our standing orders in a market, and those passed before this candidate in this turn. */
  own(market: MarketId): readonly { readonly side: Side; readonly price: Ticks; readonly remaining: Lots }[];
  /** How many new orders were passed before this candidate in this turn. */
  passed(): number;
  /** The worst case in a market before this candidate: the standing orders, and what was passed before it in this turn. */
  exposure(market: MarketId): Exposure;
}

/**
 * A text for a person. One that is costly to write is a function, called only when the finding is reported: a guard that continues to refuse is
 * reported once.
 */
export type Reason = string | (() => string);

/** An order shrunk to nothing is refused. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'shrink'; readonly size: Lots; readonly reason: Reason }
  | { readonly kind: 'refuse'; readonly reason: Reason };

/** A finding whose reason is not written out yet. */
export type Rejection = Omit<Finding, 'reason'> & { readonly reason: Reason };

export const written = ({ reason, ...rejection }: Rejection): Finding => ({
  ...rejection,
  reason: typeof reason === 'string' ? reason : reason(),
});

export const PASS: Verdict = { kind: 'pass' };

/** The largest size below `size` for which `holds` is true, or 0. `holds(size)` itself must be false. */
export function largest(size: Lots, holds: (size: Lots) => boolean): Lots {
  let [good, bad] = [0, size as number];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (holds(lots(middle))) good = middle;
    else bad = middle;
  }
  return lots(good);
}

/** What a guard applies to. */
export interface Scope {
  /** The name in the configuration's `limits` and in findings, e.g. `price-collar`. */
  readonly name: string;
  /** The kind of market it applies to; all if absent. */
  readonly markets?: MarketSpec['kind'] | undefined;
  /** True if it applies to new orders only: orders that rest or are in flight stay. */
  readonly onlyNew?: boolean | undefined;
  /**
   * All that its verdicts depend on, besides its limits and the candidate's own terms. The engine runs it again for a resting order only when one of
   * these has changed, so a verdict whose input is missing here is never revised.
   */
  readonly reads: readonly Input[];
}

export interface Guard extends Scope {
  /** While its inputs are unchanged it must return the same verdict, and what it has passed as new it must pass as standing. */
  review(candidate: Candidate, circumstances: Circumstances): Verdict;
}

/** The guard's verdict; a candidate outside its scope passes. */
export function asked(guard: Guard, candidate: Candidate, circumstances: Circumstances): Verdict {
  return isInScope(guard, candidate) ? guard.review(candidate, circumstances) : PASS;
}

export function isInScope({ markets, onlyNew }: Guard, { market, standing }: Candidate): boolean {
  if (onlyNew === true && standing !== undefined) return false;
  return markets === undefined || markets === market.spec.kind;
}

/**
 * A gate checks a market as a whole, before any intent for it. `hold`: the data is not good enough to act on, so nothing is sent and resting orders
 * stay. `withdraw`: that has lasted too long, so resting orders are cancelled.
 */
export interface Gate {
  readonly name: string;
  check(market: Market, world: World): { readonly kind: 'hold' | 'withdraw'; readonly reason: string } | undefined;
}

export interface RiskRules {
  readonly gates: readonly Gate[];
  readonly guards: readonly Guard[];
}

/** A guard, gate or stop as the configuration knows it: a name, and a block of limits under that name. */
export interface Kind<Rule> {
  readonly name: string;
  readonly limits: z.ZodType;
  /** Creates the rule from its block, which `limits` has already checked, and from all blocks. */
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
