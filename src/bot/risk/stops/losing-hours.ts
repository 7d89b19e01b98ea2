// Stop: acts after a number of losing hours in a row.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { LOSING_HOURS } from '../../world/position/losses.ts';
import { percent } from '../prices.ts';
import { stopKind, stopMode } from '../stop.ts';

const limits = z.strictObject({
  maxHours: amount({ preset: 12, min: 1, max: 168 }),
  /** An hour counts if it lost more than this fraction of the account. */
  leastFraction: amount({ preset: 0.0005, max: 1 }),
  mode: stopMode('close-only'),
});

export const losingHours = stopKind({
  name: LOSING_HOURS,
  limits,
  check:
    ({ maxHours, leastFraction, mode }) =>
    ({ accounting }) => {
      const hours = accounting.losses.hoursLost(leastFraction);
      if (hours < maxHours) return undefined;
      return {
        mode,
        reason: `${hours} hours in a row lost more than ${percent(leastFraction)} of the account each; the limit is ${maxHours}`,
      };
    },
});
