// `bot run`: a strategy on an exchange, watched until it is over.
import { type Clock, sleep, systemClock } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import { openState, type State } from '../../run/state.ts';
import { startTrading, type Trading } from '../../run/trading.ts';
import type { OpenVenue } from '../../run/venue.ts';
import { StrategyError } from '../../strategy/decide.ts';
import { explain } from '../failure.ts';
import { type ExitCode, type Host, say } from '../host.ts';
import { type Presentation, presentationOf } from '../output/presentation.ts';
import { Interrupts } from './interrupts.ts';
import { planRun, type RunFlags, type RunPlan } from './run-plan.ts';
import { openVenue } from './run-venue.ts';
import { watch } from './run-watch.ts';

export type { RunFlags } from './run-plan.ts';

/** A venue that does not close in time is left to the end of the process. */
const CLOSING_MS = 2_000;

export async function run(flags: RunFlags, host: Host): Promise<ExitCode> {
  let directory: string | undefined;
  try {
    const plan = await planRun(flags, systemClock);
    directory = plan.facts.state;
    const state = openState(directory, plan.stamp);
    try {
      return await play(plan, { host, clock: systemClock, state, presentation: presentationOf(plan, host) });
    } finally {
      state.close();
    }
  } catch (thrown) {
    return blame(thrown, host, directory);
  }
}

/** A strategy's mistake fails the run. */
function blame(thrown: unknown, host: Host, directory: string | undefined): ExitCode {
  if (!(thrown instanceof StrategyError)) return explain(thrown, host, directory);
  say(host.stderr, `error: ${thrown.message}`);
  return 1;
}

interface Stage {
  readonly host: Host;
  readonly clock: Clock;
  readonly state: State;
  readonly presentation: Presentation;
}

async function play(plan: RunPlan, stage: Stage): Promise<ExitCode> {
  const { host, clock, presentation } = stage;
  const interrupts = new Interrupts(host);
  presentation.presenter.opening();
  const opened = await Promise.race([open(plan, interrupts, stage), interrupts.asked]);
  const outcome =
    opened && (await watch(start(plan, opened, stage), { presenter: presentation.presenter, clock, interrupts, spanMs: plan.spanMs }));
  await Promise.race([opened?.close(), sleep(clock, CLOSING_MS)]);
  if (interrupts.firstBug !== undefined) throw interrupts.firstBug.thrown;
  if (outcome?.ending.kind === 'failed') throw outcome.ending.error;
  if (outcome === undefined) say(host.stderr, 'stopped before anything was sent');
  return outcome?.ending.kind === 'unsettled' ? 1 : 0;
}

const open = (plan: RunPlan, interrupts: Interrupts, { clock, state, presentation: { log } }: Stage): Promise<OpenVenue> =>
  openVenue(plan, {
    clock,
    rng: rngFrom(plan.facts.seed).fork('venue'),
    polling: plan.config.polling,
    markets: plan.facts.markets,
    state,
    log,
    onBug: (thrown) => interrupts.bug(thrown),
  });

function start({ facts, config: { limits }, params, decider }: RunPlan, { venue }: OpenVenue, { clock, state }: Stage): Trading {
  const { run, strategy, exchange, seed } = facts;
  const decide = decider(venue.feed.markets);
  return startTrading({ clock, venue, state, decide, limits, params, seed, name: { run, strategy, exchange } });
}
