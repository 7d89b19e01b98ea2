// The options of the commands that operate runs: kill, flatten, resume, watchdog, why, why-not, status, logs, clean.
import { PROGRAM } from '../../../base/package.ts';
import { orWords } from '../../../base/text/phrases.ts';
import { JSON_LINES, SETTINGS, STATE, withDefault } from '../../common-options.ts';
import { argument, defineCommand, type FlagsOf, option } from '../../declared.ts';
import type { Host } from '../../host.ts';
import { accountIdOf, countOf, durationOf, exchangeNameOf } from '../../values.ts';

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

const RUN = argument('[run]', 'name of the run (default: the only live run, else the newest)');

export const killCommand = ({ venues: { realNames: real } }: Host) =>
  defineCommand({
    name: 'kill',
    about: 'stop trading and cancel all orders of the account, from any terminal, even if the bot hangs or is dead',
    args: [argument('[run]', 'name of the run (default: the only live run)')],
    options: [
      STATE,
      option('--for <time>', 'how long to try to prove that no order is left (default: 5m)', durationOf),
      option('--exchange <kind>', `${orWords(real)} (default: as the run recorded it)`, exchangeNameOf(real)),
      option('--url <url>', 'address of the exchange or of the local process (default: as the run recorded it)'),
      option('--account <id>', 'account id (default: as the run recorded it)', accountIdOf),
      option('--key <file>', "your key file, if it has moved or the run's facts.json is lost"),
      option('--schema <source>', 'bundled, remote, or a .proto file (default: as the run recorded it)'),
      JSON_LINES,
    ],
    notes: KILL_NOTES,
  });
export type KillFlags = FlagsOf<ReturnType<typeof killCommand>>;

export const FLATTEN = defineCommand({
  name: 'flatten',
  about: 'cancel the orders of a run and close what it holds; the run opens nothing more',
  args: [argument('[run]', 'name of the run (default: the only live run)')],
  options: [STATE, option('--for <time>', 'how long to wait until nothing is held (default: 5m)', durationOf), JSON_LINES],
  notes: FLATTEN_NOTES,
});
export type FlattenFlags = FlagsOf<typeof FLATTEN>;

export const RESUME = defineCommand({
  name: 'resume',
  about: `let a run trade again after ${PROGRAM} kill, its watchdog or the run itself stopped it`,
  args: [RUN],
  options: [STATE, option('--yes <name>', 'confirm with the name of the run, for scripts')],
});
export type ResumeFlags = FlagsOf<typeof RESUME>;

export const WATCHDOG = defineCommand({
  name: 'watchdog',
  options: [STATE, option('--silence <time>', '', durationOf)],
});
export type WatchdogFlags = FlagsOf<typeof WATCHDOG>;

export const CLEAN = defineCommand({
  name: 'clean',
  about: 'remove ended runs of the embedded exchange and recordings that are past their retention',
  options: [
    withDefault(SETTINGS.runs),
    withDefault(SETTINGS.recordings),
    option('--dry-run', 'list everything that would be removed, and remove nothing'),
    JSON_LINES,
  ],
  notes: CLEAN_NOTES,
});
export type CleanFlags = FlagsOf<typeof CLEAN>;

const STATUS_NOTES = `
profit ("pnl" with --json) counts positions at the mark price. equity, with --json, is the worth that the exchange states: the hosted and the
embedded exchange count it at the index price, so the two need not move together. Below the runs stands what the data of a paper run on ccxt:NAME is worth.`;

export const STATUS = defineCommand({
  name: 'status',
  about: 'list the runs of this machine that live, one line each: process, mode, position, profit, account, orders',
  options: [option('--all', 'also those that have ended, with how; without a terminal they are always listed'), JSON_LINES],
  notes: STATUS_NOTES,
});
export type StatusFlags = FlagsOf<typeof STATUS>;

export const LOGS = defineCommand({
  name: 'logs',
  about: 'print the events of a run: orders, fills, findings, alarms, the log of its strategy',
  args: [RUN],
  options: [
    STATE,
    option('--lines <n>', 'how many of the latest lines', countOf, 50),
    option('--follow', 'follow new lines until the run ends'),
    JSON_LINES,
  ],
});
export type LogsFlags = FlagsOf<typeof LOGS>;

export const WHY = defineCommand({
  name: 'why',
  about: 'print the history of one order: intent, guards, bytes sent, answers, fills',
  args: [
    argument('<order>', 'its client order id or order id, or the beginning or end of one; its price, for the newest order there; or: last'),
    RUN,
  ],
  options: [STATE, JSON_LINES],
});
export type WhyFlags = FlagsOf<typeof WHY>;

export const WHY_NOT = defineCommand({
  name: 'why-not',
  about: 'print what the bot holds back now, and which guard or gate does it',
  args: [RUN],
  options: [STATE, JSON_LINES],
});
