// A strategy on tapes: the run of a live bot, on a virtual clock, at an exchange whose other traders were recorded.
import { type Clock, type Millis, VirtualClock } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import type { Micros } from '../../domain/numbers.ts';
import { Exchange } from '../../embedded/exchange.ts';
import type { CandlePathOptions } from '../../embedded/recorded/candle-path.ts';
import type { QueueModel } from '../../embedded/recorded/queue.ts';
import type { FeeRates } from '../../embedded/rules/fees.ts';
import { clockBehindOf, RecordedLags } from '../../exchange/embedded/lags.ts';
import { type LatencySpec, latenciesOf } from '../../exchange/embedded/latency.ts';
import { simulatedVenue } from '../../exchange/embedded/venue.ts';
import type { Polling } from '../../exchange/kit/polling.ts';
import type { Summary } from '../../report/accounting/summary.ts';
import type { Params, Strategy } from '../../strategy/contract.ts';
import { deciderOf } from '../../strategy/decide.ts';
import type { Tape } from '../../tape/reader.ts';
import type { Ending, Run } from '../core/run.ts';
import { startTrading, type Trading } from '../core/trading.ts';
import { NO_STATE } from '../state/state.ts';
import { pacedLimits, pacedPolling, paceOf } from './pace.ts';
import { slowest, TapePlayer } from './tape-player.ts';
import { beginningOf, checkTapes, commonSpan, listingOf, type Span } from './tapes.ts';

/** What no tape can tell; `docs/simulation.md` says what each of them means. */
export interface Assumptions {
  readonly latency: LatencySpec;
  /** Where our orders stand among the recorded ones. */
  readonly queue: QueueModel;
  /** From 0 to 1: where in their intervals the pollers start. */
  readonly phase: number;
  /** Of tapes that hold candles and no books: how the price went inside them. */
  readonly candles: CandlePathOptions;
}

export interface BacktestOptions {
  readonly strategy: Strategy<Params>;
  /** As resolved. */
  readonly params: Params;
  /** As parsed. */
  readonly limits: Readonly<Record<string, unknown>>;
  readonly polling: Polling;
  readonly seed: string;
  /** Each of another market; what is played is the span that all of them cover. */
  readonly tapes: readonly Tape[];
  readonly assumptions: Assumptions;
  /** Quote money in the account at the beginning. */
  readonly deposit: Micros;
  /** Those of the exchange's brackets unless told. */
  readonly fees?: FeeRates | undefined;
  /** Shown the run, and how often it looks, before anything happens in it. */
  readonly watch?: ((trading: Trading, polling: Polling) => void) | undefined;
  /** Called once a second of the run's time; of candles, as much more seldom as everything is looked at. */
  readonly tick?: ((trading: Trading) => void) | undefined;
  /** Hears now and then of the share of the tapes that is played. */
  readonly progress?: ((share: number) => void) | undefined;
}

export interface BacktestResult {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly assumptions: Assumptions;
  /** Those of the options at the pace of the tapes, as they were in force. */
  readonly polling: Polling;
  readonly limits: Readonly<Record<string, unknown>>;
  /** What was played. */
  readonly span: Span;
  /** Of the recorded latency: how much the recorder's clock was behind the exchange's, which is made up for. */
  readonly clockBehind: Millis;
}

const SECOND: Millis = 1_000;

/** One seed, one set of tapes, parameters and assumptions give one result. Rejects with a UserError where they do not fit together. */
export async function backtest(options: BacktestOptions): Promise<BacktestResult> {
  const { tapes, assumptions, watch, tick, progress } = options;
  const { latency, queue, candles } = assumptions;
  checkTapes(tapes, queue);
  const span = commonSpan(tapes);
  const clock = new VirtualClock(span.from);
  const [first] = tapes;
  const heard = latency.kind === 'recorded' ? first : undefined;
  const clockBehind = heard === undefined ? 0 : await clockBehindOf(heard);
  const lags = new RecordedLags(clockBehind);
  const reels = tapes.map((tape) => {
    return new TapePlayer(tape, { candles, hear: tape === heard ? (rows) => lags.push(rows) : undefined });
  });
  try {
    const pace = paceOf(tapes, options.polling);
    const [polling, limits] = [pacedPolling(options.polling, pace), pacedLimits(options.limits, pace)];
    const trading = start({ reels, clock, lags, pace }, { ...options, polling, limits });
    watch?.(trading, polling);
    if (tick !== undefined) repeat(() => tick(trading), { clock, every: SECOND * pace });
    await play(trading.run, { reels, clock, span, pace, progress });
    return { ending: await trading.run.done, summary: trading.summary(), assumptions, polling, limits, span, clockBehind };
  } finally {
    for (const reel of reels) await reel.close();
  }
}

interface Stage {
  readonly reels: readonly TapePlayer[];
  readonly clock: VirtualClock;
  readonly lags: RecordedLags;
  readonly pace: number;
}

function start({ reels, clock, lags, pace }: Stage, options: BacktestOptions): Trading {
  const { strategy, params, limits, polling, seed, tapes, assumptions, deposit, fees } = options;
  const { latency, queue, phase } = assumptions;
  const rng = rngFrom(seed);
  const exchange = new Exchange({
    seed,
    start: beginningOf(tapes),
    ...listingOf(tapes),
    recordings: reels.map(({ rows }, index) => ({ rows, queue, fundingInterval: tapes[index]?.header.fundingIntervalMs })),
    fees,
  });
  // Elsewhere at an exchange something always happens. The number of an account counts it, and has to: an account whose number stands still proves
  // nothing of our orders, as it may be an old one.
  repeat(() => exchange.countAction(), { clock, every: SECOND * pace });
  const venue = simulatedVenue({
    exchange,
    clock,
    account: exchange.register('backtest', deposit),
    markets: exchange.markets.map(({ symbol }) => symbol),
    polling,
    phase,
    latency: latenciesOf(latency, { rng: rng.fork('latency'), clock, lags }),
  });
  const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
  const name = { run: 'backtest', strategy: strategy.name, exchange: 'embedded' };
  return startTrading({ clock, venue, state: NO_STATE, decide, limits, params, seed, name, pace });
}

function repeat(act: () => void, { clock, every }: { clock: Clock; every: Millis }): void {
  clock.at(clock.now() + every, () => {
    act();
    repeat(act, { clock, every });
  });
}

interface Playing extends Pick<BacktestOptions, 'progress'> {
  readonly reels: readonly TapePlayer[];
  readonly clock: VirtualClock;
  readonly span: Span;
  readonly pace: number;
}

/** To the end of the span, and then until the run has closed: whether it has is looked at once a second. Nothing is awaited but blocks. */
async function play(run: Run, { reels, clock, span: { from, to }, pace, progress }: Playing): Promise<void> {
  const seen = { end: false };
  run.turns.subscribe({ complete: () => void (seen.end = true) });
  const playTo = async (moment: Millis): Promise<void> => {
    while (!seen.end && clock.now() < moment) {
      if (slowest(reels).horizon < moment) await slowest(reels).load();
      const until = Math.min(moment, slowest(reels).horizon);
      while (!seen.end && clock.now() < until) clock.advanceTo(Math.min(until, clock.now() + SECOND * pace));
      progress?.(Math.min(1, (clock.now() - from) / (to - from)));
    }
  };
  await playTo(to);
  run.stop('the tape has ended');
  while (!seen.end) await playTo(clock.now() + SECOND * pace);
}
