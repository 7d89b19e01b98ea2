// Stop: acts when the loss from the highest profit so far passes a limit.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { micros, toDecimal } from '../../domain/numbers.ts';
import { DRAWDOWN } from '../../world/position/losses.ts';
import { percent } from '../prices.ts';
import { stopKind, stopMode } from '../stop.ts';

const limits = z.strictObject({
  /** Fractions of the account's value without the loss: reaching the first sets `mode`, reaching the second sets flatten. */
  maxFraction: amount({ preset: 0.1, max: 1 }),
  flattenFraction: amount({ preset: 0.2, max: 1 }),
  mode: stopMode('close-only'),
});

export const drawdown = stopKind({
  name: DRAWDOWN,
  limits,
  check:
    ({ maxFraction, flattenFraction, mode }) =>
    ({ accounting }) => {
      const lost = accounting.losses.fromPeak;
      if (lost === undefined || lost.amount === 0) return undefined;
      const flatten = lost.share >= flattenFraction;
      if (!flatten && lost.share < maxFraction) return undefined;
      const money = toDecimal(micros(Math.round(lost.amount))).toFixed(2);
      const limit = percent(flatten ? flattenFraction : maxFraction);
      return {
        mode: flatten ? 'flatten' : mode,
        reason: `${money} lost since the highest profit, ${percent(lost.share)} of the account; the limit is ${limit}`,
      };
    },
});
