// Progress of long work on standard error: a bar on a terminal, a line per tenth in a pipe.
import progress from 'cli-progress';
import { type Host, say } from '../host.ts';

export interface Progress {
  /** Shows the progress: `share` from 0 to 1, with a `note` beside it. */
  readonly at: (share: number, note?: string) => void;
  readonly end: () => void;
}

export function progressOf(what: string, { stderr, env }: Pick<Host, 'stderr' | 'env'>): Progress {
  return stderr.isTTY === true && env['TERM'] !== 'dumb' ? barOf(what, stderr) : linesOf(what, stderr);
}

function barOf(what: string, stderr: Host['stderr']): Progress {
  const format = `${what} {bar} {percentage} % {note}`;
  const bar = new progress.SingleBar({ stream: stderr, clearOnComplete: true, hideCursor: true, format }, progress.Presets.shades_classic);
  bar.start(100, 0, { note: '' });
  return { at: (share, note = '') => bar.update(Math.floor(share * 100), { note }), end: () => bar.stop() };
}

/** Prints each tenth once, and nothing if the work completes in one step. */
function linesOf(what: string, stderr: Host['stderr']): Progress {
  let tenths = 0;
  return {
    at(share, note) {
      const reached = Math.floor(share * 10);
      if (reached === tenths || share >= 1) return;
      tenths = reached;
      say(stderr, `${what}: ${Math.floor(share * 100)} %${note === undefined ? '' : `, ${note}`}`);
    },
    end: () => undefined,
  };
}
