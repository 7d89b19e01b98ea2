// A run with its watchers: the ledger, the state directory, the lines that people and scripts read, and the summary.
import { type Observable, Subject } from 'rxjs';
import type { Clock } from '../base/clock.ts';
import { toDecimal } from '../domain/numbers.ts';
import type { Turn } from '../domain/turn.ts';
import type { Venue } from '../exchange/port.ts';
import { historyOf } from '../report/history.ts';
import { Ledger } from '../report/ledger.ts';
import { type Line, linesOf, moneyText, timeText } from '../report/lines.ts';
import { positionsOf, type Summary, summaryOf } from '../report/summary.ts';
import { RULE_NAMES, rulesFrom } from '../risk/rules.ts';
import type { World } from '../world/world.ts';
import { assemble, type Parts } from './assemble.ts';
import { headerText, turnText } from './recording.ts';
import { type Run, startRun } from './run.ts';
import type { State } from './state.ts';

export interface TradingOptions {
  readonly clock: Clock;
  readonly venue: Venue;
  readonly state: State;
  readonly decide: Parts['decide'];
  /** Of the configuration, as parsed. */
  readonly limits: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly seed: string;
  /** How many times slower than live everything is looked at: 1 unless told. */
  readonly pace?: number | undefined;
  readonly name: { readonly run: string; readonly strategy: string; readonly exchange: string };
}

/** How things stand, once a second. Money is decimal text, in quote tokens. */
export interface Status {
  readonly kind: 'status';
  readonly at: string;
  readonly equity?: string | undefined;
  readonly pnl: string;
  readonly positions: Readonly<Record<string, string>>;
  readonly margins?: Readonly<Record<'omf' | 'mf' | 'imf' | 'cmf' | 'mmf' | 'pon' | 'pn', string>> | undefined;
  readonly openOrders: number;
  /** Age of the account; undefined before the first. */
  readonly dataAgeMs?: number | undefined;
}

export interface Trading {
  readonly run: Run;
  /** Orders, fills and findings as they happen. */
  readonly lines: Observable<Line>;
  status(): Status;
  summary(): Summary;
}

export function startTrading({ clock, venue, state, decide, limits, params, seed, name, pace }: TradingOptions): Trading {
  const { markets } = venue.feed;
  const startedAt = clock.now();
  const history = historyOf(state.earlier, new Map(markets.map((market) => [market.symbol, market])));
  const { world, engine } = assemble({ markets, history, startedAt, decide, rules: rulesFrom(limits) });
  const ledger = new Ledger({ markets, guards: RULE_NAMES });
  for (const line of state.earlier) ledger.add(line);
  state.record?.(
    headerText({ strategy: name.strategy, params, limits, seed, startedAt, markets: markets.map(({ spec }) => spec), history }),
  );

  const lines = new Subject<Line>();
  const run = startRun({ clock, venue, world, engine, pace, record: bookkeeper({ state, ledger, world, lines }) });
  let turns = 0;
  run.turns.subscribe({ next: () => void turns++, complete: () => lines.complete() });
  const totals = () => ledger.totals((market) => world.info(market)?.value.mark ?? world.info(market)?.value.index);
  return {
    run,
    lines,
    status: () => statusOf(world, { at: timeText(clock.now()), pnl: moneyText(totals().pnl), now: clock.now() }),
    summary: () =>
      summaryOf({
        ...name,
        seconds: (clock.now() - startedAt) / 1000,
        turns,
        totals: totals(),
        orders: world.orders(),
        account: world.account?.value,
        markets,
        fingerprint: run.fingerprint(),
      }),
  };
}

/** First to the disk, then to whoever counts and watches. */
function bookkeeper({
  state,
  ledger,
  world,
  lines,
}: {
  state: State;
  ledger: Ledger;
  world: World;
  lines: Subject<Line>;
}): (turn: Turn) => void {
  return (turn) => {
    state.record?.(turnText(turn));
    if (turn.event.kind === 'accountSeen') ledger.account(turn.event.account);
    const told = linesOf(turn, world.markets);
    state.append(told);
    for (const line of told) {
      ledger.add(line);
      lines.next(line);
    }
  };
}

/** Stops a run by itself after a time. */
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

function marginTexts({ omf, mf, imf, cmf, mmf, pon, pn }: NonNullable<World['account']>['value']['margins']): Status['margins'] {
  const text = (value: typeof omf): string => toDecimal(value).toFixed(2);
  return { omf: text(omf), mf: text(mf), imf: text(imf), cmf: text(cmf), mmf: text(mmf), pon: text(pon), pn: text(pn) };
}
