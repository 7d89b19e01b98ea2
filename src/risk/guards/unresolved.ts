// Guard: nothing is opened while too many orders are without a definite answer.
import { z } from 'zod';
import { amount } from '../amount.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({
  maxUnknown: amount({ preset: 3 }),
});

export const unresolved = guardKind({
  name: 'unresolved',
  onlyNew: true,
  reads: ['exposure', 'orders'],
  limits,
  review:
    ({ maxUnknown }) =>
    ({ reducing }, { world }) => {
      if (reducing) return PASS;
      const unknown = world.orders().filter(({ status }) => status === 'unknown').length;
      if (unknown <= maxUnknown) return PASS;
      return { kind: 'refuse', reason: `${unknown} orders have no definite answer yet; at most ${maxUnknown} are allowed` };
    },
});
