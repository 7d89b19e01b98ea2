// `bot resume`: shows why the kill switch of a run is set, and releases it when a person types the run's name.
import { UserError } from '../../../base/errors.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { killSwitchWords } from '../../output/cancel-all-words.ts';
import { safeText } from '../../output/table.ts';
import { resolveState } from '../../resolve-state.ts';
import { liveProcessIn } from '../../run-alive.ts';
import { prompt } from '../../terminal/passphrase.ts';
import type { ResumeFlags } from './command.ts';

/** Throws a UserError `resume` while the run's process is alive, and if the typed name differs. */
export async function resume(run: string | undefined, flags: ResumeFlags, host: Host): Promise<ExitCode> {
  const { directory, facts } = resolveState({ run, ...flags }, 'newest', host);
  const killSwitch = new KillSwitch(nodeDisk(directory));
  const state = killSwitch.get();
  if (state.mode === 'active') {
    say(host.stdout, `the kill switch of ${facts.run} is not set: it may trade`);
    return 0;
  }
  say(host.stdout, `the kill switch of ${facts.run} is at ${killSwitchWords(state)}`);
  const living = liveProcessIn(directory);
  if (living !== undefined)
    throw refused(
      `process ${living.pid} of this run is still alive`,
      'end it, or wait until it ends; then resume, and start the run again',
    );
  if (flags.yes === undefined && host.stdin.isTTY !== true)
    throw refused('the name of the run must be typed at a terminal', `in a script, give --yes ${facts.run}`);
  const name = flags.yes ?? (await prompt('type the name of the run to let it trade again: ', host));
  if (name !== facts.run) {
    const typed = name === undefined ? 'no name was typed' : `"${safeText(name)}" is not ${facts.run}`;
    throw refused(`${typed}: the kill switch stays set`, flags.yes === undefined ? 'run the command again' : `give --yes ${facts.run}`);
  }
  killSwitch.release();
  say(host.stdout, `the kill switch is released: ${facts.run} trades when you start it again`);
  return 0;
}

const refused = (message: string, hint: string): UserError => new UserError({ code: 'resume', message, hint });
