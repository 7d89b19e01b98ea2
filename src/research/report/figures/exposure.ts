// Exposure figures: notional held, share of the time with a position, lowest margins relative to their requirements.
import type { Millis } from '../../../base/clock.ts';
import { MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import { type Measure, type Missing, timeAverage } from './equity/curve.ts';
import type { AccountSteps } from './report-collector.ts';

/** Notionals in quote money. */
export interface ExposureFigures {
  /** Fraction of the time with a position. */
  readonly share: Measure;
  /** Time average of the positions' notional, perpetual and spot, flat times included. */
  readonly average: Measure;
  readonly largest: Measure;
  /** The notional over the equity: its time average and its largest value. */
  readonly leverage: { readonly average: Measure; readonly largest: Measure };
}

export function exposureFigures(account: AccountSteps, end: Millis): ExposureFigures {
  const notional = account.column('held').map((value) => value / MICROS_PER_UNIT);
  const curve = { times: account.times, end };
  const leverage = overEquity(notional, account);
  return {
    share: timeAverage({ ...curve, values: notional.map((value) => (value > 0 ? 1 : 0)) }),
    average: timeAverage({ ...curve, values: notional }),
    largest: largest(notional),
    leverage: { average: timeAverage({ ...curve, values: leverage }), largest: largest(leverage) },
  };
}

const largest = (values: Float64Array): Measure =>
  values.length === 0 ? { missing: 'no account was seen' } : { value: values.reduce((most, value) => Math.max(most, value), 0) };

/** Returns notional / equity at each time; 0 if the equity is not positive. */
function overEquity(notional: Float64Array, account: AccountSteps): Float64Array {
  const equity = account.column('mf');
  return notional.map((value, row) => (equity[row]! > 0 ? (value * MICROS_PER_UNIT) / equity[row]! : 0));
}

/** The lowest ratio of a margin to its requirement: at 1 the limit is reached. */
export type MarginRatio = { readonly value: number; readonly at: Millis } | Missing;

export interface MarginFigures {
  /** Lowest `omf / imf`: at 1 nothing may be opened. */
  readonly opening: MarginRatio;
  /** Lowest `omf / cmf`: at 1 resting orders are cancelled. */
  readonly orders: MarginRatio;
  /** Lowest `mf / mmf`: at 1 positions are liquidated. */
  readonly positions: MarginRatio;
  /** Time average of the margin in use, `imf / omf`. */
  readonly use: Measure;
}

/** Returns the margin in use, `imf / omf`: at 1 nothing may be opened. 1 also if a margin is required and none is left. */
export function marginUse(account: AccountSteps): Float64Array {
  const have = account.column('omf');
  return account.column('imf').map((need, row) => (need > 0 ? Math.min(1, need / Math.max(have[row]!, need)) : 0));
}

export function marginFigures(account: AccountSteps, end: Millis): MarginFigures {
  const least = (margin: 'omf' | 'mf', requirement: 'imf' | 'cmf' | 'mmf'): MarginRatio => {
    const [have, need] = [account.column(margin), account.column(requirement)];
    let lowest: Extract<MarginRatio, { at: Millis }> | undefined;
    for (let row = 0; row < have.length; row++) {
      if (!(need[row]! > 0)) continue;
      const value = have[row]! / need[row]!;
      if (lowest === undefined || value < lowest.value) lowest = { value, at: account.times[row]! };
    }
    return lowest ?? { missing: 'no margin was required' };
  };
  return {
    opening: least('omf', 'imf'),
    orders: least('omf', 'cmf'),
    positions: least('mf', 'mmf'),
    use: timeAverage({ times: account.times, values: marginUse(account), end }),
  };
}
