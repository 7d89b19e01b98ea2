// `bot run`: what was typed becomes a plan, and the plan is played.
import { systemClock } from '../../../base/clock.ts';
import { StrategyError } from '../../../strategy/decide.ts';
import { explain } from '../../failure.ts';
import { type ExitCode, type Host, say } from '../../host.ts';
import { planRun, type RunFlags } from './plan.ts';

export type { RunFlags } from './plan.ts';

/** The exchanges and all that trades are loaded when the plan stands: wrong input is told without waiting for them. */
export async function run(flags: RunFlags, host: Host): Promise<ExitCode> {
  let directory: string | undefined;
  try {
    const plan = await planRun(flags, systemClock, host);
    directory = plan.facts.state;
    const { play } = await import('./play.ts');
    return await play(plan, host);
  } catch (thrown) {
    if (!(thrown instanceof StrategyError)) return explain(thrown, host, directory);
    say(host.stderr, `error: ${thrown.message}`);
    return 1;
  }
}
