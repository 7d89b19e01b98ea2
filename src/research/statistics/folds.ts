// How a span is cut for training and testing without a look at the test (López de Prado 2018), and how stable a ranking is over the cuts.

export interface Fold {
  /** Steps of the test, in order of time. */
  readonly test: readonly number[];
  /** Steps that may be trained on. */
  readonly train: readonly number[];
}

/**
 * Cuts `steps` steps into `folds` tests. A step does not train if its outcome, which reaches `horizon` steps further, overlaps the test, or if it lies within
 * `horizon + embargo` steps after it.
 */
export function purgedFolds(
  steps: number,
  { folds, horizon, embargo }: { folds: number; horizon: number; embargo: number },
): readonly Fold[] {
  const all = Array.from({ length: steps }, (_, step) => step);
  return Array.from({ length: folds }, (_, fold) => {
    const from = Math.round((fold * steps) / folds);
    const to = Math.round(((fold + 1) * steps) / folds) - 1;
    const train = all.filter((step) => (step < from ? step + horizon < from : step > to + horizon + embargo));
    return { test: all.slice(from, to + 1), train };
  });
}

/** The numbers of combinatorial purged cross-validation with `groups` groups of which `tested` are tested at a time. */
export function combinatorialCounts(groups: number, tested: number): { readonly splits: number; readonly paths: number } {
  return { splits: choose(groups, tested), paths: choose(groups - 1, tested - 1) };
}

function choose(count: number, taken: number): number {
  let result = 1;
  for (let step = 1; step <= taken; step++) result = (result * (count - taken + step)) / step;
  return Math.round(result);
}

/** Kendall's W of the ranks that trials have in each fold: 1 is one order always, 0 is none. `ranks[fold][trial]`, each 1 to N. Below 0.3 it is noise. */
export function rankAgreement(ranks: readonly (readonly number[])[]): number {
  const folds = ranks.length;
  const trials = ranks[0]?.length ?? 0;
  const totals = Array.from({ length: trials }, (_, trial) => ranks.reduce((total, fold) => total + (fold[trial] ?? 0), 0));
  const mean = (folds * (trials + 1)) / 2;
  const spread = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  return (12 * spread) / (folds ** 2 * (trials ** 3 - trials));
}

/** Ranks of values, 1 the smallest; equal values share the average of their ranks. */
export function ranksOf(values: readonly number[]): readonly number[] {
  return values.map((own) => {
    const below = values.filter((value) => value < own).length;
    const equal = values.filter((value) => value === own).length;
    return below + (equal + 1) / 2;
  });
}
