// The process as the commands see it: an input, two outputs, an environment, and what may interrupt them.
import type { Readable, Writable } from 'node:stream';
import { visible } from '../base/visible.ts';

export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/** `columns` and `rows` are those of a terminal; a `resize` event tells of new ones. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** 0 done, 1 the run failed, 2 the user's input is wrong, 70 a bug. */
export type ExitCode = 0 | 1 | 2 | 70;

export interface Host {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this program is started once more, before its own arguments; absent where it is no process of its own. */
  readonly self?: { readonly program: string; readonly args: readonly string[] } | undefined;
  /** Of this process. */
  readonly pid: number;
  /** Whether there is a process of this number. */
  isRunning(pid: number): boolean;
  /** Asks a process to end in order (SIGTERM); nothing happens where there is none, or where it belongs to another user. */
  askToEnd(pid: number): void;
  /** `again` where it is more than an echo of one before: npm passes on a Ctrl-C that the terminal has already sent to everybody. */
  onSignal(listener: (signal: { readonly name: string; readonly again: boolean }) => void): void;
  /** What nobody caught. Without a listener it ends the process. */
  onUncaught(listener: (thrown: unknown) => void): void;
  /** Called as the process ends, however it does; there is time for synchronous work only. */
  onExit(listener: () => void): void;
  /** Ends the process in the middle of whatever it does. */
  exitNow(code: ExitCode): void;
}

/** One line or several. What names of an exchange or of a file could do to a terminal is written as escapes. */
export const say = (output: Output, text: string): void => void output.write(`${visible(text)}\n`);
