// Guard: refuses orders that open while our fills do not explain the position, or while a spot balance from before the run is unknown.
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
      const { id, symbol } = market;
      const fault = world.unexplained(id);
      if (fault !== undefined) return { kind: 'refuse', reason: fault.reason };
      if (world.isBalanceKnown(id)) return PASS;
      return { kind: 'refuse', reason: `${symbol}: the balance from before the run is not known yet` };
    },
});
