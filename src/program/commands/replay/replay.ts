// `bot replay`: decides the recorded turns of a run again, and prints the first difference.
import { openRecordedRun } from '../../../research/parity/recorded-run.ts';
import { isDirectory, type Replayed, replayRun } from '../../../research/parity/replay.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { type PageRow, pageLine } from '../../output/words.ts';
import { type ResolvedRun, resolveState } from '../../resolve-state.ts';
import type { ReplayFlags } from './command.ts';

/** Returns the run of that name or state directory. Throws a UserError `run` if there is none. */
export const recordedRunOf = (run: string | undefined, { state }: Pick<ReplayFlags, 'state'>, host: Host): ResolvedRun =>
  run !== undefined && state === undefined && isDirectory(run)
    ? resolveState({ state: run }, 'newest', host)
    : resolveState({ run, ...(state !== undefined && { state }) }, 'newest', host);

export async function replay(named: string | undefined, flags: ReplayFlags, host: Host): Promise<ExitCode> {
  const { stdout, stderr } = host;
  const { directory, facts } = recordedRunOf(named, flags, host);
  const recorded = await openRecordedRun(directory);
  const replayed = await replayRun(recorded, flags.strategy);
  for (const part of recorded.damage) say(stderr, `warning: ${part}`);
  const { turns, equal, first, changed } = replayed;
  const agreement = turns === 0 ? 1 : equal / turns;
  const summary = { kind: 'summary', run: facts.run, turns, equal, agreement, first, changed, damage: recorded.damage };
  say(stdout, flags.json ? JSON.stringify(summary) : words(facts.run, replayed));
  return equal === turns ? 0 : 1;
}

function words(run: string, { turns, equal, first, changed }: Replayed): string {
  const share = turns === 0 ? '' : ` (${((100 * equal) / turns).toFixed(2)} %)`;
  const rows: readonly PageRow[] = [
    ['turns', `${equal} of ${turns} decided as in the run${share}`],
    ...(first === undefined
      ? []
      : ([
          ['differs', `first in turn ${first.turn} at ${first.at}, after ${first.after}`],
          ['run', first.run],
          ['replay', first.replay],
        ] as const)),
    ...changed.map((change) => ['changed', change] as const),
    ...(first !== undefined && changed.length === 0 ? [['changed', NOTHING_CHANGED] as const] : []),
  ];
  return [run, ...rows.map((row) => safeText(pageLine(row)))].join('\n');
}

const NOTHING_CHANGED =
  'nothing that is recorded: either the code of this program (of the same version) is another, or the strategy uses what is not recorded, such as the clock, Math.random or a request of its own';
