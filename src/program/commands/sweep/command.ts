// The options of `bot sweep` and of `bot sweep worker`.
import { type Command, Option } from 'commander';
import type { UserError } from '../../../base/errors.ts';
import { COMMAND, docsFile, PROGRAM } from '../../../base/package.ts';
import { OBJECTIVES } from '../../../research/sweep/objective.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { choiceOf, collect, countOf, durationOf, walkOf, wrongValue } from '../../values.ts';
import { addBacktestOptions } from '../backtest/command.ts';
import type { SweepFlags } from './plan.ts';
import { bytesOf, indexOf } from './values.ts';
import type { WorkerFlags } from './worker.ts';

/** `--queue` is the model of the order queue, or the address of a queue of jobs. */
type Typed<Flags> = Omit<Flags, 'queue' | 'jobs'> & { readonly queue?: readonly string[] };

export function addSweep(program: Command, host: Host, setExitCode: SetExitCode): void {
  const command = program
    .command('sweep')
    .description('backtest a strategy with many parameters on all cores, and test whether the best result is better than chance')
    .usage('--strategy NAME|PATH --tape FILE --param NAME=FROM:TO:STEP [options]')
    .enablePositionalOptions();
  addPointOptions(command)
    .option('--zoom', 'with --sample: use most points near the best ones, in three rounds, and choose the middle of the best five')
    .option('--walk <train/test>', 'also walk forward: choose in a training window, measure in the next test window, as in 20d/5d', walkOf)
    .option(
      '--purge <time>',
      'time to omit at the end of each training window; should be as long as a position is held',
      durationOf('--purge'),
    )
    .option('--embargo <time>', 'more time to omit there', durationOf('--embargo'))
    .option('--workers <n>', 'processes (default: one per core)', countOf('--workers'))
    .option(
      '--report <file.html>',
      'also write the result as a page: the verdict, a heat map, each parameter against the result, the folds',
    )
    .option('--merge <file.sqlite...>', 'first import the results of these stores, for example of workers with --index', collect)
    .option('--json', 'one JSON object per line on standard output')
    .addHelpText('after', SWEEP_NOTES)
    .action((typed: Typed<SweepFlags>) => {
      requireOptions(command, ['--param', '--tape']);
      return setExitCode(import('./sweep.ts').then(({ sweep }) => sweep(withQueue(typed), host)));
    });
  addWorker(command, host, setExitCode);
}

/** Adds the options that determine the points and their results. */
function addPointOptions(command: Command): Command {
  command
    .option(
      '--param <name=values...>',
      'a parameter and its values: spacingBps=2:20:2 or levels=3,5,8; every combination is a point',
      collect,
    )
    .option('--sample <n>', 'run only this many points, spread evenly, if there are more combinations', countOf('--sample'))
    .option(
      '--objective <name>',
      `figure by which the best point is chosen: ${OBJECTIVES.join(', ')} (PnL over drawdown)`,
      choiceOf('--objective', OBJECTIVES),
      'sharpe',
    )
    .option('--store <file.sqlite>', 'file that keeps the results, which later sweeps reuse', '.bot/sweeps.sqlite')
    .option('--days', 'run a separate backtest for each day (default for recordings, not for candles)')
    .option('--no-days', 'run all days as one backtest')
    .option('--skip-invalid', 'skip points that the strategy does not accept, and run the others');
  addBacktestOptions(command);
  const queue = command.options.find(({ long }) => long === '--queue');
  queue?.argParser(collect);
  if (queue !== undefined)
    queue.description =
      'queue model: conservative, probabilistic[:POWER] or exact (default: conservative); or redis://…, a queue whose workers run the points';
  return command;
}

/** Throws the same error as commander for a missing option. */
function requireOptions(command: Command, names: readonly string[]): void {
  const [missing] = names.flatMap((name) =>
    command.options.filter((option) => option.long === name && command.getOptionValue(option.attributeName()) === undefined),
  );
  if (missing !== undefined)
    command.error(`error: required option '${missing.flags}' not specified`, { code: 'commander.missingMandatoryOptionValue' });
}

