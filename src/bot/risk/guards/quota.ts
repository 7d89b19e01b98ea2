// Guard: refuses new orders once the account has used most of the requests that the exchange allows it, and leaves the rest for cancels and for orders
// that reduce.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { percent } from '../prices.ts';

const limits = z.strictObject({
  /** Fraction of the requests that the exchange allows. */
  maxFraction: amount({ preset: 0.9, max: 1 }),
});

export const quota = guardKind({
  name: 'quota',
  onlyNew: true,
  reads: ['account', 'exposure'],
  limits,
  review:
    ({ maxFraction }) =>
    ({ reducing }, { world }) => {
      const { requests } = world.account?.value ?? {};
      if (requests === undefined || reducing || requests.used < maxFraction * requests.allowed) return PASS;
      const reason = () =>
        `the account has used ${requests.used} of the ${requests.allowed} requests that the exchange allows it; the limit is ${percent(maxFraction)}, and trading adds to what is allowed`;
      return { kind: 'refuse', reason };
    },
});
