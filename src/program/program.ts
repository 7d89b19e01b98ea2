// The command line: registers the commands, and reports wrong use. Each command is declared in `commands/NAME/command.ts`, and `commands.ts` lists them.
import { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { COMMAND, PROGRAM, packageVersion } from '../base/package.ts';
import { holdsKey } from '../base/text/secrets.ts';
import { COMMANDS } from './commands.ts';
import { commandNames } from './declared.ts';
import { reportExcessFirst } from './excess-words.ts';
import type { ExitCode, SetExitCode } from './exit-codes.ts';
import { explain } from './failure.ts';
import type { Host } from './host.ts';
import { processHost } from './process/process-host.ts';
import type { Venues } from './venues.ts';

/** Runs one command and returns its exit code. */
export async function runProgram(argv: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = 0;
  const setExitCode: SetExitCode = (command) =>
    command.then((result) => {
      code = result;
    });
  try {
    refuseTypedKeys(argv, host.env);
    await programFor(host, setExitCode).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (thrown) {
    return explain(thrown, host);
  }
}

/**
 * Throws a UserError if an argument contains a key: arguments show in the shell history and the process list. npm passes options that it parsed
 * itself through the environment.
 */
function refuseTypedKeys(argv: readonly string[], env: Host['env']): void {
  const kept = Object.entries(env).flatMap(([name, value]) => (/^npm_config_|^TICKWRIGHT_/.test(name) ? [value ?? ''] : []));
  if (![...argv, ...kept].some(holdsKey)) return;
  throw new UserError({
    code: 'key',
    message: 'the command line or its environment contains what looks like a key; nothing was done with it',
    hint: 'give --key the name of a file; if it was a secret key, others may have read it: use a new key',
  });
}

function programFor(host: Host, setExitCode: SetExitCode): Command {
  const program = new Command(PROGRAM)
    .version(packageVersion(), '--version', 'print the version')
    .description('A trading bot for perpetual futures and spot, with the exchange built in.')
    .enablePositionalOptions() // so that a subcommand may reuse option names of its parent
    .exitOverride()
    .configureOutput({ writeOut: (text) => void host.stdout.write(text), writeErr: () => undefined })
    .addHelpText('after', PROGRAM_NOTES);
  for (const add of COMMANDS) add(program, host, setExitCode);
  showRequiredOptions(program);
  reportExcessFirst(program, commandNames(program));
  return program;
}

/** Adds the required options of each command to its usage line, unless the line has them. */
function showRequiredOptions(command: Command): void {
  const required = command.options.filter(({ mandatory, long }) => mandatory && !command.usage().includes(long ?? ''));
  if (required.length > 0) command.usage([...required.map(({ flags }) => flags), command.usage()].join(' '));
  command.commands.forEach(showRequiredOptions);
}

const PROGRAM_NOTES = `
The default command is run; \`${COMMAND} --strategy grid\` needs no key, no network and no money.
Each command has its own --help: \`${COMMAND} run --help\` lists the options of a run.`;

/** Maximum wait at exit for the reader of standard output and standard error. */
const FLUSH_MS = 2_000;

const exit = (code: ExitCode): void => process.exit(code);

/**
 * Runs the command of the process, then ends the process with its exit code once the output has been written. `venues`: the exchanges that the program
 * supports; default: those of program/venues.ts.
 */
export async function startProgram(venues?: Venues): Promise<void> {
  const host = processHost(process, { clock: systemClock, exit, venues });
  process.on('uncaughtException', (thrown) => {
    if (process.listenerCount('uncaughtException') === 1) exit(explain(thrown, host)); // otherwise the command has its own listener
  });
  const code = await runProgram(process.argv.slice(2), host);
  systemClock.at(systemClock.now() + FLUSH_MS, () => exit(code));
  host.stdout.write('', () => host.stderr.write('', () => exit(code)));
}
