// The options of `bot ui`.
import { COMMAND, PROGRAM } from '../../../base/package.ts';
import { argument, defineCommand, type FlagsOf, option } from '../../declared.ts';
import { portOf } from '../../values.ts';

const NOTES = `
It prints a link that opens once, within ten minutes, and serves the page until Ctrl-C, on 127.0.0.1 alone. A live run is shown from its
recording, about two seconds later; a run that has ended is replayed, with a slider. \`${COMMAND} run --ui\` shows a run without that delay.
The page can change nothing; with --control it can set the kill switch, which only \`${PROGRAM} resume\` releases.`;

export const UI = defineCommand({
  name: 'ui',
  about: 'show a run, all runs of this machine, or a recording on a web page of this machine',
  args: [argument('[run]', 'name of the run (default: a list of all runs)')],
  options: [
    option('--state <dir>', 'state directory of the run'),
    option('--recording <file>', 'replay a recording of turns (turns-….jsonl.gz of a state directory)'),
    option('--port <n>', 'port of the page (default: a free port)', portOf),
    option('--control', 'allow the page to stop runs, or to let them only close positions'),
    option('--json', 'print the link as a JSON line'),
  ],
  notes: NOTES,
});
export type UiFlags = FlagsOf<typeof UI>;

export const UI_LINK = defineCommand({
  name: 'link',
  about: 'print another link for a page that is served now: by a run with --ui, a fleet, or bot ui',
  args: [argument('[run]', 'name of the run that the page shows, or fleet-NAME (default: the only page)')],
  options: [option('--port <n>', 'port of the page', portOf), option('--json', 'print the link as a JSON line')],
});
export type LinkFlags = FlagsOf<typeof UI_LINK>;
