// The options of `bot compare`.
import type { Command } from 'commander';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import type { CompareFlags } from './compare.ts';

export function addCompare(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('compare')
    .description('show runs and backtests side by side')
    .argument('<runs...>', 'two or more: names or state directories of runs, or reports of backtests (.html or .json)')
    .option('--report <file.html>', 'write a page with all figures and the returns in one chart')
    .option('--json', 'one JSON object on standard output')
    .action((runs: readonly string[], flags: CompareFlags) =>
      setExitCode(import('./compare.ts').then(({ compare }) => compare(runs, flags, host))),
    );
}
