// Runs a command of the program in this process, as a person types it, and returns what it printed.
import { runProgram } from '../../../src/program/program.ts';
import { FakeHost } from './fake-host.ts';

export interface CommandResult {
  readonly code: number;
  /** Standard output; `lines` are its complete lines. */
  readonly out: string;
  readonly lines: readonly string[];
  /** Standard error. */
  readonly err: string;
}

/** `words`: the arguments, or one line in which blanks separate them. */
export async function runCommand(words: string | readonly string[], host = new FakeHost()): Promise<CommandResult> {
  const code = await runProgram(typeof words === 'string' ? words.split(' ').filter(Boolean) : words, host);
  return { code, out: host.stdout.text, lines: host.stdout.lines, err: host.stderr.text };
}
