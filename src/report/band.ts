// Notes on a band of runs: explains why a run with worse assumptions made more profit, if one did.
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

/** The run with the worse assumptions after one more of them was changed to that of the other run. */
export interface BandStep {
  readonly assumption: BandAssumption;
  readonly report: Report;
}

/** The pairs of neighbours of which the better assumptions have the worse result. `runs`: from the worst assumptions to the best. */
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

/** Why a pair is not in order, by what each assumption changed. `steps`: one assumption after the other, the last of them the other run. */
export function bandNote({ worse, better }: Inversion<string>, steps: readonly BandStep[]): string {
  const changes = steps.map(({ assumption, report }, index): Change => {
    const before = (steps[index - 1]?.report ?? worse.report).figures;
    return { assumption, pnl: report.figures.pnl - before.pnl, fills: report.figures.fills - before.fills };
  });
  const [mine, other] = [worse.report.figures, better.report.figures];
  return [
    `The band is not in order: the ${better.name} run (${gain(other.pnl)}) is worse than the ${worse.name} one (${gain(mine.pnl)}), by ${money(mine.pnl - other.pnl)}.`,
    `From ${worse.name} to ${better.name}, one assumption after the other: ${changes.map(changeWords).join('; ')}.`,
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

const changeWords = ({ assumption, pnl, fills }: Change): string =>
  `${NAMES[assumption]} ${gain(pnl) === '0.00' && fills === 0 ? 'changes nothing' : `${gain(pnl)}${fillsWords(fills)}`}`;

function fillsWords(fills: number): string {
  if (fills === 0) return ', as many fills';
  return `, ${count(Math.abs(fills))} ${Math.abs(fills) === 1 ? 'fill' : 'fills'} ${fills > 0 ? 'more' : 'fewer'}`;
}

/** `cause`: the change that cost most. */
function reasonOf({ assumption, fills }: Change): string {
  const start = `Most is due to ${NAMES[assumption]}`;
  if (assumption === 'polls')
    return `${start}: when they start is chance, in a live run too. Orders are sent at other moments and meet other prices, so results this near to each other are equal.`;
  if (assumption === 'spread')
    return `${start}. It helps orders that take; orders that rest follow the best prices, which are elsewhere then, and are filled at other moments: for them neither spread is the worse one.`;
  if (fills > 0)
    return `${start}: more orders are filled, and these fills lost. A band bounds how soon and how often orders are filled, not what a fill is worth; more of a losing trade loses more.`;
  if (fills < 0)
    return `${start}: orders are sent, moved and cancelled at other moments, and the fills that this avoided would have earned.`;
  return `${start}: the same number of fills came at other moments or prices. Which of the two comes out better is chance, and a longer tape averages it out.`;
}
