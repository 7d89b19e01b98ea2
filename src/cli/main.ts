#!/usr/bin/env node
// The command line: this file is the entry point; it runs the program and ends the process with its exit code.
// program.ts                 which commands there are; commands/NAME/command.ts has the options of each
// values.ts, registered.ts   parsing of option values; groups of commands
// suggest.ts                 suggestions for mistyped words
// commands/run               bot run: plan, exchange, start, watch, watchdog
// commands/operate           bot kill, resume, why, why-not, watchdog
// commands/tapes             bot record, import, tape, export
// output                     what a run prints: plain lines, JSON lines, texts of kill, progress
// terminal                   the live view, and what is typed at a terminal
// host.ts, process-host.ts   the process as the commands see it
// failure.ts, log-file.ts    errors as messages and exit codes; log files
import './no-debugger.ts';
import { systemClock } from '../base/clock.ts';
import { explain } from './failure.ts';
import type { ExitCode } from './host.ts';
import { processHost } from './process-host.ts';
import { runProgram } from './program.ts';

/** How long the exit waits for the reader of standard output and standard error. */
const FLUSH_MS = 2_000;

const exit = (code: ExitCode): void => process.exit(code);
const host = processHost(process, { clock: systemClock, exit });

process.on('uncaughtException', (thrown) => {
  if (process.listenerCount('uncaughtException') === 1) exit(explain(thrown, host)); // otherwise the command has its own listener
});

const code = await runProgram(process.argv.slice(2), host);
systemClock.at(systemClock.now() + FLUSH_MS, () => exit(code));
host.stdout.write('', () => host.stderr.write('', () => exit(code)));
