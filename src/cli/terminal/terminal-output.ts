// A terminal as an output that never makes the process wait: what the terminal does not take now is tried again later.
import { spawn } from 'node:child_process';
import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { type Millis, systemClock } from '../../base/clock.ts';
import type { Output } from '../host.ts';

/** How often a terminal that took nothing is tried again. */
const RETRY: Millis = 50;
/** Copies its standard input to its standard output. */
const COPIER = '/bin/cat';

type Fd = { readonly fd?: number };

/** Writes all of the chunk without blocking, and calls `done` afterwards. */
type Write = (chunk: Buffer, done: (error?: Error | null) => void) => void;

/**
 * Node writes to a terminal synchronously, so a terminal that is stopped (Ctrl-S, a dead ssh) would stop the whole process. Returns an output over a
 * descriptor of its own that does not block, or the same output where it is no terminal. Where this user may not open the terminal once more (as after `su`),
 * another process writes to it and waits instead of this one; `reopen` is replaced by tests only.
 */
export function unblocked(output: Output, reopen: (fd: number) => number = openAgain): Output {
  const { fd } = output as Fd;
  if (output.isTTY !== true || fd === undefined || process.platform === 'win32') return output; // there Node does not wait
  return new TerminalOutput(writerTo(fd, reopen), output);
}

function writerTo(fd: number, reopen: (fd: number) => number): Write {
  try {
    return retryingOn(reopen(fd));
  } catch {
    return throughProcess(fd);
  }
}

/** `/proc/self/fd` opens the same terminal anew, with flags of its own; elsewhere the terminal of the process has another name. */
function openAgain(fd: number): number {
  const name = process.platform === 'linux' ? `/proc/self/fd/${fd}` : '/dev/tty';
  return openSync(name, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
}

function retryingOn(descriptor: number): Write {
  return function write(chunk, done) {
    let left = chunk;
    try {
      while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
    } catch (error) {
      if (!isBusy(error)) return done(error instanceof Error ? error : new Error(String(error)));
      systemClock.at(systemClock.now() + RETRY, () => write(left, done));
      return;
    }
    done();
  };
}

/** Started with the first write, and in a session of its own, so that no key press ends it. What is written when it cannot run is dropped. */
function throughProcess(fd: number): Write {
  let pipe: Writable | null | undefined;
  let isGone = false;
  const gone = (): void => {
    isGone = true;
  };
  return (chunk, done) => {
    if (pipe === undefined) {
      const copier = spawn(COPIER, [], { stdio: ['pipe', fd, 'ignore'], detached: true });
      copier.once('error', gone).once('exit', gone).unref();
      pipe = copier.stdin;
      pipe?.on('error', gone);
    }
    if (isGone || pipe === null) done();
    else pipe.write(chunk, () => done());
  };
}

class TerminalOutput extends Writable {
  readonly isTTY = true;
  readonly #write: Write;
  readonly #terminal: Output;

  constructor(write: Write, terminal: Output) {
    super({ decodeStrings: true });
    this.#write = write;
    this.#terminal = terminal;
    terminal.on('resize', () => this.emit('resize'));
  }

  /** 0 where the terminal does not say. */
  get columns(): number {
    return this.#terminal.columns ?? 0;
  }

  get rows(): number {
    return this.#terminal.rows ?? 0;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#write(chunk, done);
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';
