// Checks: the whole bot with this strategy, under simulated faults and during an outage of the exchange.

import type { Millis } from '../../../../base/clock.ts';
import { spanText } from '../../../../base/text/duration.ts';
import { counted } from '../../../../base/text/phrases.ts';
import { LISTED_MARKETS } from '../../../../embedded/exchange/state/listing.ts';
import type { InjectedFault } from '../../../simulation/plan/faults.ts';
import { type Options, optionsOf, SIMULATION_START } from '../../../simulation/plan/options.ts';
import { play } from '../../../simulation/play.ts';
import { type Failure, failureOf, type SimulatedStrategy as Simulated, trial } from '../../../simulation/trial.ts';
import { recordedFrom, type Subject, type TimedInputs, type TimedValue } from '../subject.ts';
import { pastBefore } from '../tapes/past.ts';
import { fail, type PlayCounts, pass, type StrategyCheck, skip, warn } from '../verdict.ts';

/** Number of simulated runs that this check makes. */
const SEEDS = 3;

export const simulationPlayCounts = (subject: Subject): PlayCounts => ({ simulatedRuns: isSimulated(subject) ? SEEDS : 0 });

export const simulation: StrategyCheck = async (subject) => {
  const simulated = simulatedOf(subject);
  if (simulated === undefined) return skip('the embedded exchange, which the simulation needs, does not list its markets');
  let [placed, fills, struck] = [0, 0, 0];
  for (let index = 0; index < SEEDS; index++) {
    const seed = `${subject.seed}/${index}`;
    // `twice: false`: not compared with a second run of the same seed
    const { figures, failure } = await trial(simulated, { seed, profile: 'swarm', twice: false });
    placed += figures.orders;
    fills += figures.fills;
    struck += Object.values(figures.struck).reduce((sum, count) => sum + count, 0);
    if (failure !== undefined) return { ...fail(`${failureText(failure)}, with simulation seed ${seed}`), placed };
  }
  if (placed === 0) return { ...warn(`it placed no order in ${SEEDS} simulated runs, so no order could be lost or doubled`), placed };
  return { ...pass(`${counted(placed, 'order')}, ${counted(fills, 'fill')}, ${counted(struck, 'fault')}: no violation`), placed };
};

/** An outage: the exchange refuses placements for maintenance, then does not answer at all, then freezes its markets. */
const OUTAGE: readonly InjectedFault[] = [
  { id: 'maintenance', kind: 'reject', from: 20_000, until: 50_000, chance: 1, detail: 'MAINTENANCE' },
  { id: 'silence', kind: 'partition', from: 70_000, until: 100_000, path: 'all' },
  { id: 'freeze', kind: 'freeze', from: 120_000, until: 150_000 },
];

/** Returns the rule that is violated during an outage; undefined if none is. */
export async function outage(subject: Subject): Promise<string | undefined> {
  const simulated = simulatedOf(subject);
  if (simulated === undefined) return undefined;
  const failure = failureOf(await play({ ...simulated, options: outageOptions(subject.seed, simulated.name), plan: OUTAGE }));
  return failure === undefined ? undefined : `outage: ${failureText(failure)}`;
}

/** The options of `calm`, which draws no faults of its own. The profile is named `swarm`, because in `calm` every alarm is a violation. */
const outageOptions = (seed: string, strategy: string): Options => ({
  ...optionsOf({ seed, profile: 'calm', strategy }),
  profile: 'swarm',
  faultyMs: 160_000, // until after the last fault of OUTAGE
});

/** True if the embedded exchange lists the markets of the tapes. */
export const isSimulated = ({ tapes }: Subject): boolean =>
  tapes.every((tape) => LISTED_MARKETS.some(({ spec }) => spec.symbol === symbolOf(tape)));

const symbolOf = ({ header: { market } }: Subject['tapes'][number]): string => market.symbol;

function simulatedOf(subject: Subject): Simulated | undefined {
  const { strategy, params, tapes } = subject;
  const markets = tapes.map(symbolOf);
  const history = pastBefore(SIMULATION_START, subject);
  const inputs = recordedFrom(SIMULATION_START, failing(subject.inputs));
  return isSimulated(subject) ? { name: strategy.name, strategy, params, markets, history, inputs } : undefined;
}

/** Returns the values with failures: every input fails twice and recovers late with its last value. */
const failing = (inputs: TimedInputs): TimedInputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, values]) => [
      name,
      [...values, ...FAILURES.flatMap((at) => outageAt(at, values))].sort((a, b) => a.after - b.after),
    ]),
  );

const FAILURES: readonly Millis[] = [30_000, 75_000];
const FAILS_FOR: Millis = 15_000;

function outageAt(after: Millis, values: readonly TimedValue[]): readonly TimedValue[] {
  const last = values.findLast((value) => value.after <= after);
  const failure: TimedValue = { after, value: undefined, failure: 'the simulation lets it fail' };
  return last === undefined ? [failure] : [failure, { ...last, after: after + FAILS_FOR, ageMs: FAILS_FOR }];
}

const failureText = ({ invariant, message, at }: Failure): string =>
  `${invariant} after ${spanText(at, 'h')}: ${message.split('\n')[0] ?? ''}`;
