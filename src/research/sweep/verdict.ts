// The verdict of a sweep: one sentence on whether its best point is better than chance, and if not, why.
// Its figures: `sweep-statistics.ts`; what they mean: docs/sweeps.md.
import type { Result } from './row.ts';
import { FEWEST_STEPS, type SweepFigures } from './sweep-statistics.ts';
import type { WalkResult } from './walk.ts';

/** The test window that is left out of every choice. Returns are fractions of the deposit. */
export interface LastWindow {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** The best point's return in this window. */
  readonly result: number;
  /** The best point's earlier return, scaled to the same length. */
  readonly expected: number;
  /** Number of other sweeps that have used this window before. */
  readonly looks: number;
}

export interface SweepEvidence {
  /** The result of the best point; undefined if every point failed. */
  readonly best: Result | undefined;
  /** Points of the sweep, and how many of them failed. */
  readonly points: number;
  readonly failed: number;
  readonly steps: number;
  readonly figures: SweepFigures | undefined;
  readonly edge: readonly string[];
  /** True if the plateau, the point with the best neighbours, is another point than the best one. */
  readonly isPlateauElsewhere: boolean;
  readonly walk: WalkResult | undefined;
  readonly last: LastWindow | undefined;
}

export type VerdictKind = 'failed' | 'nothing' | 'short' | 'undecided' | 'noise' | 'promising';

/** Thresholds below which a result is called noise. */
const MIN_DSR = 0.9;
const MAX_SPA = 0.05;
const MAX_PBO = 0.5;
/** If the best of one half of the data lost no more often than this in the other half, its rank there does not matter: all points are alike. */
const MAX_LOSS_SHARE = 0.1;
/** With fewer losing steps, how often and how much a point loses is not known, so no statistic of its returns is valid. */
const FEWEST_LOSSES = 5;
const MIN_EFFICIENCY = 0.5;
/** A loss that is less likely than this is not called noise. */
const MIN_PSR = 0.05;

const holdsRank = ({ pbo = 0, lossShare = 1 }: SweepFigures): boolean => pbo <= MAX_PBO || lossShare <= MAX_LOSS_SHARE;
const holdsWalk = (walk: WalkResult | undefined): boolean =>
  walk === undefined || (walk.result > 0 && (walk.efficiency ?? 0) >= MIN_EFFICIENCY);
const holdsLast = (last: LastWindow | undefined): boolean =>
  last === undefined || (last.result > 0 && last.result >= MIN_EFFICIENCY * last.expected);

export function kindOf({ best, steps, figures, walk, last }: SweepEvidence): VerdictKind {
  if (best === undefined) return 'failed';
  if (best.fills === 0) return 'nothing';
  if (Number(best.pnl) <= 0) return isChance(figures) ? 'noise' : 'nothing';
  if (figures === undefined || steps < FEWEST_STEPS) return 'short';
  const isHeld = holdsWalk(walk) && holdsLast(last);
  if (figures.losses < FEWEST_LOSSES) return isHeld ? 'undecided' : 'noise';
  const isLikely = isUnlikelyChance(figures) && holdsRank(figures);
  return isLikely && isHeld ? 'promising' : 'noise';
}

const isUnlikelyChance = ({ dsr = 0, spa = 1 }: SweepFigures): boolean => dsr >= MIN_DSR && spa <= MAX_SPA;

/** True if neither the best point nor the middle point lost more than returns with mean 0 would in one of twenty cases. */
const isChance = (figures: SweepFigures | undefined): boolean =>
  figures?.psr !== undefined && Math.min(figures.psr.best, figures.psr.median) >= MIN_PSR;

const BEGINNINGS: Readonly<Record<VerdictKind, string>> = {
  failed: 'no result',
  nothing: 'nothing here earns',
  short: 'too short to judge',
  undecided: 'cannot be decided',
  noise: 'noise',
  promising: 'not explained by chance',
};

