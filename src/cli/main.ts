// The entry: the process becomes a host, and what the program comes to becomes the exit code.
import { systemClock } from '../base/clock.ts';
import type { ExitCode, Host } from './host.ts';
import { runProgram } from './program.ts';

/** Signals nearer to each other than this are one key press. */
const ECHO_MS = 300;
/** How long a reader may take for what is still on its way to it. */
const FLUSH_MS = 2_000;

const exit = (code: ExitCode): void => process.exit(code);

const host: Host = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  onSignal(listener) {
    let last: number | undefined;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        const before = last;
        last = systemClock.now();
        if (before === undefined || last - before > ECHO_MS) listener({ name, again: before !== undefined });
      });
    }
  },
  onUncaught: (listener) => void process.on('uncaughtException', listener),
  onExit: (listener) => void process.on('exit', listener),
  exitNow: exit,
};

for (const output of [host.stdout, host.stderr]) output.on('error', () => undefined); // whoever must know of it listens too

const code = await runProgram(process.argv.slice(2), host);
systemClock.at(systemClock.now() + FLUSH_MS, () => exit(code));
host.stdout.write('', () => host.stderr.write('', () => exit(code)));
