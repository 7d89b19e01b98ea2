// Guard: refuses new orders while the journal cannot be written.
import { z } from 'zod';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({});

export const journal = guardKind({
  name: 'journal',
  onlyNew: true,
  reads: ['health'],
  limits,
  review:
    () =>
    (_, { world }) => {
      for (const { stream, reason } of world.unhealthy()) if (stream === 'journal') return { kind: 'refuse', reason };
      return PASS;
    },
});
