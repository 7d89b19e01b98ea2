// A run's own watchdog: a process beside it that hears it live, and takes its orders away when it does not. One that ends is started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import type { Host } from '../../host.ts';
import { openLogFile } from '../../log-file.ts';

/** What goes into its pipe: that the run lives, that it has ended with nothing left behind, or that it ends and could not prove that. */
const BEAT = 'b';
export const FAREWELL = 'f';
export const HANDOVER = 'h';
const BEATS: Millis = 5_000;
/** What it answers to a beat. */
export const ANSWER = 'a';
/** So many beats without an answer in a row: it hangs, and another is started. One that has just been started is given longer. */
const MOST_UNANSWERED = { later: 6, first: 24 } as const;
/** Before another is started: doubled with each that ends soon. */
const FIRST_PAUSE: Millis = 1_000;
const MINUTE: Millis = 60_000;

/** Without a last word, the end of this process, however it comes, makes it act after a while. */
export interface Watched {
  /** Nothing was left behind. */
  ended(): void;
  /** It acts at once: orders may be left behind. */
  handOver(): void;
}

interface Options {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Undefined where this program cannot be started again beside itself. `log` is told when a watchdog ends, and once a minute while there is none. */
export function startWatchdog({ self }: Pick<Host, 'self'>, options: Options): Watched | undefined {
  return self === undefined ? undefined : new Watching(self, options);
}

class Watching implements Watched {
  readonly #self: NonNullable<Host['self']>;
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #startedAt: Millis = 0;
  #unanswered = 0;
  #answered = false;
  /** In a row, each within a minute of its start. */
  #failures = 0;
  #over = false;
  readonly #timers = new Map<() => void, Cancel>();

  constructor(self: NonNullable<Host['self']>, options: Options) {
    this.#self = self;
    this.#options = options;
    this.#start();
    this.#every(BEATS, () => this.#beat());
    this.#every(MINUTE, () => this.#tellIfUnwatched());
  }

  ended(): void {
    this.#lastWord(FAREWELL);
  }

  handOver(): void {
    if (this.#child === undefined && !this.#over) this.#start();
    this.#lastWord(HANDOVER);
  }

  #lastWord(word: string): void {
    if (!this.#over) this.#child?.stdin?.end(word);
    this.#over = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #start(): void {
    const { directory, clock } = this.#options;
    this.#startedAt = clock.now();
    [this.#unanswered, this.#answered] = [0, false];
    try {
      const child = this.#spawn(directory);
      this.#child = child;
      child.once('error', (error) => this.#lost(child, error.message));
      child.once('exit', (code, signal) => this.#lost(child, signal ?? `code ${code}`));
      child.stdin?.on('error', () => undefined); // its end is told once, above
      child.stdout
        ?.on('error', () => undefined)
        .on('data', () => {
          [this.#unanswered, this.#answered] = [0, true];
        });
      child.unref();
      child.stdin?.write(BEAT);
    } catch (error) {
      this.#lost(undefined, messageOf(error));
    }
  }

  /** Its words go into a file; where that cannot be opened, it does its work without. */
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

  #lost(child: ChildProcess | undefined, why: string): void {
    if (this.#over || child !== this.#child) return;
    const { clock, log } = this.#options;
    this.#child = undefined;
    this.#failures = clock.now() - this.#startedAt < MINUTE ? this.#failures + 1 : 1;
    const pause = Math.min(MINUTE, FIRST_PAUSE * 2 ** (this.#failures - 1));
    log.warn(`the watchdog of this run has ended (${why}); the run starts another one in ${Math.ceil(pause / 1_000)} s`);
    this.#after(pause, () => this.#start());
  }

  #beat(): void {
    if (this.#child === undefined) return;
    this.#unanswered += 1;
    if (this.#unanswered > (this.#answered ? MOST_UNANSWERED.later : MOST_UNANSWERED.first)) this.#child.kill('SIGKILL');
    else this.#child.stdin?.write(BEAT);
  }

  #tellIfUnwatched(): void {
    if (this.#child === undefined || this.#unanswered > 1)
      this.#options.log.warn('no watchdog of this run answers: if the bot dies now, its orders stay');
  }

  #every(span: Millis, run: () => void): void {
    this.#after(span, () => {
      this.#every(span, run);
      run();
    });
  }

  #after(span: Millis, run: () => void): void {
    const { clock } = this.#options;
    const due = (): void => {
      this.#timers.delete(due);
      run();
    };
    this.#timers.set(due, clock.at(clock.now() + span, due));
  }
}
