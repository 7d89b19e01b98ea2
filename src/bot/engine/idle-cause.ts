// Why a turn sent nothing: one cause for each turn, the first that applies.

import { SIDES, type Side, signOf } from '../domain/book.ts';
import type { OrderIntent } from '../domain/intent.ts';
import { isStricter } from '../domain/mode.ts';
import type { IdleCause } from '../domain/turn.ts';
import type { Rejection } from '../risk/guard.ts';
import type { Gated } from '../risk/review.ts';
import type { Decider } from '../strategy/decide.ts';
import type { World } from '../world/world.ts';

/** A turn without actions. */
interface IdleTurn {
  readonly world: World;
  readonly decide: Decider;
  readonly intents: readonly OrderIntent[];
  /** The findings of the gates, then those of the guards. */
  readonly reviewed: readonly Rejection[];
  readonly gated: Gated;
  /**
   * The engine's findings in this turn about sides on which nothing is placed now: after an exit, or because the exchange refused a post-only price many
   * times.
   */
  readonly holds: readonly Rejection[];
  readonly staleInputs: readonly Rejection[];
}

const BELOW_LOT: IdleCause = { kind: 'belowLot' };
const NOTHING_RETURNED: IdleCause = { kind: 'nothingReturned' };

/** In this order: refused by a guard, held, below one lot, a stale input, nothing returned. Returns undefined if all is as the strategy wants it. */
export function idleCauseOf({ world, decide, intents, reviewed, gated, holds, staleInputs }: IdleTurn): IdleCause | undefined {
  if (reviewed.length > gated.findings.length) return { kind: 'refused', by: guardsOf(reviewed.slice(gated.findings.length)) };
  const wait = waitOf(world, decide);
  const inHoldback = wait === undefined && isInHoldback(intents, world);
  if (gated.findings.length > 0 || holds.length > 0 || wait !== undefined || inHoldback) {
    const by = guardsOf([...gated.findings, ...holds]);
    if (wait !== undefined) return { kind: 'held', by: [...by, wait] };
    return { kind: 'held', by: by.length === 0 ? ['hold-back'] : by }; // the hold-back after a refusal is named only if nothing else is
  }
  if (intents.some(({ belowLot }) => belowLot === true)) return BELOW_LOT;
  if (staleInputs.length > 0) return { kind: 'staleInput', by: staleInputs.map(({ guard }) => guard.replace(/^input /, '')) };
  return intents.every(isEmpty) ? NOTHING_RETURNED : undefined;
}

const guardsOf = (findings: readonly Rejection[]): readonly string[] => [...new Set(findings.map(({ guard }) => guard))];

/**
 * Why the strategy is not called: the run stops, its mode is stricter than close-only, or the account or the strategy's history is missing. Undefined if it
 * is called.
 */
function waitOf(world: World, { warmUp }: Decider): string | undefined {
  if (world.stopping !== undefined) return 'stop';
  if (isStricter(world.mode, 'close-only')) return 'mode';
  if (world.account === undefined) return 'account';
  return warmUp !== undefined && warmUp.completeAt === undefined ? 'history' : undefined;
}

/** True if an order is wanted on a side where nothing is placed for a while, because the exchange refused an order there. */
function isInHoldback(intents: readonly OrderIntent[], world: World): boolean {
  if (world.holdback.isEmpty) return false;
  for (const intent of intents) {
    const { market } = intent;
    for (const side of SIDES)
      if (world.holdback.reason({ market, side, now: world.now }) !== undefined && isWanted(intent, side, world)) return true;
  }
  return false;
}

function isWanted(intent: OrderIntent, side: Side, world: World): boolean {
  if (intent.kind === 'target') return (intent.position - world.held(intent.market)) * signOf(side) > 0;
  return intent[SIDE_OF[side]].length > 0;
}

const SIDE_OF = { bid: 'bids', ask: 'asks' } as const;

const isEmpty = (intent: OrderIntent): boolean => intent.kind === 'quote' && intent.bids.length === 0 && intent.asks.length === 0;
