// Guard: limits how often the same order is sent and how often one target is executed.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { signOf } from '../../domain/book.ts';
import { lots } from '../../domain/numbers.ts';
import { TERMS_KEPT } from '../../world/orders/sending/sent-terms.ts';
import { type Candidate, type Circumstances, guardKind, PASS, type Verdict } from '../guard.ts';

const limits = z.strictObject({
  /** Maximum number of orders with the same market, side, price and size within `withinMs`. */
  maxSame: amount({ preset: 60, min: 1 }),
  withinMs: amount({ preset: 60_000, max: TERMS_KEPT }),
  /** How often a target may be executed, counted from our fills. */
  maxExecutions: amount({ preset: 2, min: 1 }),
});

export const repetition = guardKind({
  name: 'repetition',
  onlyNew: true,
  reads: ['time', 'exposure', 'fills', 'info', 'account'],
  limits,
  review:
    ({ maxSame, withinMs, maxExecutions }) =>
    (candidate, circumstances) => {
      if (candidate.reducing) return PASS;
      const { world } = circumstances;
      const { market, side, price, size } = candidate;
      const sent = world.sentTerms.since({ market: market.id, side, price, size }, world.now - withinMs);
      if (sent < maxSame) return refuseRepeatedTarget(candidate, circumstances, maxExecutions);
      const reason = `${sent} orders with the same side, price and size within ${withinMs / 1000} s; the limit is ${maxSame}`;
      return { kind: 'refuse', reason };
    },
});

/**
 * Refuses if our fills add up to a position past the target by at least `most - 1` times this order's size. The account is then stale, and the order
 * would execute the target again. Example with `most` 2: the target is 10, our fills add up to 20, and a further buy of 10 is refused.
 */
function refuseRepeatedTarget({ market, side, size, goal }: Candidate, { world }: Circumstances, most: number): Verdict {
  const held = world.accounting.profit.held(market.id);
  if (goal === undefined || held === undefined) return PASS;
  const beyond = signOf(side) * (held - goal);
  if (beyond < (most - 1) * size) return PASS;
  return {
    kind: 'refuse',
    reason: () =>
      `the target is a position of ${market.sizeText(goal)} and our fills add up to ${market.sizeText(lots(held))}: the target was executed before, and the account does not show it`,
  };
}
