// What a person types when asked, at a terminal and nowhere else: no script can have said it.
import { createInterface } from 'node:readline';
import { UserError } from '../../base/errors.ts';
import type { Host } from '../host.ts';

/** Without the spaces around it; undefined where the input ends instead. UserError `terminal` where input or output is none, before anything is asked. */
export async function typed(question: string, { stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>): Promise<string | undefined> {
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
