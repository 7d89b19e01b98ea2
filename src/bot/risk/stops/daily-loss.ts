// Stop: acts when the loss since 00:00 UTC by the exchange's time passes a limit: realised and unrealised, with fees and funding.
// A restart continues with the losses so far: `bot/run/state/loss-entries.ts`.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { micros, toDecimal } from '../../domain/numbers.ts';
import { DAILY_LOSS } from '../../world/position/losses.ts';
import { percent } from '../prices.ts';
import { stopKind, stopMode } from '../stop.ts';

const limits = z.strictObject({
  /** Quote money. */
  maxLoss: amount({ preset: 5_000 }),
  /** A fraction of the account's value without the loss. */
  maxFraction: amount({ preset: 0.05, max: 1 }),
  mode: stopMode('close-only'),
});

export const dailyLoss = stopKind({
  name: DAILY_LOSS,
  limits,
  check:
    ({ maxLoss, maxFraction, mode }) =>
    ({ accounting }) => {
      const lost = accounting.losses.today;
      if (lost === undefined || lost.amount === 0) return undefined;
      const money = toDecimal(micros(Math.round(lost.amount)));
      if (money < maxLoss && lost.share < maxFraction) return undefined;
      const limit = `the limit is ${maxLoss} or ${percent(maxFraction)}`;
      return { mode, reason: `${money.toFixed(2)} lost since 00:00 UTC, ${percent(lost.share)} of the account; ${limit}` };
    },
});
