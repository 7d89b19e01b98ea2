// The commands for whoever looks after a run: is it well, why does it do what it does, stop it, let it go on.
import { type Command, Option } from 'commander';
import { PROGRAM } from '../base/package.ts';
import type { DoctorFlags } from './commands/doctor/doctor.ts';
import type { KillFlags } from './commands/operate/kill.ts';
import type { ResumeFlags } from './commands/operate/resume.ts';
import type { WatchdogFlags } from './commands/operate/watchdog.ts';
import type { WhyFlags } from './commands/operate/why.ts';
import type { Ends } from './exit-codes.ts';
import type { Host } from './host.ts';
import { accountIdOf, choiceOf, durationOf } from './values.ts';

const STATE = ['--state <dir>', 'the state directory of the run; .bot/<run name> unless told'] as const;
const STATE_ALONE = ['--state <dir>', 'the state directory of the run; of the only living one unless told, else of the newest'] as const;
const JSON_LINES = ['--json', 'one JSON object a line'] as const;

export function addOperations(program: Command, host: Host, ends: Ends): void {
  addStops(program, host, ends);
  addLooks(program, host, ends);
  program
    .command('doctor')
    .description('is everything well: one line each, and what to do where it is not')
    .option(
      '--exchange <kind>',
      'hosted, or local; what the run of --state trades on unless told',
      choiceOf('--exchange', ['hosted', 'local']),
    )
    .option(
      '--url <url>',
      'of the exchange, or of the local process; as the run of --state says unless told; without both the embedded exchange is tried',
    )
    .option('--key <file>', 'your key file')
    .option('--state <dir>', 'the state directory of the run; of each living one unless told, else of the newest')
    .option(...JSON_LINES)
    .action((flags: DoctorFlags) => ends(import('./commands/doctor/doctor.ts').then(({ doctor }) => doctor(flags, host))));
}

function addStops(program: Command, host: Host, ends: Ends): void {
  program
    .command('kill')
    .description('stop opening and cancel everything, from any terminal, also when the bot hangs or is dead')
    .argument('[run]', 'its name; the only living run unless told')
    .option(...STATE)
    .option('--for <time>', 'how long to try to prove the account empty (default: 5m)', durationOf('--for'))
    .option('--exchange <kind>', 'hosted, or local; as the run wrote it down unless told', choiceOf('--exchange', ['hosted', 'local']))
    .option('--url <url>', 'of the exchange or the local process; as the run wrote it down unless told')
    .option('--account <id>', "which of the user's accounts; as the run wrote it down unless told", accountIdOf)
    .option('--key <file>', "your key file, where it is another by now, or where the run's facts are gone")
    .option('--schema <source>', 'bundled, remote, or a .proto file; as the run wrote it down unless told')
    .option(...JSON_LINES)
    .addHelpText('after', KILL_NOTES)
    .action((run: string | undefined, flags: KillFlags) =>
      ends(import('./commands/operate/kill.ts').then(({ kill }) => kill(run, flags, host))),
    );
  program
    .command('resume')
    .description(`let a run trade again that was stopped by ${PROGRAM} kill, by its watchdog or by itself`)
    .argument('[run]', 'its name; the only living run unless told, else the newest')
    .option(...STATE)
    .option('--yes <name>', 'the name of the run, where nobody is there to type it')
    .action((run: string | undefined, flags: ResumeFlags) =>
      ends(import('./commands/operate/resume.ts').then(({ resume }) => resume(run, flags, host))),
    );
  program
    .command('watchdog', { hidden: true })
    .option(...STATE)
    .addOption(new Option('--silence <time>').argParser(durationOf('--silence')))
    .action((flags: WatchdogFlags) => ends(import('./commands/operate/watchdog.ts').then(({ watchdog }) => watchdog(flags, host))));
}

const KILL_NOTES = `
It cancels all orders of the account, those that the run did not place too, and says how many of them there were. It has done its work when
the account is proved empty: every order without an answer is dead by the exchange's own time, and two later looks show no order. Where facts, journal
or key of the run are broken or gone, it uses what is left, says what it could not prove, and takes --exchange, --url, --account, --key and --schema.
Exit codes: 0 proved empty, 1 not in time, 2 the input is wrong.`;

function addLooks(program: Command, host: Host, ends: Ends): void {
  program
    .command('why')
    .description('the life of one order: who wanted it, what the guards said, what left, what came back')
    .argument('<order>', 'its client order id or order id, or how one of them begins or ends')
    .option(...STATE_ALONE)
    .option(...JSON_LINES)
    .action((order: string, flags: WhyFlags) => ends(import('./commands/operate/why.ts').then(({ why }) => why(order, flags, host))));
  program
    .command('why-not')
    .description('what is being held back now, and by which guard')
    .option(...STATE_ALONE)
    .option(...JSON_LINES)
    .action((flags: WhyFlags) => ends(import('./commands/operate/why.ts').then(({ whyNot }) => whyNot(flags, host))));
}
