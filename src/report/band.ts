// The three runs of a band: in words, why a run with worse assumptions came out better, where it did.
import { count, gain } from './html/format.ts';
import type { Report } from './report.ts';

/** Results that differ by less than this part of them are equal. */
const EQUAL = 1e-4;

interface Band {
  readonly pessimistic: Report;
  readonly expected: Report;
  readonly optimistic: Report;
}

/** One sentence or more for each pair that is not in order; none if pessimistic ≤ expected ≤ optimistic. */
export function bandNotes({ pessimistic, expected, optimistic }: Band): readonly string[] {
  return [
    ...notesOn({ name: 'pessimistic', report: pessimistic }, { name: 'expected', report: expected }),
    ...notesOn({ name: 'expected', report: expected }, { name: 'optimistic', report: optimistic }),
  ];
}

interface Named {
  readonly name: string;
  readonly report: Report;
}

function notesOn(worse: Named, better: Named): readonly string[] {
  const [mine, other] = [worse.report.figures, better.report.figures];
  const difference = mine.pnl - other.pnl;
  if (difference <= EQUAL * Math.max(Math.abs(mine.pnl), Math.abs(other.pnl))) return [];
  const parts = [
    `${gain(mine.attribution.price - other.attribution.price)} from moves of the price`,
    `${gain(mine.attribution.spread - other.attribution.spread)} from the spread`,
    `${gain(other.attribution.fees - mine.attribution.fees)} from fees`,
    `${gain(mine.attribution.funding - other.attribution.funding)} from funding`,
  ];
  return [
    `The band is not in order: the ${worse.name} run (${gain(mine.pnl)}) is better than the ${better.name} one (${gain(other.pnl)}). ` +
      `Of the difference of ${gain(difference)}, ${parts.join(', ')}; it has ${count(mine.fills)} fills, the other ${count(other.fills)}. ` +
      reasonOf(worse.report, better.report),
  ];
}

/** The assumptions of a band bound how soon and how often orders are filled, not what a fill is worth. */
function reasonOf({ figures: mine, candles }: Report, { figures: other }: Report): string {
  if (other.trading < 0 && mine.fills < other.fills)
    return 'The strategy loses on its fills, so worse assumptions, with fewer fills, lose less: they bound how well orders are filled, not what a fill is worth.';
  if (candles.length > 0)
    return 'On candles the runs differ in the assumed spread, and the order of the extremes changes nothing between two looks: orders that follow the best prices rest elsewhere, and those that take pay another spread.';
  if (mine.fills > other.fills && mine.trading > 0)
    return 'The strategy earns on its fills, and orders that arrive later, or rest at another distance, met more of them.';
  return 'Its orders reached the market at other moments and met other prices: that part is chance, and this tape is too short to average it out.';
}
