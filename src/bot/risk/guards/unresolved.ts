// Guard: refuses new orders while too many orders have no definite answer, or while orders from before the start may still appear.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({
  maxUnknown: amount({ preset: 3 }),
});

const TAKING_OVER =
  'orders from before this start may still appear and are taken over; until then, about a minute after the start, nothing is placed';

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
