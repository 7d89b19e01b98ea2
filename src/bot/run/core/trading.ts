// A run with its state directory, event lines and summary.
// run.ts, assemble.ts        the run: inbox, turns, stop; its world and engine
// run-now.ts                 what a run is doing now, and its status line
// config.ts, venue.ts        the configuration file; what a connection to an exchange needs
// start-check.ts             checks of the account before the start
// bot/run/state/client-order-ids.ts        ids that no other order has, also after a restart
// inbox.ts, timers.ts        events that wait for their turn; timers
// own-events.ts              what the run observes itself, such as a machine that slept
// bookkeeping.ts, ending.ts  the record of each turn; how a run ends; bot/run/state/send-rate.ts: rate of sent orders
// read-again.ts              trades of provisional fills are read again
// candles/                   the history of a strategy: kept, requested and missing candles
import { merge, type Observable, Subject } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { FindingLine, Line, LogLine } from '../../accounting/lines.ts';
import { type Summary, summaryOf } from '../../accounting/summary.ts';
import { checkSpotMarkets } from '../../domain/accounting/spot.ts';
import type { ClockJumped, Command, HealthSeen, InputEvent, TimerFired } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { OrderIntent } from '../../domain/intent.ts';
import type { Turn } from '../../domain/turn.ts';
import type { StopLevel } from '../../engine/exits/position.ts';
import type { Venue } from '../../exchange/port.ts';
import { RULE_NAMES, rulesFrom, stopsFrom } from '../../risk/rules.ts';
import type { Decider } from '../../strategy/decide.ts';
import type { Allowance } from '../../world/commands.ts';
import type { World } from '../../world/world.ts';
import type { ForeignOrdersPolicy } from '../state/entries.ts';
import { countsOf, type EarlierHistory, historyOf, NO_HISTORY, notLater } from '../state/history.ts';
import { accountingAtStart, onlyTotalsOf } from '../state/loss-entries.ts';
import type { State } from '../state/state.ts';
import { headerText, type Origin } from '../state/turn-recording.ts';
import { assemble } from './assemble.ts';
import { Bookkeeping } from './bookkeeping.ts';
import { CandleKeeper } from './candles/kept-candles.ts';
import { MissingHistory } from './candles/missing-history.ts';
import { withPast } from './candles/past.ts';
import { ClosingLines } from './ending.ts';
import { type Run, startRun } from './run.ts';
import { type RunNow, runNowOf, type Status, statusOf } from './run-now.ts';
import { foreignNow } from './start-check.ts';
import { Timers } from './timers.ts';

export interface TradingOptions {
  readonly clock: Clock;
  readonly venue: Venue;
  readonly state: State;
  readonly decide: Decider;
  /** The limits of the configuration, as parsed. */
  readonly limits: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly seed: string;
  /** Kept in the recording of the turns. */
  readonly origin?: Origin | undefined;
  /** True if it trades real money. */
  readonly live?: boolean | undefined;
  /** Factor by which polling is slower than live; default 1. */
  readonly pace?: number | undefined;
  /** True if the exchange started with this process, so that only totals and memory of earlier processes are used. */
  readonly newExchange?: boolean | undefined;
  /** Events of the strategy's inputs, subscribed to while the run lasts, and recorded ones of the run itself; none if absent. */
  readonly inputs?: Observable<InputEvent | Command | ClockJumped | TimerFired> | undefined;
  /** What to do with unknown orders that the first account lists; default `ignore`. */
  readonly foreign?: ForeignOrdersPolicy | undefined;
  readonly name: { readonly run: string; readonly strategy: string; readonly exchange: string };
  /** The run's part of a limit over several runs of this process. */
  readonly allowance?: { begin(world: World): () => Allowance } | undefined;
  /** Measures the time of a turn, and of a durable write. */
  readonly timed?: Timed | undefined;
}

export type Timed = <Result>(what: 'turn' | 'journal', work: () => Result) => Result;

