// A run's own watchdog: a process beside it that hears it live, and takes its orders away when it does not.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import type { Log } from '../../exchange/log.ts';
import type { Host } from '../host.ts';

/** What goes into its pipe: that the run lives, and that it has ended with nothing left behind. */
const BEAT = 'b';
export const FAREWELL = 'f';
const BEATS: Millis = 5_000;

/** `ended` tells it that nothing was left behind. Without that, the end of this process, however it comes, makes it act. */
export interface Watched {
  ended(): void;
}

/** Undefined where this program cannot be started again beside itself. A watchdog that ends before its run is told to `log`. */
export function startWatchdog(
  { self }: Host,
  { directory, clock, log }: { directory: string; clock: Clock; log: Log },
): Watched | undefined {
  if (self === undefined) return undefined;
  const journal = openSync(join(directory, 'watchdog.log'), 'a', 0o600);
  const child = spawn(self.program, [...self.args, 'watchdog', '--state', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', journal],
  });
  closeSync(journal);
  let [stop, over]: [Cancel, boolean] = [() => undefined, false];
  const lost = (why: string): void => {
    if (!over) log.warn(`the watchdog of this run has ended (${why}): should the bot die now, its orders stay`);
    over = true;
    stop();
  };
  child.once('error', (error) => lost(error.message));
  child.once('exit', (code, signal) => lost(signal ?? `code ${code}`));
  const pipe = child.stdin;
  assert(pipe !== null, 'the watchdog has a pipe');
  pipe.on('error', () => undefined); // its end is told once, above
  child.unref();
  const beat = (): void => {
    if (over) return;
    pipe.write(BEAT);
    stop = clock.at(clock.now() + BEATS, beat);
  };
  beat();
  return {
    ended() {
      if (!over) pipe.end(FAREWELL);
      over = true;
      stop();
    },
  };
}