const isAddress = (text: string): boolean => /^rediss?:\/\//.test(text);

/** Throws a UserError if there are two addresses or two models. */
function withQueue<Flags>({ queue: given = [], ...flags }: Typed<Flags>): Flags {
  const [jobs, secondAddress] = given.filter(isAddress);
  const [model, secondModel] = given.filter((text) => !isAddress(text));
  const twice = secondAddress ?? secondModel;
  if (twice !== undefined) throw wrongValue(`--queue ${twice} is one too many`, 'give at most one address and one queue model');
  return { ...flags, queue: model, jobs } as Flags;
}

function addWorker(sweep: Command, host: Host, setExitCode: SetExitCode): void {
  const command = sweep
    .command('worker')
    .description('run points of sweeps that were started on this or another machine')
    .usage(`--queue URL --tapes FOLDER|URL [options]\n       ${PROGRAM} sweep worker --index N --of M [options of the sweep]`);
  addPointOptions(command)
    .option('--tapes <place>', 'place of the tapes, with a queue: a folder, http://…, https://…, or s3://BUCKET/PREFIX')
    .option('--strategies <folder>', 'with a queue: jobs may name only strategy files below this folder', '.')
    .option('--cache <folder>', 'folder for downloaded tapes', '.bot/tapes')
    .addOption(
      new Option('--cache-size <size>', 'maximum size of the cache; the least recently used tapes are removed')
        .argParser(bytesOf('--cache-size'))
        .default(20_000_000_000, '20GB'),
    )
    .addOption(
      new Option('--lease <time>', 'time without a heartbeat of a worker after which its job is given to another worker')
        .argParser(durationOf('--lease'))
        .default(60_000, '60s'),
    )
    .option(
      '--index <n>',
      'without a queue: run every M-th point of a sweep, beginning with this one (default: $JOB_COMPLETION_INDEX)',
      indexOf('--index'),
    )
    .option('--of <m>', 'number of workers with --index', countOf('--of'))
    .option('--workers <n>', 'jobs at a time (default: one per core)', countOf('--workers'))
    .option('--json', 'one JSON object per line on standard output')
    .addHelpText('after', WORKER_NOTES)
    .action((typed: Typed<WorkerFlags>) => {
      const flags = withQueue<WorkerFlags>(typed);
      if (flags.jobs === undefined && flags.index === undefined && flags.of === undefined) throw noWork();
      requireOptions(command, flags.jobs === undefined ? ['--of', '--param', '--tape'] : ['--tapes']);
      return setExitCode(import('./worker.ts').then(({ worker }) => worker(flags, host)));
    });
}

const noWork = (): UserError =>
  wrongValue(
    'neither a queue nor a part of a sweep was given',
    'give --queue redis://HOST:PORT with --tapes, or --index N --of M with the options of the sweep',
  );

const WORKER_NOTES = `
With --queue redis://… it takes the points of all sweeps that were started with the same --queue. Tapes are found by their content: in a folder under any
name, elsewhere as HASH.tape (${PROGRAM} tape info prints the hash). The program and the strategy's file must be the same as where the sweep was started;
the file must be below --strategies. A job that is wrong or differs is reported, and is not run; the worker goes on.
With --index and --of it needs no queue: give it the options of the sweep, and a --store of its own; then merge the stores: ${PROGRAM} sweep … --merge FILE ...
Exit codes: 0 done, 1 stopped before the end, 2 the input is wrong.`;

const SWEEP_NOTES = `
Each point is one \`${COMMAND} backtest\` with the same options. Results are kept: the same sweep, also after Ctrl-C, runs only the missing points.
The first line of the result is the verdict. ${docsFile('sweeps.md')} explains the numbers, and how to use many machines.
Exit codes: 0 done, whatever the verdict; 1 stopped before the end, or two runs of one backtest gave different results; 2 the input is wrong.`;
