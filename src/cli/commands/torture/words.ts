// The figures and failures of `bot torture` as text.
import { COMMAND } from '../../../base/package.ts';

import type { SimulationFigures } from '../../../simulation/figures.ts';
import { FACTS, STATES, STREAM_FACTS } from '../../../simulation/invariants/record/sometimes.ts';
import { ALL_KINDS, classOf, faultText, KINDS, STREAM_KINDS } from '../../../simulation/plan/faults.ts';
import { optionsText } from '../../../simulation/plan/options.ts';
import { timeText } from '../../../simulation/trace.ts';
import type { Failure } from '../../../simulation/trial.ts';

const DAY = 86_400_000;

interface Work {
  readonly seeds: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
  readonly cores: number;
  /** The bots listened to the websocket too. */
  readonly streams: boolean;
}

export function figuresWords(figures: SimulationFigures, { seeds, failures, seconds, cores, streams }: Work): string {
  const days = figures.simulatedMs / DAY;
  const struck = Object.entries(figures.struck);
  const classes = Object.keys(KINDS)
    .filter((name) => streams || name !== 'streams')
    .map((name) => `${name} ${sumOf(struck.filter(([kind]) => classOf(kind) === name))}`);
  const facts = streams ? [...FACTS, ...STREAM_FACTS] : FACTS;
  const unmet = facts.filter((fact) => figures.facts[fact] === undefined);
  const kinds = streams ? [...ALL_KINDS, ...STREAM_KINDS] : ALL_KINDS;
  const empty = kinds.flatMap((kind) => STATES.filter((state) => figures.matrix[`${kind}/${state}`] === undefined));
  const rows: readonly (readonly [string, string])[] = [
    ['seeds', `${seeds}, ${figures.runs} runs, ${days.toFixed(2)} simulated days`],
    ['speed', `${(days / seconds / cores).toFixed(4)} simulated days per second and core; ${seconds.toFixed(0)} s on ${cores} cores`],
    ['faults', `${sumOf(struck)}: ${classes.join(', ')}`],
    ['orders', `${figures.orders}, ${figures.fills} fills; ${figures.unknown} were unknown for a while`],
    ['doubled', String(figures.doubled)],
    ['lost', String(figures.lost)],
    ['crashes', `${figures.deaths}${figures.crashPoints === 0 ? '' : `, at ${figures.crashPoints} different calls`}`],
    ['facts', `${facts.length - unmet.length} of ${facts.length} seen${unmet.length === 0 ? '' : `; not seen: ${unmet.join(', ')}`}`],
    ['matrix', `${kinds.length * STATES.length - empty.length} of ${kinds.length * STATES.length} pairs of fault kind and order state`],
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
    `VIOLATION ${invariant} at ${timeText(at)}: ${message}`,
    `  reproduce: ${COMMAND} torture --strategy ${options.strategy} --profile ${options.profile}${options.streams === undefined ? '' : ' --streams'} --seed ${options.seed}`,
    `  reduced to ${plan.length} of ${whole.plan.length} faults; replay them: ${COMMAND} torture --replay ${file}`,
    `  options: ${optionsText(options)}`,
    ...plan.map((fault) => `  fault: ${faultText(fault)}`),
    ...timeline.map((line) => `  ${line}`),
  ].join('\n');
}
