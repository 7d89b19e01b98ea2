// The review: runs every guard on every intent. The only place that creates approved intents.
import type { MarketId } from '../domain/ids.ts';
import type { OrderIntent } from '../domain/intent.ts';
import type { Finding } from '../domain/turn.ts';
import { type Approved, allStand, type Matched, matchQuote } from '../world/orders/match.ts';
import type { InputSet } from '../world/revisions.ts';
import type { World } from '../world/world.ts';
import type { Gate, Rejection, RiskRules } from './guard.ts';
import type { KeptVerdicts } from './kept-verdicts.ts';
import { TurnReview } from './turn-review.ts';

/** The result of the gates, before any intent. */
export interface Gated {
  /** Markets whose intents are reviewed. In a market that is neither open nor held, resting orders are withdrawn. */
  readonly open: ReadonlySet<MarketId>;
  /** Markets in which nothing is sent and resting orders stay. */
  readonly held: ReadonlySet<MarketId>;
  readonly findings: readonly Finding[];
}

const NOTHING_HELD: ReadonlySet<MarketId> = new Set();
const NO_FINDINGS: readonly Finding[] = [];
const NOT_MATCHED: readonly Matched[] = [];

/** Runs every gate on every market. `withdraw` of one gate outweighs `hold` of another. */
export function passGates({ gates }: RiskRules, world: World): Gated {
  let stopped: { readonly closed: Set<MarketId>; readonly held: Set<MarketId>; readonly findings: Finding[] } | undefined;
  for (const market of world.markets.values()) {
    let worst: ReturnType<Gate['check']>;
    for (const gate of gates) {
      const stop = gate.check(market, world);
      if (stop === undefined) continue;
      stopped ??= { closed: new Set(), held: new Set(), findings: [] };
      stopped.findings.push({
        guard: gate.name,
        market: market.id,
        verdict: stop.kind === 'hold' ? 'hold' : 'refuse',
        reason: stop.reason,
      });
      if (worst?.kind !== 'withdraw') worst = stop;
    }
    if (worst !== undefined) stopped?.closed.add(market.id);
    if (worst?.kind === 'hold') stopped?.held.add(market.id);
  }
  if (stopped === undefined) return { open: world.marketIds, held: NOTHING_HELD, findings: NO_FINDINGS };
  const { closed, held, findings } = stopped;
  return { open: new Set([...world.marketIds].filter((id) => !closed.has(id))), held, findings };
}

export interface Review {
  readonly approved: readonly Approved[];
  readonly held: Gated['held'];
  /** The inputs that the verdicts depend on: while they are unchanged, the same intents get the same verdicts. */
  readonly inputs: InputSet;
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
  /** The verdicts of earlier reviews by the same rules. Without them every guard is asked about every order, with the same result. */
  readonly kept?: KeptVerdicts | undefined;
}

export function review(
  intents: readonly OrderIntent[],
  { rules, world, gated = passGates(rules, world), matched = NOT_MATCHED, kept }: ReviewParts,
): Review {
  const findings: Rejection[] = [...gated.findings];
  const turnReview = new TurnReview({ rules, world, findings, kept });
  const approved: Approved[] = [];
  for (const intent of intents) {
    const market = world.market(intent.market);
    if (!gated.open.has(market.id)) continue;
    if (intent.kind === 'target') {
      approved.push(turnReview.target(intent, market) as Approved);
      continue;
    }
    const earlier = matched.find((candidate) => candidate.intent === intent);
    approved.push(turnReview.quote(earlier?.kind === 'quote' ? earlier : matchQuote(intent, world.orders(market.id)), market) as Approved);
  }
  return { approved, held: gated.held, inputs: turnReview.inputs, hasRejections: turnReview.hasRejections, findings };
}

/** Approves intents that a review has passed before, if orders stand for all of them. Returns undefined if an order is missing, which the guards must judge. */
export const approveStanding = (matched: readonly Matched[]): readonly Approved[] | undefined =>
  allStand(matched) ? (matched as readonly Approved[]) : undefined;
