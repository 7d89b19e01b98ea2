// A terminal as an output that never makes the process wait: what the terminal does not take now is tried again later.
import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { type Millis, systemClock } from '../../base/clock.ts';
import type { Output } from '../host.ts';

/** How often a terminal that took nothing is tried again. */
const RETRY: Millis = 50;

type Fd = { readonly fd?: number };

/**
 * Node writes to a terminal synchronously, so a terminal that is stopped (Ctrl-S, a dead ssh) would stop the whole process. Returns an output over a
 * descriptor of its own that does not block, or the same output where it is no terminal, or where the terminal cannot be opened once more.
 */
export function unblocked(output: Output): Output {
  const { fd } = output as Fd;
  if (output.isTTY !== true || fd === undefined || process.platform === 'win32') return output; // there Node does not wait
  try {
    return new TerminalOutput(openAgain(fd), output);
  } catch {
    return output;
  }
}

/** `/proc/self/fd` opens the same terminal anew, with flags of its own; elsewhere the terminal of the process has another name. */
function openAgain(fd: number): number {
  const name = process.platform === 'linux' ? `/proc/self/fd/${fd}` : '/dev/tty';
  return openSync(name, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
}

class TerminalOutput extends Writable {
  readonly isTTY = true;
  readonly #descriptor: number;
  readonly #terminal: Output;

  constructor(descriptor: number, terminal: Output) {
    super({ decodeStrings: true });
    this.#descriptor = descriptor;
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
    let left = chunk;
    try {
      while (left.length > 0) left = left.subarray(writeSync(this.#descriptor, left));
    } catch (error) {
      if (!isBusy(error)) return done(error instanceof Error ? error : new Error(String(error)));
      systemClock.at(systemClock.now() + RETRY, () => this._write(left, encoding, done));
      return;
    }
    done();
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';
