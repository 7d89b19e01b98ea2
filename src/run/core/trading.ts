// A run with its ledger, state directory, event lines and summary.
// run.ts, assemble.ts        the run: inbox, turns, stop; its world and engine
// config.ts, venue.ts        the configuration file; what a connection to an exchange needs
// start-check.ts             checks of the account before the start
// client-order-ids.ts        ids that no other order has, also after a restart
// inbox.ts, timers.ts        events that wait for their turn; timers; clock-watch.ts: a machine that slept
// bookkeeping.ts, ending.ts  the record of each turn; how a run ends; send-rate.ts: rate of sent orders
// candles/                   the history of a strategy: kept, requested and missing candles
import { merge, type Observable, Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { checkSpotMarkets } from '../../domain/accounting/spot.ts';
import type { ClockJumped, Command, InputEvent, TimerFired } from '../../domain/event.ts';
import { toDecimal } from '../../domain/numbers.ts';
import type { Finding, Turn } from '../../domain/turn.ts';
import type { Venue } from '../../exchange/port.ts';
import { type Line, type LogLine, moneyText, timeText } from '../../report/accounting/lines.ts';
import { positionsOf, type Summary, summaryOf } from '../../report/accounting/summary.ts';
import { RULE_NAMES, rulesFrom, stopsFrom } from '../../risk/rules.ts';
import type { Decider } from '../../strategy/decide.ts';
import type { World } from '../../world/world.ts';
import { headerText, type Origin } from '../recording/turn-recording.ts';
import { type History, historyOf, ledgerOf, NO_HISTORY, notLater } from '../state/history.ts';
import { accountingAtStart } from '../state/loss-entries.ts';
import type { State } from '../state/state.ts';
import { assemble } from './assemble.ts';
import { Bookkeeping } from './bookkeeping.ts';
import { CandleKeeper } from './candles/kept-candles.ts';
import { MissingCandles } from './candles/missing-candles.ts';
import { withPast } from './candles/past.ts';
import { type Run, startRun } from './run.ts';
import { type ForeignOrdersPolicy, foreignNow } from './start-check.ts';

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
  /** Measures the time of a turn, and of a durable write. */
  readonly timed?: Timed | undefined;
}

export type Timed = <Result>(what: 'turn' | 'journal', work: () => Result) => Result;

/** The state of a run, once a second. Money is decimal text, in quote tokens. */
export interface Status {
  readonly kind: 'status';
  readonly at: string;
  readonly equity?: string | undefined;
  readonly pnl: string;
  readonly positions: Readonly<Record<string, string>>;
  readonly margins?: (Readonly<Record<'omf' | 'mf' | 'imf' | 'mmf' | 'pon' | 'pn', string>> & { readonly cmf?: string }) | undefined;
  readonly openOrders: number;
  /** Age of the account in milliseconds; undefined before the first. */
  readonly dataAgeMs?: number | undefined;
}

export interface Trading {
  readonly run: Run;
  /** Orders, fills, findings, alarms and the strategy's log records as they occur. Created only while subscribed. */
  readonly lines: Observable<Line>;
  /** The strategy's log records alone. */
  readonly logs: Observable<LogLine>;
  status(): Status;
  /** Returns the current findings of guards and gates. */
  holding(): readonly Finding[];
  summary(): Summary;
}

