// The options of the commands that operate runs: kill, flatten, resume, watchdog, why, why-not, status, logs, clean.
import { type Command, Option } from 'commander';
import { PROGRAM } from '../../../base/package.ts';
import { orWords } from '../../../base/text/or-words.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { accountIdOf, countOf, daysOf, durationOf, exchangeNameOf } from '../../values.ts';
import type { CleanFlags } from './clean.ts';
import type { FlattenFlags } from './flatten.ts';
import type { KillFlags } from './kill.ts';
import type { LogsFlags } from './logs.ts';
import type { ResumeFlags } from './resume.ts';
import type { StatusFlags } from './status.ts';
import type { WatchdogFlags } from './watchdog.ts';
import type { WhyFlags } from './why.ts';

const STATE = ['--state <dir>', 'state directory of the run (default: .bot/<run name>)'] as const;
const RUN = ['[run]', 'name of the run (default: the only live run, else the newest)'] as const;
const JSON_LINES = ['--json', 'one JSON object per line'] as const;

export function addOperations(program: Command, host: Host, setExitCode: SetExitCode): void {
  addStops(program, host, setExitCode);
  addInspection(program, host, setExitCode);
}

function addStops(program: Command, host: Host, setExitCode: SetExitCode): void {
  const real = host.venues.realNames;
  program
    .command('kill')
    .description('stop trading and cancel all orders of the account, from any terminal, even if the bot hangs or is dead')
    .argument('[run]', 'name of the run (default: the only live run)')
    .option(...STATE)
    .option('--for <time>', 'how long to try to prove that no order is left (default: 5m)', durationOf('--for'))
    .option('--exchange <kind>', `${orWords(real)} (default: as the run recorded it)`, exchangeNameOf('--exchange', real))
    .option('--url <url>', 'address of the exchange or of the local process (default: as the run recorded it)')
    .option('--account <id>', 'account id (default: as the run recorded it)', accountIdOf)
    .option('--key <file>', "your key file, if it has moved or the run's facts.json is lost")
    .option('--schema <source>', 'bundled, remote, or a .proto file (default: as the run recorded it)')
    .option(...JSON_LINES)
    .addHelpText('after', KILL_NOTES)
    .action((run: string | undefined, flags: KillFlags) => setExitCode(import('./kill.ts').then(({ kill }) => kill(run, flags, host))));
  program
    .command('flatten')
    .description('cancel the orders of a run and close what it holds; the run opens nothing more')
    .argument('[run]', 'name of the run (default: the only live run)')
    .option(...STATE)
    .option('--for <time>', 'how long to wait until nothing is held (default: 5m)', durationOf('--for'))
    .option(...JSON_LINES)
    .addHelpText('after', FLATTEN_NOTES)
    .action((run: string | undefined, flags: FlattenFlags) =>
      setExitCode(import('./flatten.ts').then(({ flatten }) => flatten(run, flags, host))),
    );
  program
    .command('resume')
    .description(`let a run trade again after ${PROGRAM} kill, its watchdog or the run itself stopped it`)
    .argument(...RUN)
    .option(...STATE)
    .option('--yes <name>', 'confirm with the name of the run, for scripts')
    .action((run: string | undefined, flags: ResumeFlags) =>
      setExitCode(import('./resume.ts').then(({ resume }) => resume(run, flags, host))),
    );
  program
    .command('watchdog', { hidden: true })
    .option(...STATE)
    .addOption(new Option('--silence <time>').argParser(durationOf('--silence')))
    .action((flags: WatchdogFlags) => setExitCode(import('./watchdog.ts').then(({ watchdog }) => watchdog(flags, host))));
}

const KILL_NOTES = `
It cancels all orders of the account, including those that the run did not place, and prints how many those were. It ends with exit code 0 when it is
proved that no order is left: every order without an answer has expired by the exchange's own time, and two later reads of the account list no order.
If the facts, the journal or the key of the run are damaged or lost, it uses what is left, prints what it could not prove, and takes the rest from
--exchange, --url, --account, --key and --schema. Exit codes: 0 proved empty, 1 not proved in time, 2 the input is wrong.`;

const FLATTEN_NOTES = `
It sets the kill switch to flatten: the run cancels its orders, then closes each position by taking from the order book, and opens nothing more. The
command ends when the run holds nothing. While the exchange shows another position than the fills of the run explain, only what reduces both is sent;
after a minute of that it gives up and prints both. A run that has ended is not started: it closes what it holds when you start it again.
Exit codes: 0 nothing is held, 1 not in time or the run has ended, 2 the input is wrong.`;

const CLEAN_NOTES = `
It removes the state directories in .bot of runs of the embedded exchange that have ended, and recordings of turns, once they are old enough. It never
removes a journal of a run at an exchange, nor a directory that you chose with --state. Each start does the same by itself (retention in the configuration).`;

function addInspection(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('clean')
    .description('remove ended runs of the embedded exchange and recordings that are past their retention')
    .option('--runs <days>', 'age after which an ended run of the embedded exchange is removed', daysOf('--runs'), 7)
    .option('--recordings <days>', 'age after which a recording of turns is removed', daysOf('--recordings'), 30)
    .option('--dry-run', 'list everything that would be removed, and remove nothing')
    .option(...JSON_LINES)
    .addHelpText('after', CLEAN_NOTES)
    .action((flags: CleanFlags) => setExitCode(import('./clean.ts').then(({ clean }) => clean(flags, host))));
  program
    .command('status')
    .description('list the runs of this machine that live, one line each: process, mode, position, PnL, account, orders')
    .option('--all', 'also those that have ended, with how; without a terminal they are always listed')
    .option(...JSON_LINES)
    .action((flags: StatusFlags) => setExitCode(import('./status.ts').then(({ status }) => status(flags, host))));
  program
    .command('logs')
    .description('print the events of a run: orders, fills, findings, alarms, the log of its strategy')
    .argument(...RUN)
    .option(...STATE)
    .option('--lines <n>', 'how many of the latest lines', countOf('--lines'), 50)
    .option('--follow', 'follow new lines until the run ends')
    .option(...JSON_LINES)
    .action((run: string | undefined, flags: LogsFlags) => setExitCode(import('./logs.ts').then(({ logs }) => logs(run, flags, host))));
  program
    .command('why')
    .description('print the history of one order: intent, guards, bytes sent, answers, fills')
    .argument('<order>', 'its client order id or order id, or the beginning or end of one; its price, for the newest order there; or: last')
    .argument(...RUN)
    .option(...STATE)
    .option(...JSON_LINES)
    .action((order: string, run: string | undefined, flags: WhyFlags) =>
      setExitCode(import('./why.ts').then(({ why }) => why(order, { run, ...flags }, host))),
    );
  program
    .command('why-not')
    .description('print what the bot holds back now, and which guard or gate does it')
    .argument(...RUN)
    .option(...STATE)
    .option(...JSON_LINES)
    .action((run: string | undefined, flags: WhyFlags) =>
      setExitCode(import('./why.ts').then(({ whyNot }) => whyNot({ run, ...flags }, host))),
    );
}
