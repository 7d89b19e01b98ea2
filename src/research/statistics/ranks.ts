// Ranks of values, 1 for the smallest, and the agreement of rankings across folds.

/** Returns the rank of one value; equal values share the average of their ranks. */
export function rankOf(values: ArrayLike<number>, index: number): number {
  const own = values[index] ?? 0;
  let [below, equal] = [0, 0];
  for (let other = 0; other < values.length; other++) {
    const value = values[other] ?? 0;
    if (value < own) below++;
    else if (value === own) equal++;
  }
  return below + (equal + 1) / 2;
}

/** Returns the ranks of all values, in their order. */
export const ranksOf = (values: readonly number[]): readonly number[] => values.map((_, index) => rankOf(values, index));

/**
 * Returns Kendall's W of the ranks of trials over the folds: 1 if all folds agree, 0 if there is no agreement. `ranks[fold][trial]`, each 1 to N,
 * with at least two trials. A value below 0.3 is treated as noise.
 */
export function rankAgreement(ranks: readonly (readonly number[])[]): number {
  const folds = ranks.length;
  const trials = ranks[0]?.length ?? 0;
  const totals = Array.from({ length: trials }, (_, trial) => ranks.reduce((total, fold) => total + (fold[trial] ?? 0), 0));
  const mean = (folds * (trials + 1)) / 2;
  const spread = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  return (12 * spread) / (folds ** 2 * (trials ** 3 - trials));
}
