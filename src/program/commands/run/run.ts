// `bot run`: makes a plan from the options and carries it out.
// plan.ts                             options to a plan: what to trade, where, with which strategy
// play.ts                             the run: state directory, exchange, trading, exit code
// reload.ts                           reloads a strategy's file that changes during the run
// facts.ts                            facts.json, which other commands read
// interrupts.ts, watch.ts             reasons to stop from outside; passes the events to a presenter
// ../operate/start-watchdog.ts        starts the watchdog process of the run
import { systemClock } from '../../../base/clock.ts';
import { StrategyError } from '../../../bot/strategy/decide.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { explain } from '../../failure.ts';
import { type Host, say } from '../../host.ts';
import { redirectConsole } from '../../output/console.ts';
import { planRun, type RunFlags } from './plan.ts';

export type { RunFlags } from './plan.ts';

/** Prints why a run failed, and returns the exit code. */
export function explainRun(thrown: unknown, host: Host, directory: string | undefined): ExitCode {
  if (!(thrown instanceof StrategyError)) return explain(thrown, host, directory);
  say(host.stderr, `error: ${thrown.message}`);
  return 1;
}

/** Imports the trading modules only after the plan is complete, so that wrong input is reported at once. */
export async function run(flags: RunFlags, host: Host): Promise<ExitCode> {
  let directory: string | undefined;
  const restoreConsole = flags.json ? redirectConsole((text) => say(host.stderr, text)) : undefined; // a strategy's file may use the console while it is loaded
  try {
    const plan = await planRun(flags, systemClock, host);
    directory = plan.facts.state;
    const { play } = await import('./play.ts');
    return await play(plan, host);
  } catch (thrown) {
    return explainRun(thrown, host, directory);
  } finally {
    restoreConsole?.();
  }
}
