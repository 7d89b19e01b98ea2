// Figures of a list of profits, one for each trade: expectancy, profit factor, win rate, payoff, SQN, drawdown.

import { sum } from '../../../../base/statistics/moments.ts';
import type { Measure, Missing } from '../equity/curve.ts';
import { longestRun } from '../equity/return-figures.ts';

/** Profits are in quote money, after fees. */
export interface TradeFigures {
  readonly count: number;
  readonly profit: number;
  /** The mean profit of a trade. */
  readonly expectancy: Measure;
  /** `Σ gains / −Σ losses`. */
  readonly profitFactor: Measure;
  /** `number of trades with a profit / number of trades`. */
  readonly winRate: Measure;
  readonly averageGain: Measure;
  /** Negative. */
  readonly averageLoss: Measure;
  /** `average gain / −average loss`. */
  readonly payoff: Measure;
  readonly best: Measure;
  readonly worst: Measure;
  /** System quality number: `√n × mean / s`, s with n − 1. */
  readonly sqn: Measure;
  readonly longestLosingRun: number;
  /** The largest fall of the sum of the profits below its highest value so far, which is at least 0. */
  readonly drawdown: number;
}

const NO_TRADE: Missing = { missing: 'no trade was closed' };

/** Computes the figures of profits in order of time. */
export function tradeFigures(profits: readonly number[]): TradeFigures {
  const [gains, losses] = [profits.filter((money) => money > 0), profits.filter((money) => money < 0)];
  const ifAny = (value: number): Measure => (profits.length === 0 ? NO_TRADE : { value });
  const profit = sum(profits);
  const [averageGain, averageLoss] = [averageOf(gains, 'no trade gained'), averageOf(losses, 'no trade lost')];
  return {
    count: profits.length,
    profit,
    expectancy: ifAny(profit / profits.length),
    profitFactor: profits.length === 0 ? NO_TRADE : profitFactorOf(gains, losses),
    winRate: ifAny(gains.length / profits.length),
    averageGain,
    averageLoss,
    payoff: payoffOf(averageGain, averageLoss),
    best: ifAny(profits.reduce((most, money) => Math.max(most, money), -Infinity)),
    worst: ifAny(profits.reduce((least, money) => Math.min(least, money), Infinity)),
    sqn: qualityNumber(profits),
    longestLosingRun: longestRun(profits, (money) => money < 0),
    drawdown: fallOfSum(profits),
  };
}

const profitFactorOf = (gains: readonly number[], losses: readonly number[]): Measure =>
  losses.length === 0 ? { missing: 'no trade lost' } : { value: sum(gains) / -sum(losses) };

function payoffOf(averageGain: Measure, averageLoss: Measure): Measure {
  if ('missing' in averageGain) return averageGain;
  return 'missing' in averageLoss ? averageLoss : { value: averageGain.value / -averageLoss.value };
}

function averageOf(values: readonly number[], missing: string): Measure {
  return values.length === 0 ? { missing } : { value: sum(values) / values.length };
}

function qualityNumber(profits: readonly number[]): Measure {
  if (profits.length < 2) return { missing: 'at least two trades are needed' };
  const mean = sum(profits) / profits.length;
  const deviation = Math.sqrt(sum(profits.map((money) => (money - mean) ** 2)) / (profits.length - 1));
  return deviation > 0 ? { value: (Math.sqrt(profits.length) * mean) / deviation } : { missing: 'all trades earned the same' };
}

function fallOfSum(profits: readonly number[]): number {
  let [total, peak, deepest] = [0, 0, 0];
  for (const money of profits) {
    total += money;
    peak = Math.max(peak, total);
    deepest = Math.max(deepest, peak - total);
  }
  return deepest;
}
