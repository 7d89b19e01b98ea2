// The options of `bot replay`.

import type { Command } from 'commander';
import { docsFile } from '../../../base/package.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import type { ReplayFlags } from './replay.ts';

export function addReplay(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('replay')
    .description('decide the recorded turns of a run again, and show the first one that differs')
    .argument('[run]', 'name of the run, or its state directory (default: the only live run, else the newest)')
    .option('--state <dir>', 'state directory of the run')
    .option('--strategy <name|path>', 'use this strategy instead of the recorded one')
    .option('--json', 'one JSON object on standard output')
    .addHelpText('after', REPLAY_NOTES)
    .action((run: string | undefined, flags: ReplayFlags) =>
      setExitCode(import('./replay.ts').then(({ replay }) => replay(run, flags, host))),
    );
}

const REPLAY_NOTES = `
The recorded events of each turn are given to the same strategy, with the parameters, limits and seed of the run. Nothing is sent anywhere.
${docsFile('parity.md')} says what the result means.
Exit codes: 0 all turns are equal; 1 a turn differs; 2 the input is wrong.`;
