// The command that puts a strategy, and the whole bot with it, to the test.
import type { Command } from 'commander';
import { PROFILES } from '../simulation/plan/options.ts';
import type { TortureFlags } from './commands/torture/torture.ts';
import type { Ends } from './exit-codes.ts';
import type { Host } from './host.ts';
import { choiceOf, wrongValue } from './values.ts';

export function addTorture(program: Command, host: Host, ends: Ends): void {
  program
    .command('torture')
    .description('a strategy, yours or a built-in one, under simulated faults of network, exchange, disk and process')
    .option(
      '--strategy <name|path>',
      'a built-in strategy, or a path to a .ts or .js file of yours (default: grid; in some seeds of swarm and rollback one that trades a spot market)',
    )
    .option('--seeds <n>', 'how many different runs', countOf, 1)
    .option('--profile <name>', `${PROFILES.join(', ')}: see below`, choiceOf('--profile', PROFILES), 'swarm')
    .option('--seed <text>', 'the first seed; with --seeds 1 the only one')
    .option('--capsule <file>', 'a failure that was kept, once more')
    .option('--out <dir>', 'where failures are kept', '.bot/capsules')
    .option('--json', 'the figures as one JSON object')
    .addHelpText('after', NOTES)
    .action((flags: TortureFlags) => ends(import('./commands/torture/torture.ts').then(({ torture }) => torture(flags, host))));
}

const NOTES = `
calm: nothing goes wrong. smoke: a few faults, every run made twice and compared. swarm: many, of kinds that the seed chooses.
rollback: the same, and the exchange forgets what it has confirmed, which no bot can always set right. crash: the process dies at every single
call to network and disk, and each question of a start fails in every way, one run each. The same seed gives the same run, whatever machine it is made on.
A violation is cut down to the faults that it needs, told with its seed, and kept as a file. Exit codes: 0 none, 1 a violation, 2 the input is wrong.`;

function countOf(text: string): number {
  const count = Number(text);
  if (!/^\d{1,7}$/.test(text) || count === 0)
    throw wrongValue(`--seeds ${text} is no number of runs`, 'a whole number above zero, as in --seeds 100');
  return count;
}
