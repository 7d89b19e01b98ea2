// `bot status`: the runs of this machine, one line each: on a terminal those that live, with --all and in scripts all of them.
import { type Millis, systemClock } from '../../../base/clock.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { PROGRAM } from '../../../base/package.ts';
import { counted } from '../../../base/text/counted.ts';
import { agoText } from '../../../base/text/duration.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import type { RunOutcome } from '../../../bot/domain/outcome.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import { isSilent, type Now, readNow } from '../../../bot/run/core/now.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { identityOf, identityWords, type RunIdentity } from '../../monitoring/identity.ts';
import { endedOf } from '../../outcome.ts';
import { safeText } from '../../output/safe-text.ts';
import { tableLines } from '../../output/table.ts';
import { heldWords, secondsText } from '../../output/words.ts';
import { isSimulated, type Venues } from '../../venues.ts';
import { allRuns, flagFor, type ResolvedRun } from './resolve-state.ts';

export interface RunStatus extends RunIdentity {
  readonly kind: 'run';
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  readonly markets: readonly string[];
  /** RFC 3339. */
  readonly started: string;
  /** `hangs`: its process is alive and has written nothing for 5 s. */
  readonly process: 'alive' | 'hangs' | 'ended';
  readonly outcome: RunOutcome;
  /** Why it ended; absent if it is done or lives. */
  readonly reason?: string | undefined;
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

export interface StatusFlags {
  readonly json?: true;
  readonly all?: true;
}

export async function status(flags: StatusFlags, host: Host): Promise<ExitCode> {
  const { stdout, venues } = host;
  const now = systemClock.now();
  const runs = allRuns(host);
  if (flags.json) {
    for (const run of runs) say(stdout, JSON.stringify(statusOf(run, { at: now, venues })));
    return 0;
  }
  const listed = flags.all || stdout.isTTY !== true ? runs : runs.filter(({ alive }) => alive);
  const rows = listed.map((run) => cellsOf(statusOf(run, { at: now, venues }), { now, flag: flagFor(run) }));
  for (const line of tableLines(rows)) say(stdout, line);
  const left = runs.length - listed.length;
  if (runs.length === 0) say(stdout, `no runs on this machine; ${PROGRAM} --strategy grid starts one`);
  else if (left > 0) say(stdout, `${listed.length === 0 ? 'no run is alive; ' : ''}${counted(left, 'run')} ended: ${PROGRAM} status --all`);
  return 0;
}

export function statusOf(
  { directory, facts, alive }: ResolvedRun & { readonly alive: boolean },
  { at, venues }: { readonly at: Millis; readonly venues: Venues },
): RunStatus {
  const now = readNow(directory);
  const liveness = isSilent(now, at) ? 'hangs' : 'alive';
  const { exchange, started } = facts;
  return {
    kind: 'run',
    run: facts.run,
    ...identityOf(exchange, { state: directory, isReal: !isSimulated(venues.of(exchange)), account: now?.account }),
    strategy: facts.strategy,
    exchange: facts.exchange.kind,
    markets: facts.markets,
    started,
    process: alive ? liveness : 'ended',
    ...(alive ? { outcome: 'running' } : endedOf(directory, { started, now })),
    mode: alive && now !== undefined ? now.mode : new KillSwitch(nodeDisk(directory)).get().mode,
    ...(now !== undefined && seenOf(now)),
  };
}

function seenOf({ at, status: { equity, pnl, positions, openOrders, dataAgeMs }, unknown, alarms }: Now): Partial<RunStatus> {
  return { at, equity, pnl, positions, openOrders, unknown: unknown.length, dataAgeMs, alarms: alarms.length };
}

/** `flag` names the run on a command line. */
function cellsOf(run: RunStatus, { now, flag }: { readonly now: Millis; readonly flag: string }): readonly string[] {
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
    run.pnl === undefined ? 'pnl not known' : `pnl ${run.pnl}`,
    identityWords(run),
    [...notes, ...(flag === run.run ? [] : [flag])].join(', '),
  ].map(safeText);
}

function processWords({ process, outcome, at, started }: RunStatus, now: Millis): string {
  if (process === 'alive') return `alive for ${agoText(now - Date.parse(started))}`;
  const ago = at === undefined ? '' : ` ${agoText(now - Date.parse(at))} ago`;
  return process === 'hangs' ? `hangs: last reported${ago}` : `${outcome}${ago}`;
}
