// Tries one seed: one run, the same run again to check that it is the same, or one run for each call at which a process can die.
import { NO_FIGURES, type SimulationFigures, sumOf } from './figures.ts';
import type { InjectedFault, Plan } from './plan/faults.ts';
import type { ExchangeName } from './plan/faults-by-exchange.ts';
import { type Options, optionsOf, type Profile } from './plan/options.ts';
import { planOf, START_FAILURES } from './plan/plan.ts';
import { play, type SimulationOutcome } from './play.ts';
import type { SimulationOptions, Violation } from './simulation-options.ts';

export type SimulatedStrategy = Pick<SimulationOptions, 'strategy' | 'params' | 'markets' | 'history' | 'inputs'> & {
  /** A built-in strategy, or a path. */
  readonly name: string;
};

export interface SimulationTrial {
  readonly seed: string;
  readonly figures: SimulationFigures;
  readonly failure?: Failure | undefined;
}

/** All that is needed to reproduce the failure. */
export interface Failure extends Violation {
  readonly options: Options;
  readonly plan: Plan;
  readonly timeline: readonly string[];
}

export interface TrialOptions {
  readonly seed: string;
  readonly profile: Profile;
  /** Plays the run twice, and both must be the same. */
  readonly twice: boolean;
  readonly streams?: true | undefined;
  /** The hosted exchange if absent. */
  readonly exchange?: ExchangeName | undefined;
}

export async function trial(subject: SimulatedStrategy, { seed, profile, twice, ...rest }: TrialOptions): Promise<SimulationTrial> {
  const options = optionsOf({ seed, profile, strategy: subject.name, ...rest });
  if (profile === 'crash') return crashEverywhere(subject, options);
  const plan = planOf(options);
  const outcome = await play({ ...subject, options, plan });
  const { figures } = outcome;
  if (outcome.violation !== undefined || !twice) return { seed, figures, failure: failureOf(outcome) };
  const again = await play({ ...subject, options, plan });
  if (again.hash === outcome.hash) return { seed, figures };
  const message = `the same run had two results: ${outcome.hash.slice(0, 12)} and ${again.hash.slice(0, 12)}`;
  return { seed, figures, failure: { invariant: 'V15', message, at: 0, options, plan, timeline: [] } };
}

/** The second death comes at most this many calls after the first; most starts make more calls. */
const MAX_CALLS_BETWEEN_DEATHS = 24;

/**
 * Plays one run for each call of a run without faults: the process dies at that call, and in every other run once more while it recovers.
 * Then plays one run for each request of a start and each way in which it can fail: at the first start, and at one with orders open.
 */
async function crashEverywhere(subject: SimulatedStrategy, options: Options): Promise<SimulationTrial> {
  const { seed } = options;
  const calm = await play({ ...subject, options, plan: [] });
  let { figures } = calm;
  if (calm.violation !== undefined) return { seed, figures, failure: failureOf(calm) };
  for (let call = 1; call <= calm.callsWhileFaulty; call++) {
    const outcome = await play({ ...subject, options, plan: deathsAt(call) });
    figures = sumOf(figures, { ...outcome.figures, crashPoints: 1 });
    if (outcome.violation !== undefined) return { seed, figures, failure: failureOf(outcome) };
  }
  for (const plan of failedStarts()) {
    const outcome = await play({ ...subject, options, plan });
    figures = sumOf(figures, { ...outcome.figures, crashPoints: 1 });
    if (outcome.violation !== undefined) return { seed, figures, failure: failureOf(outcome) };
  }
  return { seed, figures: figures.runs === 0 ? NO_FIGURES : figures };
}

/** More requests than a start makes. */
const MAX_REQUESTS = 12;
/** When the first process dies. A request of its successor's start fails. */
const DIES_AT = 12_000;

function* failedStarts(): Iterable<Plan> {
  for (let request = 1; request <= MAX_REQUESTS; request++)
    for (const detail of START_FAILURES) {
      const death: InjectedFault = { id: 'death', kind: 'crash', from: DIES_AT, until: DIES_AT, detail: 'kill' };
      const failure: InjectedFault = { id: 'start', kind: 'startFails', from: 0, until: 2 * DIES_AT, amount: request, detail };
      yield [failure, death];
    }
}

function deathsAt(call: number): Plan {
  const death = (id: string, amount: number): InjectedFault => ({
    id,
    kind: 'crashOnCall',
    from: 0,
    until: 0,
    amount,
    detail: call % 3 === 0 ? 'kill' : 'power',
  });
  const again = death('second', call + 1 + ((call * 7) % MAX_CALLS_BETWEEN_DEATHS));
  return call % 2 === 0 ? [death('first', call)] : [death('first', call), again];
}

export function failureOf({ violation, options, plan, timeline }: SimulationOutcome): Failure | undefined {
  return violation && { ...violation, options, plan, timeline };
}
