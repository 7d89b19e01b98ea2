#!/usr/bin/env node
// The command line: this file is the entry point; it runs the program and ends the process with its exit code.
// program.ts                 registers the commands; commands/NAME/command.ts declares the options of each
// values.ts                  parsing of option values
// declared.ts                declares commands and their options
// excess-words.ts            reports mistyped commands, and words without their option
// commands/run               bot run: plan, exchange, start, watch, watchdog
// commands/operate           bot kill, resume, why, why-not, watchdog
// commands/tapes             bot record, import, tape, export
// output                     output of a run: plain lines, JSON lines, texts of kill, progress
// terminal                   the live view, and input from a terminal
// host.ts, process/          the interface of the process for commands; its implementation: signals, memory, logs
// failure.ts, exit-codes.ts  errors as messages and exit codes
import './process/no-debugger.ts';
import { startProgram } from './program.ts';

await startProgram();
