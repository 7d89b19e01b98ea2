// Starts the program: runs the command, then ends the process with its exit code once the output has been written.
import { systemClock } from '../base/clock.ts';
import type { ExitCode } from './exit-codes.ts';
import { explain } from './failure.ts';
import { processHost } from './process/process-host.ts';
import { runProgram } from './program.ts';
import type { Venues } from './venues.ts';

/** Maximum wait at exit for the reader of standard output and standard error. */
const FLUSH_MS = 2_000;

const exit = (code: ExitCode): void => process.exit(code);

/** `venues`: the exchanges that the program supports; default: those of program/venues.ts. */
export async function startProgram(venues?: Venues): Promise<void> {
  const host = processHost(process, { clock: systemClock, exit, venues });
  process.on('uncaughtException', (thrown) => {
    if (process.listenerCount('uncaughtException') === 1) exit(explain(thrown, host)); // otherwise the command has its own listener
  });
  const code = await runProgram(process.argv.slice(2), host);
  systemClock.at(systemClock.now() + FLUSH_MS, () => exit(code));
  host.stdout.write('', () => host.stderr.write('', () => exit(code)));
}