export function startTrading(options: TradingOptions): Trading {
  const { clock, venue, state, decide, limits, params, seed, name, live, pace, newExchange = false, inputs, timed, origin } = options;
  const foreign = newExchange ? options.foreign : foreignNow(state.earlier, options.foreign);
  const { markets } = venue.feed;
  checkSpotMarkets(markets);
  const orderLife = venue.rules?.orderLife;
  const startedAt = clock.now();
  const earlier = notLater(historyOf(state.earlier, new Map(markets.map((market) => [market.symbol, market]))), startedAt);
  const { lastClientOrderId, memory } = earlier;
  const before = newExchange ? { ...NO_HISTORY, lastClientOrderId, memory } : earlier;
  const accounting = accountingAtStart(before, state.killSwitch?.get().mode);
  const history: History = { ...before, ...accounting, series: state.series, connectedAt: venue.connectedAt };
  const { world, engine } = assemble({ markets, history, startedAt, decide, rules: rulesFrom(limits, { live }), foreign, orderLife });
  const ledger = ledgerOf(state.earlier, { markets, guards: RULE_NAMES });
  state.record?.(
    headerText({
      strategy: name.strategy,
      params,
      limits,
      seed,
      startedAt,
      markets: markets.map(({ spec }) => spec),
      history,
      foreign,
      live,
      orderLife,
      origin,
    }),
  );

  const [lines, logs] = [new Subject<Line>(), new Subject<LogLine>()];
  const books = new Bookkeeping({ state, ledger, world, lines, logs });
  const record = (turn: Turn): void => books.record(turn);
  const missing = decide.warmUp === undefined ? undefined : new MissingCandles(decide.warmUp, world);
  const { warmUp } = decide;
  const kept = newExchange ? undefined : state.candles; // a new exchange has another past
  const keeper = kept && warmUp && new CandleKeeper(kept, { world, wanted: warmUp.wanted });
  const { feed } = warmUp === undefined ? venue : withPast({ venue, warmUp, clock, kept, failed: (why) => missing?.failed(why) });
  const run = startRun({
    clock,
    venue: { gateway: venue.gateway, feed: { events: inputs === undefined ? feed.events : merge(feed.events, inputs) } },
    world,
    engine: timed === undefined ? engine : { step: (...events) => timed('turn', () => engine.step(...events)) },
    pace,
    record,
    killSwitch: state.killSwitch,
    stops: stopsFrom(limits),
    trouble: () => state.trouble(),
  });
  let turns = 0;
  const counted = (): void => {
    turns++;
    keeper?.see();
    const line = missing?.line();
    if (line !== undefined) lines.next(line);
  };
  run.turns.subscribe({
    next: counted,
    complete: () => {
      lines.complete();
      logs.complete();
    },
  });
  const totals = () => ledger.totals((market) => world.info(market)?.value.mark ?? world.info(market)?.value.index);
  return {
    run,
    lines,
    logs,
    status: () => statusOf(world, { at: timeText(clock.now()), pnl: moneyText(totals().pnl), now: clock.now() }),
    holding: () => engine.currentFindings(),
    summary: () =>
      summaryOf({
        ...name,
        seconds: (clock.now() - startedAt) / 1000,
        turns,
        totals: totals(),
        orders: world.orders(),
        account: world.account?.value,
        markets,
        mode: world.mode,
        modeReason: world.modeReason,
        fingerprint: run.fingerprint(),
      }),
  };
}

/** Stops a run after a time. */
export function stopAfter(run: Run, { clock, spanMs }: { clock: Clock; spanMs: number }): void {
  const cancel = clock.at(clock.now() + spanMs, () => run.stop(`the time of ${spanMs / 1000} s is over`));
  void run.done.then(cancel);
}

function statusOf(world: World, { at, pnl, now }: { at: string; pnl: string; now: number }): Status {
  const account = world.account;
  const margins = account?.value.margins;
  return {
    kind: 'status',
    at,
    equity: margins === undefined ? undefined : moneyText(margins.mf),
    pnl,
    positions: positionsOf(account?.value, [...world.markets.values()]),
    margins: margins === undefined ? undefined : marginTexts(margins),
    openOrders: world.orders().length,
    dataAgeMs: account === undefined ? undefined : Math.max(0, now - account.asked),
  };
}

/** In quote tokens, with two decimals. */
export function marginTexts({
  omf,
  mf,
  imf,
  cmf,
  mmf,
  pon,
  pn,
}: NonNullable<World['account']>['value']['margins']): NonNullable<Status['margins']> {
  const text = (value: typeof omf): string => toDecimal(value).toFixed(2);
  const cancel = cmf === undefined ? {} : { cmf: text(cmf) };
  return { omf: text(omf), mf: text(mf), imf: text(imf), ...cancel, mmf: text(mmf), pon: text(pon), pn: text(pn) };
}