export interface Trading {
  readonly run: Run;
  /** Orders, fills, findings, alarms and the strategy's log records as they occur. Created only while subscribed. */
  readonly lines: Observable<Line>;
  /** The strategy's log records alone. */
  readonly logs: Observable<LogLine>;
  now(): RunNow;
  status(): Status;
  /** The nearest stop of the position in a market, as of the last turn; undefined if there is none. */
  stopIn(market: MarketId): StopLevel | undefined;
  summary(): Summary;
}

export function startTrading(options: TradingOptions): Trading {
  const { clock, venue, state, decide, limits, name, live, pace, newExchange = false, inputs, allowance, timed } = options;
  const { markets } = venue.feed;
  checkSpotMarkets(markets);
  const startedAt = clock.now();
  const history = historyAtStart(options, startedAt);
  const foreign = newExchange ? options.foreign : foreignNow(state.earlier, options.foreign);
  const atStart = { startedAt, history, foreign, ...rulesOf(venue) };
  const { world, engine } = assemble({ markets, decide, rules: rulesFrom(limits, { live }), ...atStart });
  const counts = countsOf(state.earlier, RULE_NAMES);
  state.record?.(headerOf(options, atStart));
  const [lines, logs] = [new Subject<Line>(), new Subject<LogLine>()];
  const books = new Bookkeeping({ state, counts, world, lines, logs });
  const { events, afterTurn } = withStrategyHistory(options, { world, lines });
  const run = startRun({
    clock,
    venue: { ...venue, feed: { events: inputs === undefined ? events : merge(events, inputs) } },
    world,
    engine: timed === undefined ? engine : { step: (...step) => timed('turn', () => engine.step(...step)) },
    pace,
    books,
    killSwitch: state.killSwitch,
    stops: stopsFrom(limits),
    allowance: allowance?.begin(world),
    trouble: () => state.trouble(),
    recordingGap: () => state.recordingGap?.(),
  });
  let intents: readonly OrderIntent[] = [];
  run.turns.subscribe({
    next: (turn) => {
      books.show(turn);
      intents = turn.intents;
      afterTurn();
    },
    complete: () => [lines, logs].forEach((subject) => subject.complete()),
  });
  addOwnLines(run, lines);
  const now = (): RunNow => runNowOf(world, { intents, findings: engine.currentFindings(), quality: venue.feed.quality });
  return {
    run,
    lines,
    logs,
    now,
    status: () => statusOf(now(), clock.now()),
    stopIn: (market) => engine.stopIn(market),
    summary: () =>
      summaryOf({
        ...name,
        ...now(),
        seconds: (clock.now() - startedAt) / 1000,
        exchangeBehindSeconds: (venue.timeSkipped?.() ?? 0) / 1000,
        turns: books.causes.counts(),
        counts: counts.counts(),
        byMarket: world.accounting.profit.byMarket(),
        orders: world.orders(),
        account: world.account?.value,
        markets,
        fingerprint: run.fingerprint(),
      }),
  };
}

/** Returns what earlier processes of the run left behind; of a new exchange only the memory, the last client order id and the profit. */
function historyAtStart({ venue, state, newExchange }: TradingOptions, startedAt: Millis): EarlierHistory {
  const markets = new Map(venue.feed.markets.map((market) => [market.symbol, market]));
  const earlier = notLater(historyOf(state.earlier, markets), startedAt);
  const { lastClientOrderId, memory } = earlier;
  const before =
    newExchange === true ? { ...NO_HISTORY, lastClientOrderId, memory, ...onlyTotalsOf(earlier, venue.feed.markets) } : earlier;
  const accounting = accountingAtStart(before, state.killSwitch?.get().mode);
  return { ...before, ...accounting, series: state.series, connectedAt: venue.connectedAt };
}

type ExchangeTerm = 'orderLife' | 'needsWitness' | 'bindsAccounts' | 'accountLag';
type AtStart = Pick<Parameters<typeof headerText>[0], 'startedAt' | 'history' | 'foreign' | ExchangeTerm>;

