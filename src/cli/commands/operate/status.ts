// `bot status`: all runs of this machine, one line each.
import { type Millis, systemClock } from '../../../base/clock.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { PROGRAM } from '../../../base/package.ts';
import { counted } from '../../../base/text/counted.ts';
import { agoText } from '../../../base/text/duration.ts';
import type { Mode } from '../../../domain/mode.ts';
import { KillSwitch } from '../../../journal/kill-switch.ts';
import { isSilent, type Now, readNow } from '../../../run/state/now.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { tableLines } from '../../output/table.ts';
import { heldWords, secondsText } from '../../output/words.ts';
import { safeText } from '../../terminal/safe-text.ts';
import { allRuns, type ResolvedRun } from './resolve-state.ts';

export interface RunStatus {
  readonly kind: 'run';
  readonly run: string;
  /** The state directory. */
  readonly state: string;
  readonly strategy: string;
  readonly exchange: string;
  readonly markets: readonly string[];
  /** RFC 3339. */
  readonly started: string;
  /** `hangs`: its process is alive and has written nothing for 5 s. */
  readonly process: 'alive' | 'hangs' | 'ended';
  /** The mode of the run; after its end, the mode of the kill switch. */
  readonly mode: Mode;
  /** Time when the run last wrote its state, RFC 3339. The following fields are of this time; all are absent if it never did. */
  readonly at?: string | undefined;
  readonly equity?: string | undefined;
  readonly pnl?: string | undefined;
  readonly positions?: Readonly<Record<string, string>> | undefined;
  readonly openOrders?: number | undefined;
  /** Number of orders without a definite answer. */
  readonly unknown?: number | undefined;
  readonly dataAgeMs?: number | undefined;
  readonly alarms?: number | undefined;
}

export async function status(flags: { readonly json?: true }, host: Host): Promise<ExitCode> {
  const now = systemClock.now();
  const runs = allRuns(host).map((run) => statusOf(run, now));
  if (flags.json) for (const run of runs) say(host.stdout, JSON.stringify(run));
  else if (runs.length === 0) say(host.stdout, `no runs on this machine; ${PROGRAM} --strategy grid starts one`);
  else for (const line of tableLines(runs.map((run) => cellsOf(run, now)))) say(host.stdout, line);
  return 0;
}

export function statusOf({ directory, facts, alive }: ResolvedRun & { readonly alive: boolean }, at: Millis): RunStatus {
  const now = readNow(directory);
  const liveness = isSilent(now, at) ? 'hangs' : 'alive';
  return {
    kind: 'run',
    run: facts.run,
    state: directory,
    strategy: facts.strategy,
    exchange: facts.exchange.kind,
    markets: facts.markets,
    started: facts.started,
    process: alive ? liveness : 'ended',
    mode: alive && now !== undefined ? now.mode : new KillSwitch(nodeDisk(directory)).get().mode,
    ...(now !== undefined && seenOf(now)),
  };
}

function seenOf({ at, status: { equity, pnl, positions, openOrders, dataAgeMs }, unknown, alarms }: Now): Partial<RunStatus> {
  return { at, equity, pnl, positions, openOrders, unknown: unknown.length, dataAgeMs, alarms: alarms.length };
}

function cellsOf(run: RunStatus, now: Millis): readonly string[] {
  const { openOrders = 0, unknown = 0, alarms = 0, dataAgeMs } = run;
  const notes = [
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
    run.pnl === undefined ? 'pnl not known' : `pnl ${run.pnl}`,
    notes.join(', '),
  ].map(safeText);
}

function processWords({ process, at, started }: RunStatus, now: Millis): string {
  if (process === 'alive') return `alive for ${agoText(now - Date.parse(started))}`;
  const ago = at === undefined ? '' : ` ${agoText(now - Date.parse(at))} ago`;
  return process === 'hangs' ? `hangs: last reported${ago}` : `ended${ago}`;
}
