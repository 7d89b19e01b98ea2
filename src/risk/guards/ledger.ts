// Where our fills do not explain the position, nothing is opened.
import { z } from 'zod';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({});

export const ledger = guardKind({
  name: 'ledger',
  onlyNew: true,
  reads: ['exposure', 'agreement'],
  limits,
  review:
    () =>
    ({ market, reducing }, { world }) => {
      if (reducing) return PASS;
      const fault = world.unexplained(market.id);
      return fault === undefined ? PASS : { kind: 'refuse', reason: fault.reason };
    },
});
