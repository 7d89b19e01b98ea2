// `bot status`: the runs of this machine, one line each, or a few short ones on a terminal that is narrower. A terminal shows those that are alive, and all
// of them with --all; a script gets all of them. Below them stands what the data of live runs is worth.
import { type Millis, systemClock } from '../../../base/clock.ts';
import { PROGRAM } from '../../../base/package.ts';
import { agoText } from '../../../base/text/duration.ts';
import { counted } from '../../../base/text/phrases.ts';
import { readNow } from '../../../bot/run/core/now.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { identityWords } from '../../monitoring/identity.ts';
import type { RunLine } from '../../monitoring/listed-run.ts';
import { linesWithin, safeText } from '../../output/table.ts';
import { heldWords, secondsText } from '../../output/words.ts';
import { allRuns, flagFor } from '../../resolve-state.ts';
import { runLineOf } from '../../run-line.ts';
import type { StatusFlags } from './command.ts';

export async function status(flags: StatusFlags, host: Host): Promise<ExitCode> {
  const { stdout, venues } = host;
  const now = systemClock.now();
  const runs = allRuns(host);
  const lineOf = (run: (typeof runs)[number]): RunLine => runLineOf({ ...run, now: readNow(run.directory) }, { at: now, venues });
  if (flags.json) {
    for (const run of runs) say(stdout, JSON.stringify(lineOf(run)));
    return 0;
  }
  const listed = flags.all || stdout.isTTY !== true ? runs : runs.filter(({ alive }) => alive);
  const lines = listed.map((run) => ({ line: lineOf(run), flag: flagFor(run) }));
  const rows = lines.map(({ line, flag }) => cellsOf(line, { now, flag }));
  for (const text of linesWithin(stdout.isTTY === true ? stdout.columns : undefined, rows)) say(stdout, text);
  for (const { line } of lines) if (line.quality !== undefined && line.process !== 'ended') say(stdout, safeText(dataWords(line)));
  const left = runs.length - listed.length;
  if (runs.length === 0) say(stdout, `no runs on this machine; ${PROGRAM} --strategy grid starts one`);
  else if (left > 0) say(stdout, `${listed.length === 0 ? 'no run is alive; ' : ''}${counted(left, 'run')} ended: ${PROGRAM} status --all`);
  return 0;
}

/** `flag` names the run on a command line. */
function cellsOf(run: RunLine, { now, flag }: { readonly now: Millis; readonly flag: string }): readonly string[] {
  const { openOrders = 0, unknown = 0, alarms = 0, dataAgeMs } = run;
  const notes = [
    ...(run.reason === undefined ? [] : [run.reason]),
    ...(run.process === 'ended' && openOrders > 0 ? [`${counted(openOrders, 'order')} open when it ended`] : []),
    ...(run.process !== 'ended' ? [counted(openOrders, 'open order')] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(alarms > 0 ? [counted(alarms, 'alarm')] : []),
    ...(run.process === 'alive' && dataAgeMs !== undefined ? [`account ${secondsText(dataAgeMs)} old`] : []),
  ];
  const position = run.positions === undefined ? 'position not known' : (heldWords(run.positions) ?? 'flat');
  return [
    run.run,
    processWords(run, now),
    run.mode,
    position,
    run.pnl === undefined ? 'profit not known' : `profit ${run.pnl}`,
    identityWords(run),
    [...notes, ...(flag === run.run ? [] : [flag])].join(', '),
  ].map(safeText);
}

const dataWords = ({ run, quality }: RunLine): string => `${run} data: ${quality}`;

function processWords({ process, outcome, at, started }: RunLine, now: Millis): string {
  if (process === 'alive') return `alive for ${agoText(now - Date.parse(started))}`;
  const ago = at === undefined ? '' : ` ${agoText(now - Date.parse(at))} ago`;
  return process === 'hangs' ? `hangs: last reported${ago}` : `${outcome}${ago}`;
}
