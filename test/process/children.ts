// The bot and its exchange as child processes, with the lines that they print.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { PATIENCE_MS } from '../patience.ts';
import { BUILT_MAIN } from './program.ts';

const ROOT = new URL('../..', import.meta.url);
/** How long a test waits for one line: less than any limit of a test, so that the test says what came instead. */
const LINE_LIMIT = PATIENCE_MS / 2;

/** A JSON line of standard output. */
export type Printed = { readonly kind: string } & Readonly<Record<string, unknown>>;

export interface Child {
  readonly lines: readonly Printed[];
  /** Standard error so far. */
  readonly stderrText: () => string;
  /** Settles with the first line of this kind and status; undefined if the process ends without one. */
  printed(kind: string, status?: string): Promise<Printed | undefined>;
  /**
   * Settles with the first line for which `fits` is true; undefined if the process ends without one. Rejects if neither happens in time, with what the
   * process printed last.
   */
  line(fits: (line: Printed) => boolean): Promise<Printed | undefined>;
  /** Settles with the exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** Sends a signal. Settles with the exit code when the process has ended. */
  signal(name: NodeJS.Signals): Promise<number | null>;
}

/** Starts the program with these arguments. `main`: another TypeScript file to start instead. */
export function startChild(args: readonly string[], main?: string): Child {
  const program = main === undefined ? [BUILT_MAIN] : ['--import', './src/base/load-typescript.mjs', main];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Running(child);
}

class Running implements Child {
  readonly lines: Printed[] = [];
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #waiting = new Set<() => void>();
  #over = false;
  #rest = '';
  #stderrText = '';

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderrText += chunk.toString();
    });
    this.ended = new Promise((resolve) => {
      child.once('close', (code) => {
        this.#over = true;
        resolve(code);
        this.#report();
      });
    });
  }

  stderrText = (): string => this.#stderrText;

  printed(kind: string, status?: string): Promise<Printed | undefined> {
    return this.line((line) => line.kind === kind && (status === undefined || line['status'] === status));
  }

  line(fits: (line: Printed) => boolean): Promise<Printed | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void): void => {
        clearTimeout(timeout);
        this.#waiting.delete(look);
        done();
      };
      const look = (): void => {
        const found = this.lines.find(fits);
        if (found !== undefined || this.#over) settle(() => resolve(found));
      };
      const timeout = setTimeout(
        () => settle(() => reject(new Error(`no such line came; the last ones: ${this.#lastText()}`))),
        LINE_LIMIT,
      );
      this.#waiting.add(look);
      look();
    });
  }

  signal(name: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(name);
    return this.ended;
  }

  /** Drops a last line without its end: a kill has cut it off. */
  #read(text: string): void {
    const parts = `${this.#rest}${text}`.split('\n');
    this.#rest = parts.pop() ?? '';
    this.lines.push(...parts.map((part) => JSON.parse(part) as Printed));
    this.#report();
  }

  #lastText(): string {
    return [...this.lines.slice(-20).map((line) => JSON.stringify(line)), this.#stderrText.slice(-2_000)].join('\n');
  }

  #report(): void {
    for (const look of this.#waiting) look();
  }
}
