// How often the verdict of a sweep is right, on simulated returns of which it is known whether they earn.
import type { Bench, Row } from './measure.ts';
import { EARNING, NOISE, RARE_LOSSES, verdictOn } from './simulated-sweeps.ts';

const SWEEPS = 1_000;

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

interface Aim {
  readonly text: string;
  readonly isMet: (promising: number) => boolean;
}

const atMost = (share: number): Aim => ({ text: `at most ${percent(share)}`, isMet: (promising) => promising <= share });
const atLeast = (share: number): Aim => ({ text: `at least ${percent(share)}`, isMet: (promising) => promising >= share });
const FALSE_POSITIVES = atMost(0.05);
const POWER: Readonly<Record<string, Aim>> = {
  'one point with t = 3': atLeast(0.4),
  'one point with t = 4': atLeast(0.7),
  'one point with t = 5': atLeast(0.9),
};

export const verdicts: Bench = async ({ count = SWEEPS }) =>
  [NOISE, EARNING, RARE_LOSSES].flatMap((kinds) =>
    Object.entries(kinds).map(([name, columnsOf]) =>
      rowOf(name, { columnsOf, count, aim: kinds === EARNING ? POWER[name] : FALSE_POSITIVES }),
    ),
  );

interface Simulation {
  readonly columnsOf: Parameters<typeof verdictOn>[0];
  readonly count: number;
  readonly aim: Aim | undefined;
}

function rowOf(name: string, { columnsOf, count, aim }: Simulation): Row {
  const kinds = Array.from({ length: count }, (_, sweep) => verdictOn(columnsOf, `${name} ${sweep}`));
  const share = (wanted: string): number => kinds.filter((kind) => kind === wanted).length / count;
  return {
    name: `verdicts: ${name}`,
    figure: `${percent(share('promising'))} not explained by chance`,
    baseline: `${percent(share('undecided'))} cannot be decided, ${percent(share('noise') + share('nothing'))} noise or a loss`,
    ratio: '',
    aim: aim?.text ?? '',
    met: aim?.isMet(share('promising')),
  };
}
