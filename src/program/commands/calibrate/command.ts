// The options of `bot calibrate`.

import type { Command } from 'commander';
import { docsFile } from '../../../base/package.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import type { CalibrateFlags } from './calibrate.ts';

export function addCalibrate(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('calibrate')
    .description('fit the embedded market to a recording, and write a market file for --market of run, exchange, backtest and record')
    .argument('<tape>')
    .requiredOption('--out <file>', 'the market file, in YAML; an existing file is left as it is')
    .option('--seed <text>', 'seed of the simulated markets, which are compared with the tape', 'calibrate')
    .option('--json', 'one JSON object')
    .addHelpText('after', CALIBRATE_NOTES)
    .action((tape: string, flags: CalibrateFlags) =>
      setExitCode(import('./calibrate.ts').then(({ calibrate }) => calibrate(tape, flags, host))),
    );
}

const CALIBRATE_NOTES = `
It fits the volatility, the rate and the size of takers, the money at the best price and behind it, how much the book changes, and the distance from the
index. The table compares the fitted market with the tape. ${docsFile('backtest-assumptions.md')} describes the file.
Exit codes: 0 done; 2 the input is wrong, or the tape is too short, or has no book or no trades.`;
