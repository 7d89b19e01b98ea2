// The options of `bot sweep`.
import { type Command, Option } from 'commander';
import { COMMAND } from '../../../base/package.ts';
import { OBJECTIVES } from '../../../research/sweep/objective.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { choiceOf, collect, countOf, walkOf } from '../../values.ts';
import { addBacktestOptions } from '../backtest/command.ts';
import type { SweepFlags } from './plan.ts';

export function addSweep(program: Command, host: Host, setExitCode: SetExitCode): void {
  const command = program
    .command('sweep')
    .description('backtest a strategy with many parameters on all cores, and say whether the best of them means anything')
    .usage('--strategy NAME|PATH --tape FILE --param NAME=FROM:TO:STEP [options]')
    .requiredOption(
      '--param <name=values...>',
      'a parameter and its values: spacingBps=2:20:2 or levels=3,5,8; every combination is a point',
      collect,
    )
    .option('--sample <n>', 'run so many points, spread evenly, if there are more combinations', countOf('--sample'))
    .option(
      '--objective <name>',
      `what the best point has most of: ${OBJECTIVES.join(', ')} (PnL over drawdown)`,
      choiceOf('--objective', OBJECTIVES),
      'sharpe',
    )
    .option('--walk <train/test>', 'also choose in one window and measure in the next, as in 20d/5d', walkOf)
    .option('--workers <n>', 'processes (default: one a core)', countOf('--workers'))
    .option('--store <file.sqlite>', 'where results are kept, and found again by the next sweep', '.bot/sweeps.sqlite')
    .option('--skip-invalid', 'leave out points that the strategy does not accept, and run the others');
  addBacktestOptions(command);
  command
    .addOption(new Option('--json', 'one JSON object a line on standard output'))
    .addHelpText('after', SWEEP_NOTES)
    .action((flags: SweepFlags) => setExitCode(import('./sweep.ts').then(({ sweep }) => sweep(flags, host))));
}

const SWEEP_NOTES = `
Each point is one \`${COMMAND} backtest\` with the same options. Results are kept: the same sweep again, or after Ctrl-C, runs only what is missing.
The first line of the result is the verdict. docs/sweeps.md says what its numbers mean.
Exit codes: 0 done, whatever the verdict; 1 stopped before the end, or a backtest came to two results; 2 the input is wrong.`;