/** Returns the kind of a verdict by its first words. */
export const kindOfVerdict = (verdict: string): VerdictKind | undefined =>
  (Object.keys(BEGINNINGS) as readonly VerdictKind[]).find((kind) => verdict.startsWith(BEGINNINGS[kind]));

export function verdictOf(evidence: SweepEvidence): string {
  return `${judgement(evidence)}${edgeWords(evidence)}.${failedWords(evidence)}`;
}

function judgement(evidence: SweepEvidence): string {
  const { best, points, steps, figures, walk, last } = evidence;
  const which = points === 1 ? 'the only point' : `the best of ${points}`;
  switch (kindOf(evidence)) {
    case 'failed':
      return `no result: ${points === 1 ? 'the only point' : `all ${points} points`} failed`;
    case 'nothing':
      return best?.fills === 0 ? `nothing here earns: ${which} did not trade` : `nothing here earns: ${which} lost (${numbers(evidence)})`;
    case 'short':
      return `too short to judge: ${which} earned ${amountWords(best)}, but there are only ${steps} returns, and at least ${FEWEST_STEPS} are needed`;
    case 'undecided':
      return `cannot be decided: ${which} earned ${amountWords(best)}, but only ${figures?.losses} of its ${steps} steps lost, and at least ${FEWEST_LOSSES} are needed: data with so few losses do not show how large the next one is`;
    case 'noise':
      if (Number(best?.pnl) <= 0)
        return `noise: nothing here earns, and chance explains that ${which} lost ${amountWords(best)} (${numbers(evidence)})`;
      return `noise: ${which} earned ${amountWords(best)}, but ${reasons(evidence)} (${numbers(evidence)})`;
    case 'promising': {
      const tested = walk === undefined ? '' : ` and held out of sample in ${walk.folds.length} folds`;
      const seen =
        last === undefined || last.looks === 0 ? '' : `; the last window is no longer unseen, ${last.looks} other sweeps have used it`;
      return `not explained by chance: ${which} earned ${amountWords(best)}${tested} (${numbers(evidence)})${seen}; try it with --band, and on data that no sweep has seen`;
    }
  }
}

/** Returns the profit or the loss without its sign: `1.53 quote tokens`; below 1 with three digits: `0.0153 quote tokens`. */
function amountWords({ pnl }: Pick<Result, 'pnl'> = { pnl: '0' }): string {
  const amount = Math.abs(Number(pnl));
  return `${amount < 1 ? Number(amount.toPrecision(3)) : amount.toFixed(2)} quote tokens`;
}

function reasons({ figures, walk, last }: SweepEvidence): string {
  const found = [
    ...(figures === undefined || isUnlikelyChance(figures) ? [] : ['chance alone finds as much among so many points']),
    ...(figures === undefined || holdsRank(figures) ? [] : ['the best of one part of the data is below the middle in the other']),
    ...(holdsWalk(walk) ? [] : ['what was chosen in one window did not hold in the next']),
    ...(holdsLast(last) ? [] : ['it did not hold in the last window, which no choice used']),
  ];
  return found.join(', and ');
}

const numbers = ({ figures }: SweepEvidence): string =>
  [
    ['DSR', figures?.dsr],
    ['SPA p', figures?.spa],
    ['PBO', figures?.pbo],
  ]
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toFixed(2) : 'unknown'}`)
    .join(', ');

function edgeWords({ edge, isPlateauElsewhere, points }: SweepEvidence): string {
  const clauses = [
    ...(edge.length > 0 ? [`it lies at the edge of ${edge.join(' and ')}`] : []),
    ...(isPlateauElsewhere && points > 1 ? ['its neighbours are worse than those of another point'] : []),
  ];
  return clauses.map((clause) => `, and ${clause}`).join('');
}

const failedWords = ({ failed, points }: SweepEvidence): string =>
  failed === 0 || failed === points ? '' : ` ${failed} of ${points} points failed; they count as trials.`;
