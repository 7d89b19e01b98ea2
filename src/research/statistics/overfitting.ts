// PBO, the probability of backtest overfitting, by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado, Zhu 2017).

import { mean } from '../../base/statistics/moments.ts';
import { rankOf } from './ranks.ts';

export interface Overfitting {
  /** Number of ways to choose half of the blocks. */
  readonly choices: number;
  /** The share of choices whose best trial was no better than the median out of sample. */
  readonly pbo: number;
  /** Mean logit of the rank out of sample; above 0 is good. */
  readonly meanLogit: number;
  /** The share of choices whose best trial lost out of sample. */
  readonly lossShare: number;
  /** Slope of the Sharpe ratio out of sample on that in sample, over the choices. */
  readonly slope: number;
}

/** The sum and the sum of squares of the returns of one trial in one block. */
interface Sums {
  readonly sum: number;
  readonly squares: number;
}

/**
 * Returns PBO and the figures beside it. `rows[t][n]`: the return of trial n in step t, steps of equal time in order. `blocks`: an even number, usually 10
 * to 16; the first rows that do not fill a block are dropped. Ties in sample go to the first trial; out of sample they share their ranks.
 */
export function overfitting(rows: readonly (readonly number[])[], blocks: number): Overfitting {
  const trials = rows[0]?.length ?? 0;
  const length = Math.floor(rows.length / blocks);
  const used = rows.slice(rows.length - length * blocks);
  const sums = Array.from({ length: blocks }, (_, block) => blockSums(used.slice(block * length, (block + 1) * length), trials));
  const half = (length * blocks) / 2;
  const found = chosenHalves(blocks).map((isInSample) => {
    const inside = sharpes(
      sums.filter((_, block) => isInSample[block]),
      { trials, count: half },
    );
    const outside = sharpes(
      sums.filter((_, block) => !isInSample[block]),
      { trials, count: half },
    );
    const best = indexOfLargest(inside);
    const relativeRank = rankOf(outside, best) / (trials + 1);
    return { logit: Math.log(relativeRank / (1 - relativeRank)), inside: inside[best] ?? 0, outside: outside[best] ?? 0 };
  });
  const count = found.length;
  return {
    choices: count,
    pbo: found.filter(({ logit }) => logit <= 0).length / count,
    meanLogit: mean(found.map(({ logit }) => logit)),
    lossShare: found.filter(({ outside }) => outside < 0).length / count,
    slope: slopeOf(found.map(({ inside, outside }) => [inside, outside])),
  };
}

function blockSums(rows: readonly (readonly number[])[], trials: number): readonly Sums[] {
  return Array.from({ length: trials }, (_, trial) => {
    let [sum, squares] = [0, 0];
    for (const row of rows) {
      const value = row[trial] ?? 0;
      sum += value;
      squares += value * value;
    }
    return { sum, squares };
  });
}

function sharpes(blocks: readonly (readonly Sums[])[], { trials, count }: { trials: number; count: number }): Float64Array {
  const result = new Float64Array(trials);
  for (let trial = 0; trial < trials; trial++) {
    let [sum, squares] = [0, 0];
    for (const block of blocks) {
      sum += block[trial]?.sum ?? 0;
      squares += block[trial]?.squares ?? 0;
    }
    const variance = (squares - (sum * sum) / count) / (count - 1);
    result[trial] = variance > 0 ? sum / count / Math.sqrt(variance) : 0;
  }
  return result;
}

/** Returns all ways to choose half of the blocks, as flags. */
function chosenHalves(blocks: number): readonly (readonly boolean[])[] {
  const choices: boolean[][] = [];
  const choose = (flags: readonly boolean[], left: number): void => {
    if (flags.length === blocks) {
      choices.push([...flags]);
      return;
    }
    if (left > 0) choose([...flags, true], left - 1);
    if (blocks - flags.length > left) choose([...flags, false], left);
  };
  choose([], blocks / 2);
  return choices;
}

function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  return best;
}

function slopeOf(points: readonly (readonly [number, number])[]): number {
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  let [covariance, variance] = [0, 0];
  for (const [x, y] of points) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return variance > 0 ? covariance / variance : 0;
}
