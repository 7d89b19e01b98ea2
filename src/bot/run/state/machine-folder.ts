// The user's private folder for data about all runs of the machine, whatever directory they were started in.
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `$XDG_STATE_HOME/tickwright`, or `~/.local/state/tickwright`: never a shared temporary folder. */
export const machineFolder = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'tickwright');
