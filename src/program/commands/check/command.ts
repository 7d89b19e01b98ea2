// The options of `bot check`.
import type { Command } from 'commander';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { collect } from '../../values.ts';
import type { AdapterFlags } from './adapter.ts';
import type { CheckFlags } from './check.ts';

export function addCheck(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('check')
    .description(
      'check whether a strategy is fit to trade, or the adapter of an exchange: a page of verdicts, each with the command that repeats it',
    )
    .argument('[strategy]', 'a built-in strategy, or the path of a .ts or .js file (default: that of --config)')
    .option('--exchange <path|package>', 'check this adapter of an exchange, against the fake of its author')
    .option('--fake <file>', 'with --exchange: the fake (default: venue.fake.ts beside venue.ts)')
    .option('--tape <file...>', 'check on tapes, one per market, in place of a recording of the embedded exchange', collect)
    .option('--config <file>', 'parameters and limits (default for a built-in strategy: config/<strategy>.yaml)')
    .option('--set <path=value...>', 'override values of the configuration, as in params.levels=5', collect)
    .option('--input <name=file...>', 'values of an input of the strategy: lines {"at":…,"value":…}, as for backtest', collect)
    .option('--only <name...>', 'only these checks; with --exchange by name or number', collect)
    .option('--seed <text>', 'seed of all randomness', 'check')
    .option('--json', 'one JSON object per line')
    .addHelpText('after', CHECK_NOTES)
    .action((strategy: string | undefined, { exchange, ...flags }: CheckFlags & Partial<AdapterFlags>) =>
      setExitCode(
        exchange === undefined
          ? import('./check.ts').then(({ check }) => check(strategy, flags, host))
          : import('./adapter.ts').then(({ checkAdapter }) => checkAdapter({ strategy, ...flags, exchange }, host)),
      ),
    );
}

const CHECK_NOTES = `
determinism: the same seed gives the same actions. restart: a new instance returns the same intents for the same view. warm-up: how long a new
instance needs until it does. look-ahead: later data does not change earlier decisions. parameters: no error at a tenth and at ten times of each, within its range.
inputs: no error if an input fails, is late or has a wrong value. markets: gaps, a crash, a spike, one-sided and thin books, stuck data, funding, maintenance.
random-walk: no profit on random walks, where a profit would mean a mistake.
simulation: faults of network, exchange, disk and process. cost: microseconds per turn.
It uses the first hour of a tape, or its first 2,000 candles.
With --exchange: the numbered checks of an adapter (docs/adapter-checks.md lists them), each with the loss that it prevents; a check that does not apply says
what it needs.
Exit codes: 0 no check failed, 1 a check failed, 2 the input is wrong.`;
