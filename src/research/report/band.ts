// Notes on a band (pessimistic, expected, optimistic): explains why a run with worse assumptions made more profit, if one did.
import { count, gain, money } from './html/format.ts';
import type { Report } from './report.ts';

/** Results that differ by less than this fraction count as equal. */
const EQUAL = 1e-4;

/** An assumption in which the runs of a band differ. */
export type BandAssumption = 'latency' | 'queue' | 'polls' | 'spread' | 'path';

interface Named<Name extends string> {
  readonly name: Name;
  readonly report: Report;
}

/** Two runs where the one with the worse assumptions has the better result. */
export interface Inversion<Name extends string> {
  readonly worse: Named<Name>;
  readonly better: Named<Name>;
}

/** The run with the worse assumptions, after one more assumption was replaced by that of the other run. */
export interface BandStep {
  readonly assumption: BandAssumption;
  readonly report: Report;
}

/** Returns the neighbours where the better assumptions have the worse result. `runs` is in order from the worst assumptions to the best. */
export function inversionsOf<Name extends string>(runs: readonly Named<Name>[]): readonly Inversion<Name>[] {
  return runs.flatMap((worse, index) => {
    const better = runs[index + 1];
    return better === undefined || isInOrder(worse.report, better.report) ? [] : [{ worse, better }];
  });
}

const isInOrder = ({ figures: { pnl } }: Report, { figures: other }: Report): boolean =>
  pnl - other.pnl <= EQUAL * Math.max(Math.abs(pnl), Math.abs(other.pnl));

interface Change {
  readonly assumption: BandAssumption;
  readonly pnl: number;
  readonly fills: number;
}

/** Explains an inversion by the effect of each assumption. `steps` change one assumption after the other; the last is the other run. */
export function bandNote({ worse, better }: Inversion<string>, steps: readonly BandStep[]): string {
  const changes = steps.map(({ assumption, report }, index): Change => {
    const before = (steps[index - 1]?.report ?? worse.report).figures;
    return { assumption, pnl: report.figures.pnl - before.pnl, fills: report.figures.fills - before.fills };
  });
  const [mine, other] = [worse.report.figures, better.report.figures];
  return [
    `The band is not in order: the ${better.name} run (${gain(other.pnl)}) is worse than the ${worse.name} one (${gain(mine.pnl)}), by ${money(mine.pnl - other.pnl)}.`,
    `From ${worse.name} to ${better.name}, one assumption after the other: ${changes.map(changeText).join('; ')}.`,
    reasonOf(changes.reduce((most, change) => (change.pnl < most.pnl ? change : most))),
  ].join(' ');
}

const NAMES: Readonly<Record<BandAssumption, string>> = {
  latency: 'a shorter latency',
  queue: 'a better place in the queue',
  polls: 'another start of the polls',
  spread: 'a narrower spread',
  path: 'the other order of the extremes',
};

function changeText({ assumption, pnl, fills }: Change): string {
  const isNothing = gain(pnl) === '0.00' && fills === 0;
  return `${NAMES[assumption]} ${isNothing ? 'changes nothing' : `${gain(pnl)}${fillsText(fills)}`}`;
}

function fillsText(fills: number): string {
  if (fills === 0) return ', as many fills';
  return `, ${count(Math.abs(fills))} ${Math.abs(fills) === 1 ? 'fill' : 'fills'} ${fills > 0 ? 'more' : 'fewer'}`;
}

/** Explains the change that cost most. */
function reasonOf({ assumption, fills }: Change): string {
  const start = `Most is due to ${NAMES[assumption]}`;
  if (assumption === 'polls')
    return `${start}: when polls start is chance, also in a live run. Orders are sent at other moments and meet other prices, so a difference of this size means nothing.`;
  if (assumption === 'spread')
    return `${start}. A narrower spread helps taker orders. Resting orders follow the best prices, so they rest at other prices and are filled at other moments; for them neither spread is better.`;
  if (fills > 0)
    return `${start}: more orders are filled, and these fills lost. A band varies how soon and how often orders are filled, not what a fill earns; more fills of a losing strategy lose more.`;
  if (fills < 0)
    return `${start}: orders are sent, moved and cancelled at other moments, and the fills that are missing would have earned.`;
  return `${start}: the same number of fills came at other moments or prices. Which run earns more is chance; a longer tape averages it out.`;
}
