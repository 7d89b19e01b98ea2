#!/usr/bin/env node
// The entry: what the program comes to becomes the exit code of the process.
import './no-debugger.ts';
import { systemClock } from '../base/clock.ts';
import { explain } from './failure.ts';
import type { ExitCode } from './host.ts';
import { processHost } from './process-host.ts';
import { runProgram } from './program.ts';

/** How long a reader may take for what is still on its way to it. */
const FLUSH_MS = 2_000;

const exit = (code: ExitCode): void => process.exit(code);
const host = processHost(process, { clock: systemClock, exit });

process.on('uncaughtException', (thrown) => {
  if (process.listenerCount('uncaughtException') === 1) exit(explain(thrown, host)); // else the command has its own way to end
});

const code = await runProgram(process.argv.slice(2), host);
systemClock.at(systemClock.now() + FLUSH_MS, () => exit(code));
host.stdout.write('', () => host.stderr.write('', () => exit(code)));
