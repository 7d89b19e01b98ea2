// Guard: in mode close-only and stricter, refuses orders that do not reduce a position and withdraws such resting orders.
import { z } from 'zod';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({});

export const mode = guardKind({
  name: 'mode',
  monotone: true,
  reads: ['exposure', 'mode'],
  limits,
  review:
    () =>
    ({ reducing }, { world }) => {
      if (world.mode === 'active' || reducing) return PASS;
      return { kind: 'refuse', reason: `the bot is in mode ${world.mode}: only orders that reduce a position are placed` };
    },
});
