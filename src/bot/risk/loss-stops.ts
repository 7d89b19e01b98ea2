// The stops for losses: of the day, from the highest profit, and of hours in a row.
// A restart continues with the losses so far: `bot/run/state/loss-entries.ts`.
import { z } from 'zod';
import { amount } from '../../base/files/amount.ts';
import { micros, toDecimal } from '../domain/numbers.ts';
import { DAILY_LOSS, DRAWDOWN, LOSING_HOURS } from '../world/position/losses.ts';
import { percent } from './prices.ts';
import { stopKind, stopMode } from './stop.ts';

const dailyLimits = z.strictObject({
  /** Quote money. */
  maxLoss: amount({ preset: 5_000 }),
  /** A fraction of the account's value without the loss. */
  maxFraction: amount({ preset: 0.05, max: 1 }),
  mode: stopMode('close-only'),
});

/** Acts when the loss since 00:00 UTC by the exchange's time passes a limit: realised and unrealised, with fees and funding. */
export const dailyLoss = stopKind({
  name: DAILY_LOSS,
  limits: dailyLimits,
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

const drawdownLimits = z.strictObject({
  /** Fractions of the account's value without the loss: reaching the first sets `mode`, reaching the second sets flatten. */
  maxFraction: amount({ preset: 0.1, max: 1 }),
  flattenFraction: amount({ preset: 0.2, max: 1 }),
  mode: stopMode('close-only'),
});

/** Acts when the loss from the highest profit so far passes a limit. */
export const drawdown = stopKind({
  name: DRAWDOWN,
  limits: drawdownLimits,
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

const hoursLimits = z.strictObject({
  maxHours: amount({ preset: 12, min: 1, max: 168 }),
  /** An hour counts if it lost more than this fraction of the account. */
  leastFraction: amount({ preset: 0.0005, max: 1 }),
  mode: stopMode('close-only'),
});

/** Acts after a number of losing hours in a row. */
export const losingHours = stopKind({
  name: LOSING_HOURS,
  limits: hoursLimits,
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
