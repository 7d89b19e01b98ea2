// The options of `bot sweep` and of `bot sweep worker`.
import type { Command } from 'commander';
import { COMMAND, docsFile, PROGRAM } from '../../../base/package.ts';
import { OBJECTIVES } from '../../../research/sweep/objective.ts';
import { asText, defineCommand, type FlagsOf, option } from '../../declared.ts';
import { choiceOf, countOf, durationOf, MAX_COUNT, reading, walkOf, wholeNumberIn, wrongValue } from '../../values.ts';
import { backtestOptions } from '../backtest/command.ts';

/** Parses a whole number from 0. */
const indexOf = reading('a whole number', 'write for example 0', (text) => wholeNumberIn(text, 0, MAX_COUNT));

const BYTES_OF_UNIT: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };

/** Parses a size such as `500MB` or `20GB` into bytes. */
const bytesOf = reading('a size', 'write 500MB, 20GB or 1TB', (text) => {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([A-Z]{2})$/.exec(text) ?? [];
  const bytes = Number(amount) * (BYTES_OF_UNIT[unit] ?? Number.NaN);
  return bytes > 0 ? bytes : undefined;
});

/** The options that determine the points and their results. */
const POINT_OPTIONS = [
  option('--param <name=values...>', 'a parameter and its values: spacingBps=2:20:2 or levels=3,5,8; every combination is a point'),
  option('--sample <n>', 'run only this many points, spread evenly, if there are more combinations', countOf),
  option(
    '--objective <name>',
    `figure by which the best point is chosen: ${OBJECTIVES.join(', ')} (profit over drawdown)`,
    choiceOf(OBJECTIVES),
    'sharpe',
  ),
  option('--store <file.sqlite>', 'file that keeps the results, which later sweeps reuse', asText, '.bot/sweeps.sqlite'),
  option('--days', 'run a separate backtest for each day (default for recordings, not for candles)'),
  option('--no-days', 'run all days as one backtest'),
  option('--skip-invalid', 'skip points that the strategy does not accept, and run the others'),
  ...backtestOptions(
    option(
      '--queue <model>',
      'queue model: conservative, probabilistic[:POWER] or exact (default: conservative); or redis://…, a queue whose workers run the points',
      (typed, _, before: readonly string[] = []): readonly string[] => [...before, typed],
    ),
  ),
] as const;
const JSON_OUT = option('--json', 'one JSON object per line on standard output');

const SWEEP_NOTES = `
Each point is one \`${COMMAND} backtest\` with the same options. Results are kept: the same sweep, also after Ctrl-C, runs only the missing points.
The first line of the result is the verdict. ${docsFile('sweeps.md')} explains the numbers, and how to use many machines.
Exit codes: 0 done, whatever the verdict; 1 stopped before the end, or two runs of one backtest gave different results; 2 the input is wrong.`;

export const SWEEP = defineCommand({
  name: 'sweep',
  about: 'backtest a strategy with many parameters on all cores, and test whether the best result is better than chance',
  usage: '--strategy NAME|PATH --tape FILE --param NAME=FROM:TO:STEP [options]',
  options: [
    ...POINT_OPTIONS,
    option('--zoom', 'with --sample: use most points near the best ones, in three rounds, and choose the middle of the best five'),
    option('--walk <train/test>', 'also walk forward: choose in a training window, measure in the next test window, as in 20d/5d', walkOf),
    option('--purge <time>', 'time to omit at the end of each training window; should be as long as a position is held', durationOf),
    option('--embargo <time>', 'extra time to omit at the end of each training window', durationOf),
    option('--workers <n>', 'processes (default: one per core)', countOf),
    option(
      '--report <file.html>',
      'also write the result as a page: the verdict, a heat map, each parameter against the result, the folds',
    ),
    option('--merge <file.sqlite...>', 'first import the results of these stores, for example of workers with --index'),
    JSON_OUT,
  ],
  notes: SWEEP_NOTES,
  check: (command) => requireOptions(command, ['--param', '--tape']),
});

