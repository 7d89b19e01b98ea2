// The options of `bot replay`.
import { docsFile } from '../../../base/package.ts';
import { argument, defineCommand, type FlagsOf, option } from '../../declared.ts';

const REPLAY_NOTES = `
The recorded events of each turn are given to the same strategy, with the parameters, limits and seed of the run. Nothing is sent anywhere.
${docsFile('parity.md')} says what the result means.
Exit codes: 0 all turns are equal; 1 a turn differs; 2 the input is wrong.`;

export const REPLAY = defineCommand({
  name: 'replay',
  about: 'decide the recorded turns of a run again, and show the first one that differs',
  args: [argument('[run]', 'name of the run, or its state directory (default: the only live run, else the newest)')],
  options: [
    option('--state <dir>', 'state directory of the run'),
    option('--strategy <name|path>', 'use this strategy instead of the recorded one'),
    option('--json', 'one JSON object on standard output'),
  ],
  notes: REPLAY_NOTES,
});
export type ReplayFlags = FlagsOf<typeof REPLAY>;
