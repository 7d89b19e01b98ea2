// The options of `bot ui`.
import type { Command } from 'commander';
import { COMMAND, PROGRAM } from '../../../base/package.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { portOf } from '../../values.ts';
import type { LinkFlags } from './link.ts';
import type { UiFlags } from './ui.ts';

export function addUi(program: Command, host: Host, setExitCode: SetExitCode): void {
  const page = program
    .command('ui')
    .description('show a run, all runs of this machine, or a recording on a web page of this machine')
    .argument('[run]', 'name of the run (default: a list of all runs)')
    .option('--state <dir>', 'state directory of the run')
    .option('--recording <file>', 'replay a recording of turns (turns-….jsonl.gz of a state directory)')
    .option('--port <n>', 'port of the page (default: a free port)', portOf('--port'))
    .option('--control', 'allow the page to stop runs, or to let them only close positions')
    .option('--json', 'print the link as a JSON line')
    .addHelpText('after', NOTES)
    .action((run: string | undefined, flags: UiFlags) => setExitCode(import('./ui.ts').then(({ ui }) => ui(run, flags, host))));
  page
    .command('link')
    .description('print another link for a page that is served now: by a run with --ui, a fleet, or bot ui')
    .argument('[run]', 'name of the run that the page shows, or fleet-NAME (default: the only page)')
    .option('--port <n>', 'port of the page', portOf('--port'))
    .option('--json', 'print the link as a JSON line')
    .action((run: string | undefined, flags: LinkFlags) => setExitCode(import('./link.ts').then(({ link }) => link(run, flags, host))));
}

const NOTES = `
It prints a link that opens once, within ten minutes, and serves the page until Ctrl-C, on 127.0.0.1 alone. A live run is shown from its
recording, about two seconds later; a run that has ended is replayed, with a slider. \`${COMMAND} run --ui\` shows a run without that delay.
The page can change nothing; with --control it can set the kill switch, which only \`${PROGRAM} resume\` releases.`;
