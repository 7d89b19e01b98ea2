// Guard: from close-only on nothing is opened, and resting orders are withdrawn unless they reduce.
import { z } from 'zod';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({});

export const mode = guardKind({
  name: 'mode',
  reads: ['exposure', 'mode'],
  limits,
  review:
    () =>
    ({ reducing }, { world }) => {
      if (world.mode === 'active' || reducing) return PASS;
      return { kind: 'refuse', reason: `the bot is in mode ${world.mode}: only orders that reduce a position are placed` };
    },
});
