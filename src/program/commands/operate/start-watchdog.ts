// Starts the watchdog of a run, sends heartbeats, and replaces a watchdog that ends or hangs.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Cancel, type Clock, every, MINUTE, type Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import type { Host } from '../../host.ts';
import { type AlertAddresses, addressLine } from '../../monitoring/alerts/addresses.ts';
import { openLogFile } from '../../process/log-file.ts';

/** Sent to the watchdog while the run is alive. */
const HEARTBEAT = 'b';
/** Sent to the watchdog when the run has ended without open orders. */
export const ENDED = 'f';
/** Sent to the watchdog when the run has ended and may have left orders. */
export const ENDED_WITH_ORDERS = 'h';
const HEARTBEAT_EVERY: Millis = 5_000;
/** The watchdog's answer to a heartbeat. */
export const ANSWER = 'a';
/** Maximum number of unanswered heartbeats before the watchdog is replaced. A new one gets more time. */
const MAX_UNANSWERED = { later: 6, first: 24 } as const;
/** Backoff before the next start; doubled for each watchdog that ends within a minute. */
const FIRST_PAUSE: Millis = 1_000;

interface Options {
  readonly directory: string;
  /** The addresses for its alerts. */
  readonly alerts: AlertAddresses;
  readonly clock: Clock;
  readonly log: AdapterLog;
}

/** Returns undefined if this program cannot start itself. */
export const startWatchdog = ({ self }: Pick<Host, 'self'>, options: Options): RunWatchdog | undefined =>
  self && new RunWatchdog(self, options);

/**
 * The watchdog of a run. If neither `ended` nor `handOver` is called before this process ends, the watchdog cancels the orders after a pause. Writes to
 * `log` when a watchdog ends, and once a minute while there is none.
 */
export class RunWatchdog {
  readonly #self: NonNullable<Host['self']>;
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #startedAt: Millis = 0;
  #unanswered = 0;
  #hasAnswered = false;
  /** Number of consecutive watchdogs that ended within a minute of their start. */
  #failures = 0;
  #hasEnded = false;
  readonly #timers: readonly Cancel[];
  #cancelStart: Cancel = () => undefined;

  constructor(self: NonNullable<Host['self']>, options: Options) {
    this.#self = self;
    this.#options = options;
    this.#start();
    const { clock } = options;
    this.#timers = [every(clock, HEARTBEAT_EVERY, () => this.#beat()), every(clock, MINUTE, () => this.#warnIfUnwatched())];
  }

  /** True if the watchdog runs and has answered all heartbeats except the last one. */
  get answers(): boolean {
    return this.#child !== undefined && this.#unanswered <= 1;
  }

  /** Reports to the watchdog that the run has ended and left no orders. */
  ended(): void {
    this.#endWith(ENDED);
  }

  /** Makes the watchdog cancel all orders at once. */
  handOver(): void {
    if (this.#child === undefined && !this.#hasEnded) this.#start();
    this.#endWith(ENDED_WITH_ORDERS);
  }

  #endWith(byte: string): void {
    if (!this.#hasEnded) this.#child?.stdin?.end(byte);
    this.#hasEnded = true;
    for (const cancel of [...this.#timers, this.#cancelStart]) cancel();
  }

  #start(): void {
    const { directory, clock, alerts } = this.#options;
    this.#startedAt = clock.now();
    [this.#unanswered, this.#hasAnswered] = [0, false];
    try {
      const child = this.#spawn(directory);
      this.#child = child;
      child.once('error', (error) => this.#watchdogEnded(child, error.message));
      child.once('exit', (code, signal) => this.#watchdogEnded(child, signal ?? `code ${code}`));
      child.stdin?.on('error', () => undefined); // the exit handler above reports the end
      child.stdout
        ?.on('error', () => undefined)
        .on('data', () => {
          [this.#unanswered, this.#hasAnswered] = [0, true];
        });
      child.unref();
      child.stdin?.write(`${addressLine(alerts)}${HEARTBEAT}`);
    } catch (error) {
      this.#watchdogEnded(undefined, messageOf(error));
    }
  }

  /** Starts the process; its output goes to watchdog.log, or is discarded if the file cannot be opened. */
  #spawn(directory: string): ChildProcess {
    const { program, args } = this.#self;
    const log = openLogFile(join(directory, 'watchdog.log'));
    try {
      return spawn(program, [...args, 'watchdog', '--state', directory], {
        detached: true,
        stdio: ['pipe', 'pipe', log?.descriptor ?? 'ignore'],
      });
    } finally {
      log?.close();
    }
  }

  #watchdogEnded(child: ChildProcess | undefined, why: string): void {
    if (this.#hasEnded || child !== this.#child) return;
    const { clock, log } = this.#options;
    this.#child = undefined;
    this.#failures = clock.now() - this.#startedAt < MINUTE ? this.#failures + 1 : 1;
    const pause = Math.min(MINUTE, FIRST_PAUSE * 2 ** (this.#failures - 1));
    log.warn(`the watchdog of this run has ended (${why}); the run starts another one in ${Math.ceil(pause / 1_000)} s`);
    this.#cancelStart = clock.at(clock.now() + pause, () => this.#start());
  }

  #beat(): void {
    if (this.#child === undefined) return;
    this.#unanswered += 1;
    if (this.#unanswered > (this.#hasAnswered ? MAX_UNANSWERED.later : MAX_UNANSWERED.first)) this.#child.kill('SIGKILL');
    else this.#child.stdin?.write(HEARTBEAT);
  }

  #warnIfUnwatched(): void {
    if (!this.answers) this.#options.log.warn('no watchdog of this run answers: if the bot dies now, its orders stay');
  }
}
