// The options of `bot calibrate`.
import { docsFile } from '../../../base/package.ts';
import { argument, asText, defineCommand, type FlagsOf, needed, option } from '../../declared.ts';

const CALIBRATE_NOTES = `
It fits the volatility, the rate and the size of takers, the money at the best price and behind it, how much the book changes, and the distance from the
index. The table compares the fitted market with the tape. ${docsFile('backtest-assumptions.md')} describes the file.
Exit codes: 0 done; 2 the input is wrong, or the tape is too short, or has no book or no trades.`;

export const CALIBRATE = defineCommand({
  name: 'calibrate',
  about: 'fit the embedded market to a recording, and write a market file for --market of run, exchange, backtest and record',
  args: [argument('<tape>')],
  options: [
    needed('--out <file>', 'the market file, in YAML; an existing file is left as it is'),
    option('--seed <text>', 'seed of the simulated markets, which are compared with the tape', asText, 'calibrate'),
    option('--json', 'one JSON object'),
  ],
  notes: CALIBRATE_NOTES,
});
export type CalibrateFlags = FlagsOf<typeof CALIBRATE>;
