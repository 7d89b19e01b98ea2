// The view of the process for one run of a fleet: output lines get the run's name, and the fleet passes on signals and errors.
import { Writable } from 'node:stream';
import type { Host, Output } from '../../host.ts';

type Signal = Parameters<Parameters<Host['onSignal']>[0]>[0];

export class MemberHost implements Host {
  readonly stdin: Host['stdin'];
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Host['env'];
  readonly venues: Host['venues'];
  readonly self: Host['self'];
  readonly pid: number;
  readonly #host: Host;
  readonly #signals: ((signal: Signal) => void)[] = [];
  readonly #uncaught: ((thrown: unknown) => void)[] = [];
  /** Errors from before the run has added its listener. */
  readonly #early: unknown[] = [];
  #resolveLeft: () => void = () => undefined;
  /** Resolves when the run calls `exitNow`. */
  readonly left: Promise<void>;

  constructor(name: string, host: Host) {
    this.#host = host;
    this.stdin = host.stdin;
    this.stdout = linesOf(name, host.stdout);
    this.stderr = linesOf(name, host.stderr);
    const { NOTIFY_SOCKET: _, ...env } = host.env; // the fleet notifies systemd for all runs
    this.env = env;
    this.venues = host.venues;
    this.self = host.self;
    this.pid = host.pid;
    this.left = new Promise((resolve) => {
      this.#resolveLeft = resolve;
    });
  }

  isRunning(pid: number): boolean {
    return this.#host.isRunning(pid);
  }

  askToEnd(pid: number): void {
    this.#host.askToEnd(pid);
  }

  onSignal(listener: (signal: Signal) => void): void {
    this.#signals.push(listener);
  }

  onUncaught(listener: (thrown: unknown) => void): void {
    this.#uncaught.push(listener);
    for (const thrown of this.#early.splice(0)) listener(thrown);
  }

  onExit(listener: () => void): void {
    this.#host.onExit(listener);
  }

  /** Does not end the process, because other runs may still be stopping. */
  exitNow(): void {
    this.#resolveLeft();
  }

  signal(signal: Signal): void {
    for (const listener of this.#signals) listener(signal);
  }

  /** Passes on an uncaught error, as soon as the run has added its listener. */
  uncaught(thrown: unknown): void {
    if (this.#uncaught.length === 0) this.#early.push(thrown);
    for (const listener of this.#uncaught) listener(thrown);
  }

  /** Call it when the output was closed. */
  closed(error: Error): void {
    this.stdout.emit('error', error);
  }
}

/**
 * Returns an output that writes complete lines: JSON lines get the field `member`, others the name as prefix. Each line waits for the previous one.
 */
function linesOf(name: string, output: Output): Output {
  let rest = '';
  const member = JSON.stringify(name);
  const marked = (line: string): string => {
    if (line.startsWith('{"')) return `{"member":${member},${line.slice(1)}\n`;
    return line === '' ? '\n' : `[${name}] ${line}\n`;
  };
  const lines = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      const parts = `${rest}${String(chunk)}`.split('\n');
      rest = parts.pop() ?? '';
      if (parts.length === 0) done();
      else output.write(parts.map(marked).join(''), () => done());
    },
  });
  return lines.on('error', () => undefined); // the fleet reports a closed output once
}
