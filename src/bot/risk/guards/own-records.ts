// Guards while the run cannot rely on its own records: orders without an answer, a journal that cannot be written, fills that do not explain the position.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({
  maxUnknown: amount({ preset: 3 }),
});

const TAKING_OVER =
  'orders from before this start may still appear and are taken over; until then, about a minute after the start, nothing is placed';

/** Refuses new orders while too many orders have no definite answer, or while orders from before the start may still appear. */
export const unresolved = guardKind({
  name: 'unresolved',
  onlyNew: true,
  reads: ['exposure', 'orders', 'mode'],
  limits,
  review:
    ({ maxUnknown }) =>
    ({ reducing }, { world }) => {
      if (world.isTakingOver && (world.mode === 'active' || !reducing)) return { kind: 'refuse', reason: TAKING_OVER };
      if (reducing) return PASS;
      const unknown = world.orders().filter(({ status }) => status === 'unknown').length;
      if (unknown <= maxUnknown) return PASS;
      return { kind: 'refuse', reason: `${unknown} orders have no definite answer yet; at most ${maxUnknown} are allowed` };
    },
});

/** Refuses new orders while the journal cannot be written. */
export const journal = guardKind({
  name: 'journal',
  onlyNew: true,
  reads: ['health'],
  limits: z.strictObject({}),
  review:
    () =>
    (_, { world }) => {
      for (const { stream, reason } of world.unhealthy()) if (stream === 'journal') return { kind: 'refuse', reason };
      return PASS;
    },
});

/** Refuses orders that open while our fills do not explain the position, or while a spot balance from before the run is unknown. */
export const ledger = guardKind({
  name: 'ledger',
  onlyNew: true,
  reads: ['exposure', 'agreement'],
  limits: z.strictObject({}),
  review:
    () =>
    ({ market, reducing }, { world }) => {
      if (reducing) return PASS;
      const { id, symbol } = market;
      const fault = world.unexplained(id);
      if (fault !== undefined) return { kind: 'refuse', reason: fault.reason };
      if (world.isBalanceKnown(id)) return PASS;
      return { kind: 'refuse', reason: `${symbol}: the balance from before the run is not known yet` };
    },
});
