// The process as one run of several sees it: its lines carry the run's name, and signals and errors reach it through the fleet.
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
  /** Errors from before the run listened. */
  readonly #early: unknown[] = [];
  #leaves: () => void = () => undefined;
  /** Settles if the run asked for the end of the process because it cannot end by itself. */
  readonly left: Promise<void>;

  constructor(name: string, host: Host) {
    this.#host = host;
    this.stdin = host.stdin;
    this.stdout = linesOf(name, host.stdout);
    this.stderr = linesOf(name, host.stderr);
    const { NOTIFY_SOCKET: _, ...env } = host.env; // systemd is answered once for all runs
    this.env = env;
    this.venues = host.venues;
    this.self = host.self;
    this.pid = host.pid;
    this.left = new Promise((resolve) => {
      this.#leaves = resolve;
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

  /** The process is not ended: other runs may still be ending theirs. */
  exitNow(): void {
    this.#leaves();
  }

  signal(signal: Signal): void {
    for (const listener of this.#signals) listener(signal);
  }

  /** Passes on an error that nothing caught, as soon as the run listens. */
  uncaught(thrown: unknown): void {
    if (this.#uncaught.length === 0) this.#early.push(thrown);
    for (const listener of this.#uncaught) listener(thrown);
  }

  /** The output was closed. */
  closed(error: Error): void {
    this.stdout.emit('error', error);
  }
}

/** Writes whole lines to the output: JSON lines get the field `member`, others begin with the name. A line waits until the output has taken the one before. */
function linesOf(name: string, output: Output): Output {
  let rest = '';
  const member = JSON.stringify(name);
  const marked = (line: string): string =>
    line.startsWith('{"') ? `{"member":${member},${line.slice(1)}\n` : line === '' ? '\n' : `[${name}] ${line}\n`;
  const lines = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      const parts = `${rest}${String(chunk)}`.split('\n');
      rest = parts.pop() ?? '';
      if (parts.length === 0) done();
      else output.write(parts.map(marked).join(''), () => done());
    },
  });
  return lines.on('error', () => undefined); // a closed output is reported once, by the fleet
}
