// The bot and its exchange as child processes, with the lines that they print.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { BUILT_MAIN } from './program.ts';

const ROOT = new URL('../..', import.meta.url);

/** A JSON line of standard output. */
export type Printed = { readonly kind: string } & Readonly<Record<string, unknown>>;

export interface Child {
  readonly lines: readonly Printed[];
  /** Standard error so far. */
  readonly stderrText: () => string;
  /** Settles with the first line of this kind and status; undefined if the process ends without one. */
  printed(kind: string, status?: string): Promise<Printed | undefined>;
  /** Settles with the first line for which `fits` is true; undefined if the process ends without one. */
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
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.lines.find(fits);
        if (found === undefined && !this.#over) return;
        this.#waiting.delete(look);
        resolve(found);
      };
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

  #report(): void {
    for (const look of this.#waiting) look();
  }
}