/** Returns the first line of the recording of the turns. */
function headerOf({ venue, name, params, limits, seed, live, origin }: TradingOptions, start: AtStart): string {
  const markets = venue.feed.markets.map(({ spec }) => spec);
  const { quality } = venue.feed;
  return headerText({ ...start, strategy: name.strategy, params, limits, seed, markets, live, quality, origin });
}

/** The rules of the exchange that the world needs. */
const rulesOf = ({ rules, isInProcess }: Venue): Pick<AtStart, ExchangeTerm> => ({
  orderLife: rules?.orderLife,
  needsWitness: rules?.absence === 'accounts' ? undefined : true,
  bindsAccounts: isInProcess !== true,
  accountLag: rules?.accountLag,
});

interface StrategyHistory {
  /** The events of the feed, with past candles. */
  readonly events: Venue['feed']['events'];
  /** Keeps the new candles, and reports those that are still missing. */
  readonly afterTurn: () => void;
}

/** Adds the candles that the strategy needs before its first call to the events of the feed. */
function withStrategyHistory(
  { clock, venue, state, decide: { warmUp }, newExchange }: TradingOptions,
  { world, lines }: { readonly world: World; readonly lines: Subject<Line> },
): StrategyHistory {
  if (warmUp === undefined) return { events: venue.feed.events, afterTurn: () => undefined };
  const kept = newExchange === true ? undefined : state.candles; // a new exchange has another past
  const missing = new MissingHistory(warmUp, world);
  const keeper = kept && new CandleKeeper(kept, { world, wanted: warmUp.wanted });
  const { feed } = withPast({ venue, warmUp, clock, kept, failed: (why) => missing.failed(why) });
  return {
    events: feed.events,
    afterTurn: () => {
      keeper?.writeNew();
      const line = lines.observed ? missing.line() : undefined;
      if (line !== undefined) lines.next(line);
    },
  };
}

/** Stops a run after a time in which the machine was awake: a wall clock that is set does not shorten it. */
export function stopAfter(run: Run, { clock, spanMs }: { clock: Clock; spanMs: number }): void {
  const timers = new Timers(clock, (error) => run.fail(error));
  timers.afterAwake(spanMs, () => run.stop(`the time of ${spanMs / 1000} s is over`));
  void run.done.then(() => timers.clear());
}

/** Streams whose health no gate and no guard reads, so that no finding of a turn names them. */
const REPORTED: ReadonlySet<string> = new Set(['actions', 'clock', 'orders', 'recording', 'sessions']);

const NO_HEALTH: readonly HealthSeen[] = [];
const NO_LINES: readonly FindingLine[] = [];

/** Lines for streams that are unhealthy although nothing is held because of them. */
class HealthLines {
  readonly #unhealthy = new Set<string>();

  /** Returns a line for each stream that has become unhealthy in the turn. */
  lines({ events, health = NO_HEALTH }: Pick<Turn, 'events' | 'health'>): readonly FindingLine[] {
    const isQuiet = health.length === 0 && !events.some(({ kind }) => kind === 'healthSeen');
    if (isQuiet) return NO_LINES;
    const seen = [...events.filter((event) => event.kind === 'healthSeen'), ...health];
    return seen.flatMap((one) => this.#line(one) ?? []);
  }

  #line({ stream, healthy, at, reason }: HealthSeen): FindingLine | undefined {
    if (!REPORTED.has(stream)) return undefined;
    const isNew = !healthy && !this.#unhealthy.has(stream);
    if (healthy) this.#unhealthy.delete(stream);
    else this.#unhealthy.add(stream);
    return isNew ? { kind: 'finding', at: timeText(at), guard: stream, verdict: 'report', reason } : undefined;
  }
}

/** Adds the lines to `lines` until the run has ended. They are printed, and not journaled. */
export function addOwnLines({ world, turns }: Run, lines: Subject<Line>): void {
  const [closing, health] = [new ClosingLines(world), new HealthLines()];
  turns.subscribe((turn) => {
    const due = closing.line();
    for (const line of health.lines(turn)) lines.next(line);
    if (due !== undefined) lines.next(due);
  });
}
