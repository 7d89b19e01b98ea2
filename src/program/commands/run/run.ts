// `bot run`: makes a plan from the options and carries it out.
// plan.ts                             options to a plan: what to trade, where, with which strategy
// play.ts                             the run: state directory, exchange, trading, exit code
// reload.ts                          reloads a strategy's file that changes during the run
// facts.ts                            facts.json, which other commands read
// interrupts.ts, watch.ts             reasons to stop from outside; passes the events to a presenter
// program/commands/operate/start-watchdog.ts                   starts the watchdog process of the run
import { systemClock } from '../../../base/clock.ts';
import { type Place, UserError } from '../../../base/errors.ts';
import { StrategyError } from '../../../bot/strategy/decide.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { explain } from '../../failure.ts';
import { type Host, say } from '../../host.ts';
import { redirectConsole } from '../../output/console.ts';
import { exchangeOf, planRun, type RunFlags } from './plan.ts';

export type { RunFlags } from './plan.ts';

/** The options as typed: without `exchange`, the configuration names it, or it is the default. */
export type GivenRunFlags = Omit<RunFlags, 'exchange'> & Partial<Pick<RunFlags, 'exchange'>>;

/** Prints why a run failed, and returns the exit code. */
export function explainRun(thrown: unknown, host: Host, directory: string | undefined): ExitCode {
  if (!(thrown instanceof StrategyError)) return explain(thrown, host, directory);
  say(host.stderr, `error: ${thrown.message}`);
  return 1;
}

/** Adds the place in the configuration to an error of the exchange that it names. */
async function atPlace<T>(place: Place | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (place === undefined || !(error instanceof UserError) || error.code !== 'venue') throw error;
    throw new UserError({ code: error.code, message: error.message, hint: error.hint, place });
  }
}

/** Imports the trading modules only after the plan is complete, so that wrong input is reported at once. */
export async function run(flags: GivenRunFlags, host: Host): Promise<ExitCode> {
  let directory: string | undefined;
  const restoreConsole = flags.json ? redirectConsole((text) => say(host.stderr, text)) : undefined; // a strategy's file may use the console while it is loaded
  try {
    const { exchange, place } = exchangeOf(flags, host.venues);
    const plan = await atPlace(place, () => planRun({ ...flags, exchange }, systemClock, host));
    directory = plan.facts.state;
    const { play } = await import('./play.ts');
    return await play(plan, host);
  } catch (thrown) {
    return explainRun(thrown, host, directory);
  } finally {
    restoreConsole?.();
  }
}
