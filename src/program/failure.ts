// Turns an error into one message on standard error and an exit code; the stack of a bug goes to a file.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { systemClock } from '../base/clock.ts';
import { messageOf, UserError } from '../base/errors.ts';
import { DiskError } from '../base/files/disk.ts';
import { makeFolder } from '../base/files/folder.ts';
import { PROGRAM } from '../base/package.ts';
import { timeText } from '../base/text/duration.ts';
import { withoutKeys } from '../base/text/secrets.ts';
import { BUG, type ExitCode } from './exit-codes.ts';
import { type Host, say } from './host.ts';
import { DEFAULT_RUNS_FOLDER } from './known-runs.ts';
import { openLogFile } from './process/log-file.ts';

/**
 * Prints the error on standard error, with texts that look like keys masked, and returns the exit code. Appends the stack of a bug to
 * `directory`/bug.log.
 */
export function explain(thrown: unknown, { stderr }: Pick<Host, 'stderr'>, directory = DEFAULT_RUNS_FOLDER): ExitCode {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : complain(stderr, wrongUse(thrown));
  if (thrown instanceof UserError) return complain(stderr, thrown);
  if (thrown instanceof DiskError) return complain(stderr, unusableState(thrown));
  say(stderr, `bug: ${withoutKeys(messageOf(thrown))}\n${recordBug(thrown, directory)}`);
  return BUG;
}

interface Complaint {
  readonly code?: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

const unusableState = ({ message }: DiskError): Complaint => ({
  code: 'disk',
  message: `the state directory cannot be used: ${message}`,
  hint: `check that it still exists and can be written, and that the disk has space: ${PROGRAM} doctor`,
});

/** Returns 1 for a failure of the exchange or the disk, because the same command may succeed later; 2 for wrong input. */
function complain(stderr: Host['stderr'], { code, message, hint }: Complaint): ExitCode {
  say(stderr, withoutKeys(`error: ${message}${hint === undefined ? '' : `\n  ${hint}`}`));
  return code === 'exchange' || code === 'disk' ? 1 : 2;
}

/** Returns commander's own message, whose second line may be a suggestion. Its message for `help` of an unknown command is replaced. */
function wrongUse({ code, message: text }: CommanderError): { message: string; hint: string } {
  if (code === 'commander.help') return { message: 'there is no such command', hint: '--help lists commands and options' };
  const [message = '', suggestion] = text.replace(/^error: /, '').split('\n');
  const near = /^\((.*)\)$/.exec(suggestion ?? '')?.[1];
  return { message, hint: near ?? '--help lists commands and options' };
}

/** Writes the stack and returns the line that names the file. */
function recordBug(thrown: unknown, directory: string): string {
  const file = join(directory, 'bug.log');
  try {
    makeFolder(directory, 0o700);
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    const log = openLogFile(file);
    if (log === undefined) throw new Error('the file cannot be opened');
    writeSync(log.descriptor, `${timeText(systemClock.now())} ${withoutKeys(stack)}\n`);
    log.close();
    return `  this is a bug in the program; its stack is in ${file}`;
  } catch (error) {
    return `  this is a bug in the program; its stack could not be written to ${file}: ${messageOf(error)}`;
  }
}
