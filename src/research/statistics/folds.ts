// Splits a span for training and testing, purged and embargoed against leakage (López de Prado 2018).

export interface Fold {
  /** Steps of the test, in order of time. */
  readonly test: readonly number[];
  /** Steps that may be trained on. */
  readonly train: readonly number[];
}

/**
 * Splits `steps` steps into `folds` tests. A step is excluded from training if its outcome, which reaches `horizon` steps further, overlaps the test,
 * or if the step lies within `horizon + embargo` steps after the test.
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

/** Returns the numbers of splits and paths of combinatorial purged cross-validation, with `tested` of `groups` groups tested at a time. */
export function combinatorialCounts(groups: number, tested: number): { readonly splits: number; readonly paths: number } {
  return { splits: choose(groups, tested), paths: choose(groups - 1, tested - 1) };
}

function choose(count: number, taken: number): number {
  let result = 1;
  for (let step = 1; step <= taken; step++) result = (result * (count - taken + step)) / step;
  return Math.round(result);
}
