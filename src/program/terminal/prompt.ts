// Asks a person at a terminal to type a line; a script cannot answer.
import { createInterface } from 'node:readline';
import { UserError } from '../../base/errors.ts';
import type { Host } from '../host.ts';

/** The typed line, trimmed; undefined if the input ends. Throws a UserError `terminal` if input or output is not a terminal, before it asks. */
export async function prompt(question: string, { stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>): Promise<string | undefined> {
  if (stdin.isTTY !== true || stdout.isTTY !== true) throw noTerminal();
  stdout.write(question);
  const lines = createInterface({ input: stdin }); // without an output, the terminal itself edits the line and ends the program at Ctrl-C
  const answer = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (answer.done !== true) return answer.value.trim();
  stdout.write('\n');
  return undefined;
}

const noTerminal = (): UserError =>
  new UserError({
    code: 'terminal',
    message: 'this must be typed by a person at a terminal; nothing was sent',
    hint: 'type the command at a terminal, without a pipe for input or output',
  });
