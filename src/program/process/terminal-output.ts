// Writes to a terminal without blocking the process: text that the terminal does not accept is buffered and retried.
import { spawn } from 'node:child_process';
import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { type Millis, systemClock } from '../../base/clock.ts';
import type { Output } from '../host.ts';

/** Pause before the next attempt if the terminal accepts nothing. */
const RETRY: Millis = 50;
/** Copies its standard input to its standard output. */
const COPIER = '/bin/cat';

type Fd = { readonly fd?: number };

/** Writes all of the chunk without blocking, and calls `done` afterwards. */
type Write = (chunk: Buffer, done: (error?: Error | null) => void) => void;

/**
 * Returns an output that never blocks the process; the same output if it is not a terminal. Node writes to a terminal synchronously, so a stopped terminal
 * (Ctrl-S, a dead ssh connection) would stop the whole process. The output therefore opens the terminal again with a non-blocking descriptor. If this user may
 * not open it again (as after `su`), another process writes to the terminal, so that only that process blocks. Only tests pass `reopen`.
 */
export function nonBlocking(output: Output, reopen: (fd: number) => number = openAgain): Output {
  const { fd } = output as Fd;
  if (output.isTTY !== true || fd === undefined || process.platform === 'win32') return output; // Node does not block there
  return new TerminalOutput(writerTo(fd, reopen), output);
}

function writerTo(fd: number, reopen: (fd: number) => number): Write {
  try {
    return retryingOn(reopen(fd));
  } catch {
    return throughProcess(fd);
  }
}

/** Opens the same terminal again with other flags: by `/proc/self/fd` on Linux, as `/dev/tty` elsewhere. */
function openAgain(fd: number): number {
  const name = process.platform === 'linux' ? `/proc/self/fd/${fd}` : '/dev/tty';
  return openSync(name, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
}

/** Writes to a non-blocking descriptor, and tries again after RETRY while the terminal accepts nothing. */
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

/** Starts a copying process at the first write, in its own session so that no key press ends it. If it cannot run, writes are dropped. */
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

  /** 0 if the terminal does not report it. */
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
