// Progress of long work on standard error: a bar on a terminal; in a pipe a line per tenth, if it takes longer than ten seconds.
import progress from 'cli-progress';
import { type Clock, type Millis, systemClock } from '../../base/clock.ts';
import { type Host, say } from '../host.ts';

export interface Progress {
  /** Shows the progress: `share` from 0 to 1, with a `note` beside it. */
  readonly at: (share: number, note?: string) => void;
  readonly end: () => void;
}

/** Shows the progress of some work, which is named `what`. */
export function progressOf(what: string, { stderr, env }: Pick<Host, 'stderr' | 'env'>, clock: Pick<Clock, 'now'> = systemClock): Progress {
  return stderr.isTTY === true && env['TERM'] !== 'dumb' ? barOf(what, stderr) : linesOf(what, stderr, clock);
}

/** Shows the progress of `work` until it ends. */
export async function withProgress<T>(
  what: string,
  host: Pick<Host, 'stderr' | 'env'>,
  work: (at: Progress['at']) => Promise<T>,
): Promise<T> {
  const progress = progressOf(what, host);
  try {
    return await work(progress.at);
  } finally {
    progress.end();
  }
}

function barOf(what: string, stderr: Host['stderr']): Progress {
  const format = `${what} {bar} {percentage} % {note}`;
  const bar = new progress.SingleBar({ stream: stderr, clearOnComplete: true, hideCursor: true, format }, progress.Presets.shades_classic);
  bar.start(100, 0, { note: '' });
  return { at: (share, note = '') => bar.update(Math.floor(share * 100), { note }), end: () => bar.stop() };
}

/** Work that takes less time prints no line in a pipe. */
const SILENT: Millis = 10_000;

/** Prints each tenth that is reached later than `SILENT` after the beginning, once. */
function linesOf(what: string, stderr: Host['stderr'], clock: Pick<Clock, 'now'>): Progress {
  const began = clock.now();
  let tenths = 0;
  return {
    at(share, note) {
      const reached = Math.floor(share * 10);
      if (reached === tenths || share >= 1 || clock.now() - began < SILENT) return;
      tenths = reached;
      say(stderr, `${what}: ${Math.floor(share * 100)} %${note === undefined ? '' : `, ${note}`}`);
    },
    end: () => undefined,
  };
}
