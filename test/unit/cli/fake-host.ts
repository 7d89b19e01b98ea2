// A host without a process: the test types input, reads the output, and sends signals and uncaught errors.
import { PassThrough, Writable } from 'node:stream';
import type { ExitCode } from '../../../src/program/exit-codes.ts';
import type { Host } from '../../../src/program/host.ts';
import { VENUES, type Venues } from '../../../src/program/venues.ts';

class Kept extends Writable {
  text = '';
  readonly isTTY: boolean;
  columns = 100;
  rows = 40;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  get lines(): string[] {
    return this.text.split('\n').slice(0, -1);
  }
}

export class FakeHost implements Host {
  readonly stdin: PassThrough & { readonly isTTY: boolean };
  readonly stdout: Kept;
  readonly stderr = new Kept(false);
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly venues: Venues;
  readonly pid: number;
  readonly exits: ExitCode[] = [];
  /** Processes that were requested to end. */
  readonly askedToEnd: number[] = [];
  readonly #signals: Parameters<Host['onSignal']>[0][] = [];
  readonly #uncaught: Parameters<Host['onUncaught']>[0][] = [];
  readonly #ends: (() => void)[] = [];

  constructor({
    isTTY = false,
    env = {},
    pid = 1,
    venues = VENUES,
  }: Partial<Pick<Host, 'env' | 'pid' | 'venues'>> & { isTTY?: boolean } = {}) {
    this.stdin = Object.assign(new PassThrough(), { isTTY });
    this.stdout = new Kept(isTTY);
    this.env = { XDG_STATE_HOME: process.env['XDG_STATE_HOME'], ...env };
    this.pid = pid;
    this.venues = venues;
  }

  /** Only process ids up to 1000 run. */
  isRunning(pid: number): boolean {
    return pid > 0 && pid <= 1_000;
  }

  askToEnd(pid: number): void {
    this.askedToEnd.push(pid);
  }

  onSignal(listener: Parameters<Host['onSignal']>[0]): void {
    this.#signals.push(listener);
  }

  onUncaught(listener: Parameters<Host['onUncaught']>[0]): void {
    this.#uncaught.push(listener);
  }

  onExit(listener: () => void): void {
    this.#ends.push(listener);
  }

  exitNow(code: ExitCode): void {
    this.exits.push(code);
    this.exit();
  }

  exit(): void {
    for (const listener of this.#ends) listener();
  }

  signal(name: string, { again = false }: { again?: boolean } = {}): void {
    for (const listener of this.#signals) listener({ name, again });
  }

  throws(thrown: unknown): void {
    for (const listener of this.#uncaught) listener(thrown);
  }
}
