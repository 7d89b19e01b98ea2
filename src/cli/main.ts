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
// start.ts                   the life of the process
// host.ts, process/          what the commands need of the process; the process itself: signals, memory, logs
// failure.ts, exit-codes.ts  errors as messages and exit codes
import './process/no-debugger.ts';
import { startProgram } from './start.ts';

await startProgram();
