// The options of `bot parity`.
import { docsFile } from '../../../base/package.ts';
import { argument, defineCommand, type FlagsOf, option } from '../../declared.ts';

const PARITY_NOTES = `
It makes a tape of the data that the run received and of the results of its orders, and runs a backtest on it with the same strategy, parameters, limits
and seed and the measured latencies. Each difference has a reason; the difference in profit and loss is the sum of its causes. Nothing is sent anywhere.
${docsFile('parity.md')} says what the figures mean, and what they cannot show.
Exit codes: 0 compared, whatever the result; 2 the input is wrong.`;

export const PARITY = defineCommand({
  name: 'parity',
  about: 'compare a run with a backtest on the data that the run received, order by order and fill by fill',
  args: [argument('[run]', 'name of the run, or its state directory (default: the only live run, else the newest)')],
  options: [
    option('--state <dir>', 'state directory of the run'),
    option('--strategy <name|path>', 'the strategy, if its file has moved'),
    option('--report <file.html>', 'the comparison as a page'),
    option('--json', 'one JSON object on standard output'),
  ],
  notes: PARITY_NOTES,
});
export type ParityFlags = FlagsOf<typeof PARITY>;
