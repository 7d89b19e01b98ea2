// The options of `bot fleet`, the command that runs several strategies.
import { PROGRAM } from '../../../base/package.ts';
import { SETTINGS, START_TIMEOUT } from '../../common-options.ts';
import { argument, asText, defineCommand, type FlagsOf, option } from '../../declared.ts';
import { durationOf, portOf } from '../../values.ts';

const DEFAULT_FILE = 'config/fleet.yaml';

const FLEET_NOTES = `
A run of a fleet is named FLEET-RUN-exchange, has its own state directory .bot/NAME, and is looked after like every other run: ${PROGRAM} status,
kill, flatten, logs, why and resume. On the embedded exchange each run has an exchange of its own. A run that fails ends alone; the others go on.
Limits of the file act on all runs together. ${PROGRAM} resume lets each of them trade again.
Ctrl-C stops all runs. Exit codes: 0 all runs are done, 1 some run failed, 2 the input is wrong, 70 a bug in the program.`;

export const FLEET = defineCommand({
  name: 'fleet',
  about: 'run several strategies in one process, each with its own account and state, and limits over all of them',
  args: [argument('[file]', 'the fleet file: its runs, and the limits over all of them', asText, DEFAULT_FILE)],
  options: [
    option('--for <time>', 'stop all runs after 20s, 5m or 2h (default: run until Ctrl-C)', durationOf),
    option('--live', 'let the runs with live: true in the file trade real money'),
    START_TIMEOUT,
    option('--state <dir>', 'folder of the state directories of the runs (default: .bot)'),
    option('--ui [port]', 'show all runs on a web page of this machine, and print its link; without a port a free one', portOf),
    option('--ui-control', 'allow the page to stop a run, or to let it only close positions'),
    option('--metrics [port]', 'serve metrics of all runs for Prometheus on this machine; without a port a free one', portOf),
    SETTINGS.notify,
    option('--json', 'one JSON object per line on standard output, with the field member; logs on standard error'),
  ],
  notes: FLEET_NOTES,
  runsLong: 'trades',
});
export type FleetFlags = FlagsOf<typeof FLEET>;
