// Defines a guard: it reviews one wanted order and passes, shrinks or refuses it; it never enlarges it.
import type { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import type { Side } from '../domain/book.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market, MarketSpec } from '../domain/market.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { FillMode, Order } from '../domain/order.ts';
import type { Finding } from '../domain/turn.ts';
import type { Exposure } from '../world/exposure.ts';
import type { GuardInput } from '../world/revisions.ts';
import type { World } from '../world/world.ts';

/** One wanted order. Orders are reviewed in order of importance: nearest the best price first. */
export interface Candidate {
  readonly market: Market;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly fillMode: FillMode;
  /** The order that already stands for the candidate, resting or in flight. Refusing the candidate withdraws that order. */
  readonly standing: Order | undefined;
  /** The position to reach, if the intent was a target rather than a quote. */
  readonly goal?: Lots | undefined;
  /** True if the order can only bring the position nearer to flat, whether the orders before it fill or not. */
  readonly reducing: boolean;
}

export interface Circumstances {
  readonly world: World;
  /** Our standing orders in a market, and those passed before this candidate in this turn. */
  own(market: MarketId): readonly { readonly side: Side; readonly price: Ticks; readonly remaining: Lots }[];
  /** Number of new orders passed before this candidate in this turn. */
  passed(): number;
  /** The worst case in a market before this candidate: the standing orders, and the new orders passed before it in this turn. */
  exposure(market: MarketId): Exposure;
}

/** A text for people. A costly text is a function, called only if the finding is reported; a guard that continues to refuse is reported once. */
export type ReasonText = string | (() => string);

/** A guard's verdict. An order shrunk to 0 is refused. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'shrink'; readonly size: Lots; readonly reason: ReasonText }
  | { readonly kind: 'refuse'; readonly reason: ReasonText };

/** A finding whose reason may still be a function. */
export type Rejection = Omit<Finding, 'reason'> & { readonly reason: ReasonText };

export const findingOf = ({ reason, ...rejection }: Rejection): Finding => ({
  ...rejection,
  reason: typeof reason === 'string' ? reason : reason(),
});

export const PASS: Verdict = { kind: 'pass' };

/** Returns the largest size below `size` for which `holds` is true, or 0. `holds(size)` must be false. */
export function largest(size: Lots, holds: (size: Lots) => boolean): Lots {
  let good = 0;
  let bad: number = size;
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
  /** The kind of market that the guard applies to; all if absent. */
  readonly markets?: MarketSpec['kind'] | undefined;
  /** True if the guard applies to new orders only, not to orders that rest or are in flight. */
  readonly onlyNew?: boolean | undefined;
  /**
   * True if one question answers for all standing orders of a side: if the guard passes the largest of them, with all others counted before it, at the lowest
   * and at the highest of their prices, it passes each of them.
   */
  readonly monotone?: boolean | undefined;
  /**
   * All inputs that the verdicts depend on, besides the limits and the candidate's terms. The engine runs the guard again for a resting order only
   * when one of them has changed, so a verdict is never revised for an input that is missing here.
   */
  readonly reads: readonly GuardInput[];
}

export interface Guard extends Scope {
  /** Must return the same verdict while its inputs are unchanged, and must pass as standing what it has passed as new. */
  review(candidate: Candidate, circumstances: Circumstances): Verdict;
}

/** Returns the guard's verdict; a candidate outside its scope passes. */
export function verdictOf(guard: Guard, candidate: Candidate, circumstances: Circumstances): Verdict {
  return isInScope(guard, candidate) ? guard.review(candidate, circumstances) : PASS;
}

export function isInScope({ markets, onlyNew }: Guard, { market, standing }: Candidate): boolean {
  if (onlyNew === true && standing !== undefined) return false;
  return markets === undefined || markets === market.spec.kind;
}

/**
 * A gate checks a market as a whole, before its intents. `hold`: the data is not reliable, so nothing is sent and resting orders stay. `withdraw`:
 * the data has been unreliable for too long, so resting orders are cancelled.
 */
export interface Gate {
  readonly name: string;
  check(market: Market, world: World): { readonly kind: 'hold' | 'withdraw'; readonly reason: string } | undefined;
  /** Returns until when a market that has passed will pass again, unless an event concerns it. Absent: the gate is asked in every turn. */
  passesUntil?(market: Market, world: World): Millis;
}

export interface RiskRules {
  readonly gates: readonly Gate[];
  readonly guards: readonly Guard[];
}

/** A kind of guard, gate or stop: its name, and the schema of its block in the configuration. */
export interface Kind<Rule> {
  readonly name: string;
  readonly limits: z.ZodType;
  /** Creates the rule from its block, which `limits` has already checked, and from all blocks. */
  create(block: unknown, all: Readonly<Record<string, unknown>>): Rule;
}

export function guardKind<L>({
  name,
  limits,
  review,
  ...scope
}: Scope & { limits: z.ZodType<L>; review: (limits: L) => Guard['review'] }): Kind<Guard> {
  return { name, limits, create: (block) => ({ name, ...scope, review: review(limits.parse(block)) }) };
}

export function gateKind<L>({
  name,
  limits,
  check,
  passesUntil,
}: {
  name: string;
  limits: z.ZodType<L>;
  check: (limits: L) => Gate['check'];
  passesUntil: (limits: L) => NonNullable<Gate['passesUntil']>;
}): Kind<Gate> {
  return {
    name,
    limits,
    create: (block) => {
      const parsed = limits.parse(block);
      return { name, check: check(parsed), passesUntil: passesUntil(parsed) };
    },
  };
}