const WORKER_NOTES = `
With --queue redis://… it takes the points of all sweeps that were started with the same --queue. Tapes are found by their hash
(${PROGRAM} tape info prints it): in a folder their names do not matter; at a URL or in S3 the file is HASH.tape. The program and the strategy's file must
be the same as where the sweep was started; the file must be below --strategies. A job that is invalid, or whose program or strategy differs, is
reported, and is not run; the worker goes on.
With --index and --of it needs no queue: give it the options of the sweep, and a --store of its own; then merge the stores: ${PROGRAM} sweep … --merge FILE ...
Exit codes: 0 done, 1 stopped before the end, 2 the input is wrong.`;

export const WORKER = defineCommand({
  name: 'worker',
  about: 'run points of sweeps that were started on this or another machine',
  usage: `--queue URL --tapes FOLDER|URL [options]\n       ${PROGRAM} sweep worker --index N --of M [options of the sweep]`,
  options: [
    ...POINT_OPTIONS,
    option('--tapes <place>', 'place of the tapes, with a queue: a folder, http://…, https://…, or s3://BUCKET/PREFIX'),
    option('--strategies <folder>', 'with a queue: jobs may name only strategy files below this folder', asText, '.'),
    option('--cache <folder>', 'folder for downloaded tapes', asText, '.bot/tapes'),
    option('--cache-size <size>', 'maximum size of the cache; the least recently used tapes are removed', bytesOf, 20_000_000_000, '20GB'),
    option(
      '--lease <time>',
      'time without a heartbeat of a worker after which its job is given to another worker',
      durationOf,
      60_000,
      '60s',
    ),
    option(
      '--index <n>',
      'without a queue: run every M-th point of a sweep, beginning with this one (default: $JOB_COMPLETION_INDEX)',
      indexOf,
    ),
    option('--of <m>', 'number of workers with --index', countOf),
    option('--workers <n>', 'jobs at a time (default: one per core)', countOf),
    JSON_OUT,
  ],
  notes: WORKER_NOTES,
  check(command, flags) {
    const { queueUrl } = checkedFlags(flags);
    if (queueUrl === undefined && flags.index === undefined && flags.of === undefined)
      throw wrongValue(
        'neither a queue nor a part of a sweep was given',
        'give --queue redis://HOST:PORT with --tapes, or --index N --of M with the options of the sweep',
      );
    requireOptions(command, queueUrl === undefined ? ['--of', '--param', '--tape'] : ['--tapes']);
  },
});

/** Throws an error for the first missing option, the same as commander does. */
function requireOptions(command: Command, names: readonly string[]): void {
  const [missing] = names.flatMap((name) =>
    command.options.filter((option) => option.long === name && command.getOptionValue(option.attributeName()) === undefined),
  );
  if (missing !== undefined)
    command.error(`error: required option '${missing.flags}' not specified`, { code: 'commander.missingMandatoryOptionValue' });
}

const isAddress = (text: string): boolean => /^rediss?:\/\//.test(text);

type TypedFlags = FlagsOf<typeof SWEEP>;
type TypedWorkerFlags = FlagsOf<typeof WORKER>;

/** The options after their check. `queue` is the model of the order queue, and `queueUrl` the address of a queue whose workers run the points. */
type CheckedFlags<F extends Pick<TypedFlags, 'queue' | 'param' | 'tape'>> = Omit<F, 'queue' | 'param' | 'tape' | 'days'> &
  Required<Pick<F, 'param' | 'tape'>> & {
    readonly days?: boolean;
    readonly queue?: string | undefined;
    readonly queueUrl?: string | undefined;
  };
export type SweepFlags = CheckedFlags<TypedFlags>;
export type WorkerFlags = CheckedFlags<TypedWorkerFlags>;

/**
 * Returns the options that `check` has accepted. `--queue` is a queue model or an address; throws a UserError if two addresses or two models
 * are given. */
export function checkedFlags<F extends TypedFlags | TypedWorkerFlags>({ queue: queues = [], ...flags }: F): CheckedFlags<F> {
  const [queueUrl, secondAddress] = queues.filter(isAddress);
  const [queue, secondModel] = queues.filter((text) => !isAddress(text));
  const twice = secondAddress ?? secondModel;
  if (twice !== undefined) throw wrongValue(`--queue ${twice} is one too many`, 'give at most one address and one queue model');
  return { ...flags, queue, queueUrl } as unknown as CheckedFlags<F>;
}
