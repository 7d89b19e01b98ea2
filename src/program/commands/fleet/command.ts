// The command line of `bot fleet`; `flags.ts` has the type of its options.
import type { Command } from 'commander';
import { PROGRAM } from '../../../base/package.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { keepHeapSmall } from '../../process/heap.ts';
import { collect, durationOf, portOf } from '../../values.ts';
import { NOTIFY_ABOUT } from '../notify/command.ts';
import type { FleetFlags } from './flags.ts';

const DEFAULT_FILE = 'config/fleet.yaml';

export function addFleet(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('fleet')
    .description('run several strategies in one process, each with its own account and state, and limits over all of them')
    .argument('[file]', 'the fleet file: its runs, and the limits over all of them', DEFAULT_FILE)
    .option('--for <time>', 'stop all runs after 20s, 5m or 2h (default: run until Ctrl-C)', durationOf('--for'))
    .option('--live', 'let the runs with live: true in the file trade real money')
    .option(
      '--start-timeout <time>',
      'how long a start retries an exchange that does not answer (default: 60s)',
      durationOf('--start-timeout'),
    )
    .option('--state <dir>', 'folder of the state directories of the runs (default: .bot)')
    .option('--ui [port]', 'show all runs on a web page of this machine, and print its link; without a port a free one', portOf('--ui'))
    .option('--ui-control', 'allow the page to stop a run, or to let it only close positions')
    .option('--metrics [port]', 'serve metrics of all runs for Prometheus on this machine; without a port a free one', portOf('--metrics'))
    .option('--notify <url...>', NOTIFY_ABOUT, collect)
    .option('--json', 'one JSON object per line on standard output, with the field member; logs on standard error')
    .addHelpText('after', FLEET_NOTES)
    .action((file: string, flags: FleetFlags) => {
      keepHeapSmall();
      return setExitCode(import('./fleet.ts').then(({ fleet }) => fleet(file, flags, host)));
    });
}

const FLEET_NOTES = `
A run of a fleet is named FLEET-RUN-exchange, has its own state directory .bot/NAME, and is looked after like every other run: ${PROGRAM} status,
kill, flatten, logs, why and resume. On the embedded exchange each run has an exchange of its own. A run that fails ends alone; the others go on.
Limits of the file act on all runs together. ${PROGRAM} resume lets each of them trade again.
Ctrl-C stops all runs. Exit codes: 0 all runs are done, 1 some run failed, 2 the input is wrong, 70 a bug in the program.`;
