// `fleet --ui`: one page for all runs of the fleet, which begins with their list.
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { timeText } from '../../../base/text/duration.ts';
import { moneyText } from '../../../bot/accounting/lines.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import { type RunHistory, readHistory } from '../../../bot/run/core/history-file.ts';
import { statusOf } from '../../../bot/run/core/run-now.ts';
import type { FleetFile } from '../../fleet/file.ts';
import type { LimitEnforcer } from '../../fleet/limit-enforcer.ts';
import type { FleetLimit } from '../../fleet/limits.ts';
import { identityOf } from '../../monitoring/identity.ts';
import type { ListedFigures, ListedRun, RunLine } from '../../monitoring/listed-run.ts';
import type { PageSources } from '../../monitoring/page/api.ts';
import type { PageFleet } from '../../monitoring/page/contract.ts';
import { type LiveSource, liveSource } from '../../monitoring/page/live.ts';
import { openPage } from '../../monitoring/page/page.ts';
import { historyReader, runListOf } from '../../monitoring/page/run-list.ts';
import type { RunWatch } from '../../monitoring/watch.ts';
import { type EndedRun, outcomeOf } from '../../outcome.ts';
import { whyInOtherProcess } from '../run/page.ts';
import { pageOptionsOf } from '../run/plan.ts';
import { pagesFolder, stopBy } from '../ui/link.ts';
import { bugReporter, type FleetContext, type FleetMonitor, type Member } from './member.ts';

export interface FleetPage extends FleetMonitor {
  readonly link: string;
  /** The address without the secret. */
  readonly url: string;
}

/** Resolves with undefined without --ui. Rejects with a `UserError` if the port cannot be used, or for --ui-control alone. */
export async function openFleetPage({ file, flags, members, host, clock, enforcer }: FleetContext): Promise<FleetPage | undefined> {
  const wanted = pageOptionsOf(flags);
  if (wanted === undefined) return undefined;
  const live = new Map<string, LiveSource>();
  const historyIn = historyReader();
  const sources: PageSources = {
    list: () => {
      const now = clock.now();
      return {
        ...runListOf(
          members.map((member) => listedRun(member, { now, historyIn })),
          now,
        ),
        fleet: overviewOf(file, enforcer),
      };
    },
    open: async (name) => {
      const source = name === undefined ? undefined : live.get(name);
      if (source !== undefined) return source;
      const isMember = members.some((member) => member.name === name);
      throw new UserError({
        code: 'run',
        message: isMember ? `the run ${name} has not begun yet` : 'there is no such run',
        hint: isMember ? 'it waits for the exchange, or has failed' : 'choose one of the list',
      });
    },
  };
  const listed = { folder: pagesFolder(host.env), shows: `fleet-${file.name}`, pid: host.pid };
  const page = await openPage({ clock, port: wanted.port, sources, listed, onBug: bugReporter('the page', host) });
  return {
    link: page.link,
    url: page.url,
    monitorOf: (member) => ({
      begin(watch, extras) {
        const { state: directory } = member.plan.facts;
        const stop = wanted.control ? stopBy(directory, clock) : undefined;
        const history = (): RunHistory | undefined => readHistory(directory);
        const source = liveSource({ watch, clock, extras, why: (order) => whyInOtherProcess(order, directory, host), stop, history });
        live.set(member.name, source);
        return { add: (turn) => source.add(turn), ended: () => source.ended() };
      },
    }),
    close: async () => {
      for (const source of live.values()) source.stream.close();
      await page.close();
    },
  };
}

/** Returns how a member ended. One that never traded failed at its start, unless it was stopped then. */
function endedOf({ outcome, code, killSwitch }: Member): EndedRun {
  if (outcome === undefined && code !== 0) return { outcome: 'failed', reason: `it ended before it traded, with exit code ${code}` };
  return outcomeOf(outcome?.ending, killSwitch);
}

function listedRun(member: Member, { now, historyIn }: { now: Millis; historyIn: ReturnType<typeof historyReader> }): ListedRun {
  const { name, plan, watch, code } = member;
  const { facts, live, venue } = plan;
  const account = watch?.account?.value.id;
  const line: RunLine = {
    kind: 'run',
    run: `${name} · ${facts.run}`,
    ...identityOf(venue.facts(account), { state: facts.state, isReal: live, account }),
    strategy: facts.strategy,
    exchange: facts.exchange,
    paper: facts.paper,
    markets: [...facts.markets],
    started: timeText(watch?.facts.startedAt ?? now),
    process: code === undefined ? 'alive' : 'ended',
    ...(code === undefined ? { outcome: 'running' } : endedOf(member)),
    mode: watch?.mode ?? 'active',
    ...(watch !== undefined && figuresOf(watch)),
  };
  return { line, id: name, today: watch && moneyText(watch.totals.today), history: historyIn(facts.state) };
}

function figuresOf(watch: RunWatch): ListedFigures {
  const { at, equity, pnl, positions, openOrders, dataAgeMs } = statusOf(watch, watch.at);
  return { at, equity, pnl, positions, openOrders, unknown: watch.unknown.length, dataAgeMs, alarms: watch.alarms };
}

/** Returns the overview of a fleet: the sums of its runs, and the used part of each limit. */
export function overviewOf(
  { name, limits }: Pick<FleetFile, 'name' | 'limits'>,
  { sums, acted }: Pick<LimitEnforcer, 'sums' | 'acted'>,
): PageFleet {
  const { 'gross-notional': gross, 'daily-loss': loss, drawdown: fall } = limits;
  const row = (limit: FleetLimit, used: number, most: number | undefined, mode: Mode | undefined) =>
    most === undefined || mode === undefined
      ? []
      : [{ limit, used: text(Math.max(0, used)), most: String(most), mode, acted: acted.includes(limit) }];
  return {
    fleet: name,
    pnl: text(sums.pnl),
    today: text(sums.today),
    gross: text(sums.gross),
    limits: [
      ...row('gross-notional', sums.gross, gross?.maxNotional, gross?.mode),
      ...row('daily-loss', -sums.today, loss?.maxLoss, loss?.mode),
      ...row('drawdown', sums.drawdown, fall?.maxLoss, fall?.mode),
    ],
  };
}

const text = (amount: number): string => moneyText(micros(amount));
