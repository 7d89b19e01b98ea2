// The figures and failures of `bot torture` as text.

import { DAY } from '../../../base/clock.ts';
import { COMMAND } from '../../../base/package.ts';

import type { SimulationFigures } from '../../../research/simulation/figures.ts';
import { classOf, faultText, KINDS, STREAM_KINDS } from '../../../research/simulation/plan/faults.ts';
import { kindsOf } from '../../../research/simulation/plan/faults-by-exchange.ts';
import { optionsText } from '../../../research/simulation/plan/options.ts';
import { STATES, STREAM_SITUATIONS, situationsOn } from '../../../research/simulation/record/situations.ts';
import { elapsedText } from '../../../research/simulation/trace.ts';
import type { Failure } from '../../../research/simulation/trial.ts';
import type { TortureFlags } from './command.ts';

interface Work {
  readonly seeds: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
  readonly cores: number;
}

export function figuresWords(
  figures: SimulationFigures,
  { seeds, failures, seconds, cores }: Work,
  { streams, exchange, profile }: Pick<TortureFlags, 'streams' | 'exchange' | 'profile'>,
): string {
  const days = figures.simulatedMs / DAY;
  const struck = Object.entries(figures.struck);
  const classes = Object.keys(KINDS)
    .filter((name) => (streams || name !== 'streams') && (profile === 'liar' || name !== 'lies'))
    .map((name) => `${name} ${sumOf(struck.filter(([kind]) => classOf(kind) === name))}`);
  const situations = streams ? [...situationsOn(exchange), ...STREAM_SITUATIONS] : situationsOn(exchange);
  const missing = situations.filter((situation) => figures.facts[situation] === undefined);
  const kinds = streams ? [...kindsOf(exchange), ...STREAM_KINDS] : kindsOf(exchange);
  const empty = kinds.flatMap((kind) => STATES.filter((state) => figures.matrix[`${kind}/${state}`] === undefined));
  const rows: readonly (readonly [string, string])[] = [
    ['seeds', `${seeds}, ${figures.runs} runs, ${days.toFixed(2)} simulated days`],
    ['speed', `${(days / seconds / cores).toFixed(4)} simulated days per second and core; ${seconds.toFixed(0)} s on ${cores} cores`],
    ['faults', `${sumOf(struck)}: ${classes.join(', ')}`],
    ['orders', `${figures.orders}, ${figures.fills} fills; ${figures.unknown} were without a definite answer for a while`],
    ['doubled', `${figures.doubled} orders were executed twice`],
    ['lost', `in ${figures.lost} runs the bot reported an order wrongly or missed a fill`],
    ['crashes', `${figures.deaths}${figures.crashPoints === 0 ? '' : `, at ${figures.crashPoints} different calls`}`],
    [
      'coverage',
      `${situations.length - missing.length} of ${situations.length} dangerous situations occurred${missing.length === 0 ? '' : `; missing: ${missing.join(', ')}`}`,
    ],
    ['', `${kinds.length * STATES.length - empty.length} of ${kinds.length * STATES.length} pairs of fault kind and order state occurred`],
    [
      'violations',
      failures.length === 0
        ? figures.orders === 0
          ? '0, but no order was placed'
          : '0'
        : `${failures.length}: ${countsText(failures.map(({ invariant }) => invariant))}`,
    ],
  ];
  return rows.map(([name, text]) => `${name.padEnd(11)}${text}`).join('\n');
}

const sumOf = (counts: readonly (readonly [string, number])[]): number => counts.reduce((sum, [, count]) => sum + count, 0);

function countsText(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

export function failureWords(failure: Failure, { whole, file }: { whole: Failure; file: string }): string {
  const { invariant, message, at, options, plan, timeline } = failure;
  return [
    `VIOLATION ${invariant} at ${elapsedText(at)}: ${message}`,
    `  reproduce: ${COMMAND} torture --strategy ${options.strategy} --profile ${options.profile}${options.exchange === undefined ? '' : ` --exchange ${options.exchange}`}${options.streams === undefined ? '' : ' --streams'} --seed ${options.seed}`,
    `  reduced to ${plan.length} of ${whole.plan.length} faults; replay them: ${COMMAND} torture --replay ${file}`,
    `  options: ${optionsText(options)}`,
    ...plan.map((fault) => `  fault: ${faultText(fault)}`),
    ...timeline.map((line) => `  ${line}`),
  ].join('\n');
}
