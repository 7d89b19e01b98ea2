// The process as the commands see it: input, outputs, environment, signals and exit. A test passes its own.
import type { Readable, Writable } from 'node:stream';
import { visible } from '../base/text/visible.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Venues } from './venues.ts';

export type InputStream = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/** `columns` and `rows` are set for a terminal; a `resize` event follows each change. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

export interface Host {
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The exchanges that the program knows. */
  readonly venues: Venues;
  /** How to start this program again: `args` are those of Node and the script, without the user's. Absent if the program does not run in its own process. */
  readonly self?: { readonly program: string; readonly args: readonly string[] } | undefined;
  /** Id of this process. */
  readonly pid: number;
  /** True if a process with this id exists. */
  isRunning(pid: number): boolean;
  /** Sends SIGTERM to a process. Does nothing if it does not exist or belongs to another user. */
  askToEnd(pid: number): void;
  /**
   * Calls the listener at each signal. `again` is false for the first. Ignores duplicates: npm repeats a Ctrl-C that the terminal has already sent.
   */
  onSignal(listener: (signal: { readonly name: string; readonly again: boolean }) => void): void;
  /** Calls the listener with each uncaught error. Without a listener, an uncaught error ends the process. */
  onUncaught(listener: (thrown: unknown) => void): void;
  /** Calls the listener when the process exits, for any reason; only synchronous work is possible then. */
  onExit(listener: () => void): void;
  /** Ends the process at once. */
  exitNow(code: ExitCode): void;
}

/** Writes one or more lines. Control characters, which names of an exchange or a file may contain, are escaped. */
export const say = (output: Output, text: string): void => void output.write(`${visible(text)}\n`);
