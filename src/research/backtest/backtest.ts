// A backtest: a run on a virtual clock at the embedded exchange, whose market data is played from tapes.
//   embedded/recording/tapes.ts         checks that tapes fit together, and makes markets of them
//   embedded/recording/recorded-venue.ts  the exchange and the venue of tapes, also for paper runs
//   tape-player.ts   feeds the rows of a tape to the exchange
//   band.ts          pessimistic, expected and optimistic assumptions
import { tap } from 'rxjs';
import { every, type Millis, SECOND, VirtualClock } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import { type Resolution, resolutionText } from '../../bot/domain/candle.ts';
import type { FeeRates } from '../../bot/domain/market.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import { type Polling, pollPlan } from '../../bot/exchange/kit/streams/polling.ts';
import type { Venue } from '../../bot/exchange/port.ts';
import type { Ending, Run } from '../../bot/run/core/run.ts';
import { startTrading, type Trading } from '../../bot/run/core/trading.ts';
import type { RecordedInputs } from '../../bot/run/inputs/recorded.ts';
import type { Params, Strategy } from '../../bot/strategy/contract.ts';
import { deciderOf } from '../../bot/strategy/decide.ts';
import { inputsOf } from '../../bot/strategy/inputs.ts';
import { type CandlesWanted, everyOf, type MissingCandles, type WarmUp } from '../../bot/strategy/schedule.ts';
import { clockBehindOf, RecordedLags } from '../../embedded/adapter/lags.ts';
import type { LatencySpec } from '../../embedded/adapter/latency.ts';
import type { Closings } from '../../embedded/adapter/looks.ts';
import { Exchange } from '../../embedded/exchange/exchange.ts';
import type { CandlePathOptions } from '../../embedded/exchange/recorded/candle-path.ts';
import type { QueueModel } from '../../embedded/exchange/recorded/queue.ts';
import { NO_STATE } from '../../embedded/recording/no-state.ts';
import { type PastSeen, replayedPast } from '../../embedded/recording/past-file.ts';
import { countOthers, exchangeOptions, recordedVenue, TRADER } from '../../embedded/recording/recorded-venue.ts';
import {
  beginningOf,
  checkTapes,
  commonSpan,
  playedOf,
  type Span,
  type TimeWindow,
  tapesOfMarkets,
} from '../../embedded/recording/tapes.ts';
import { STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import type { Tape } from '../../embedded/tape/reader.ts';
import { recordedInputs } from './recorded-inputs.ts';
import { slowest, TapePlayer } from './tape-player.ts';

/** The assumptions that a tape cannot answer; `docs/backtest-assumptions.md` describes each. */
export interface Assumptions {
  readonly latency: LatencySpec;
  /** The position of our orders in the queue of recorded ones. */
  readonly queue: QueueModel;
  /** Start of the pollers within their intervals, 0 to 1. */
  readonly phase: number;
  /** For tapes with candles and no books: the path of the price within a candle. */
  readonly candles: CandlePathOptions;
}

export interface BacktestOptions {
  readonly strategy: Strategy<Params>;
  /** Resolved parameters. */
  readonly params: Params;
  /** Parsed limits. */
  readonly limits: Readonly<Record<string, unknown>>;
  readonly polling: Polling;
  readonly seed: string;
  /**
   * The tapes of different markets, or two tapes of candles of one market (see `tapesOfMarkets`); tapes that follow each other have been joined
   * (`openTapes`). The span that all of them cover is played.
   */
  readonly tapes: readonly Tape[];
  /** The part to play. The exchange also plays the time before it, in which the strategy does not trade. */
  readonly window?: TimeWindow | undefined;
  readonly assumptions: Assumptions;
  /** Quote tokens in the account at the start. */
  readonly deposit: Micros;
  /** Default: the fee brackets of the exchange. */
  readonly fees?: FeeRates | undefined;
  /** The past candles that a paper run received; they are delivered at the same times. */
  readonly past?: readonly PastSeen[] | undefined;
  /** Recorded values of the strategy's inputs, by name. An input without them stays empty. */
  readonly inputs?: RecordedInputs | undefined;
  /** Candles from before the tapes. If absent, the history of a strategy is the beginning of the tapes. */
  readonly history?: Venue['history'];
  /** Called before the first turn with the run and its polling intervals. */
  readonly watch?: ((trading: Trading, polling: Polling) => void) | undefined;
  /** Called once a second of the run's time; on candles, less often by the factor of `paceOf`. */
  readonly onSecond?: ((trading: Trading) => void) | undefined;
  /** Called from time to time with the fraction of the tapes that has been played. */
  readonly progress?: ((share: number) => void) | undefined;
}

export interface BacktestResult {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly assumptions: Assumptions;
  /** The polling and limits of the options, adapted to the pace of the tapes and the limit on requests, as used. */
  readonly polling: Polling;
  readonly limits: Readonly<Record<string, unknown>>;
  /** The span that was played. */
  readonly span: Span;
  /** With recorded latency: the lag of the recorder's clock behind the exchange's, by which the latencies are corrected. */
  readonly clockBehind: Millis;
  /** The perpetuals of which the tapes showed no funding rate. */
  readonly withoutFunding: readonly string[];
  /** On candles, by market: how often it was closed at a boundary of another market. */
  readonly closings: readonly Closings[];
  /** The history that the strategy requested, if any. */
  readonly history?: PlayedHistory | undefined;
}

export interface PlayedHistory {
  readonly wanted: readonly CandlesWanted[];
  /** When every market had its history and the strategy could be called; undefined if never. */
  readonly completeAt: Millis | undefined;
  /** The candles still missing at the end. */
  readonly missing: readonly MissingCandles[];
}

/**
 * Plays the tapes. The same seed, tapes, parameters and assumptions give the same result. Rejects with a UserError if the tapes do not fit together.
 */
export async function backtest(options: BacktestOptions): Promise<BacktestResult> {
  const { tapes, assumptions, watch, onSecond: tick, progress } = options;
  const { latency, queue } = assumptions;
  checkTapes(tapes, queue);
  const span = commonSpan(tapes, options.window);
  const clock = new VirtualClock(span.from);
  const markets = tapesOfMarkets(tapes);
  const first = markets[0]?.played;
  const lagSource = latency.kind === 'recorded' ? first : undefined;
  const clockBehind = lagSource === undefined ? 0 : await clockBehindOf(lagSource);
  const lags = new RecordedLags({ clockBehind, polled: first?.header.books === 'polled' });
  const until = options.window?.to === undefined ? undefined : options.window.to * STAMPS_PER_MILLI;
  const playerOf = (tape: Tape): TapePlayer =>
    new TapePlayer(tape, { until, onBlock: tape === lagSource ? (rows) => lags.push(rows) : undefined });
  const played = markets.map((market): Played => {
    return { tape: market.played, player: playerOf(market.played), longer: market.longer && playerOf(market.longer) };
  });
  const players = played.flatMap(({ player, longer }) => (longer === undefined ? [player] : [player, longer]));
  try {
    const pace = paceOf(tapes, options.polling);
    const { intervals: polling } = pollPlan(pacedPolling(options.polling, pace), markets.length);
    const limits = pacedLimits(options.limits, pace);
    const { trading, warmUp, exchange, closings } = start({ played, clock, lags, pace }, { ...options, polling, limits });
    watch?.(trading, polling);
    if (tick !== undefined) every(clock, SECOND * pace, () => tick(trading));
    await play(trading.run, { players, clock, span, pace, progress });
    const [ending, summary, history] = [await trading.run.done, trading.summary(), playedHistory(warmUp, trading.run)];
    const facts = { clockBehind, withoutFunding: withoutFunding(exchange), closings };
    return { ending, summary, assumptions, polling, limits, span, ...facts, history };
  } finally {
    for (const player of players) await player.close();
  }
}

/** A market's tape and its player; `longer` plays the candles that the strategy sees, if they are longer than those of the tape. */
interface Played {
  readonly tape: Tape;
  readonly player: TapePlayer;
  readonly longer: TapePlayer | undefined;
}

interface Started {
  readonly trading: Trading;
  readonly warmUp: WarmUp | undefined;
  readonly exchange: Exchange;
  readonly closings: BacktestResult['closings'];
}

interface Setup {
  readonly played: readonly Played[];
  readonly clock: VirtualClock;
  readonly lags: RecordedLags;
  readonly pace: number;
}

const playedHistory = (warmUp: WarmUp | undefined, { world }: Run): PlayedHistory | undefined =>
  warmUp && { wanted: warmUp.wanted, completeAt: warmUp.completeAt, missing: warmUp.missing(world) };

/** A perpetual that announced no rate and paid none; after a payment of zero its rate is still known. */
const withoutFunding = (exchange: Exchange): readonly string[] =>
  exchange.markets.flatMap(({ id, symbol, spec }) => {
    const { fundingRate, aggregatedFundingIndex } = exchange.stats(id) ?? {};
    return spec.kind === 'perp' && fundingRate === undefined && aggregatedFundingIndex === 0 ? [symbol] : [];
  });

function start({ played, clock, lags, pace }: Setup, options: BacktestOptions): Started {
  const { params, limits, polling, seed, assumptions, deposit, fees } = options;
  const { latency, queue, phase } = assumptions;
  const tapes = played.map(({ tape }) => tape);
  const strategy = slowedTo(played, options);
  const feeds = played.map(({ player }) => player.rows);
  const exchange = new Exchange(
    exchangeOptions({ seed, tapes, feeds, start: beginningOf(tapes), queue, candles: assumptions.candles, fees }),
  );
  countOthers(exchange, clock, pace);
  const venue = recordedVenue({
    exchange,
    clock,
    seed,
    latency,
    lags,
    account: exchange.register(TRADER, deposit),
    polling,
    phase,
    candles: played.map(({ player, longer = player }) => longer.candles),
    shorterCandles: played.map(({ player, longer }) => longer && player.candles),
  });
  const decide = deciderOf(strategy, params, {
    rng: rngFrom(seed).fork('strategy'),
    markets: venue.feed.markets,
    longestDelay: venue.looks && 0, // a closed market opens at another boundary
  });
  const name = { run: 'backtest', strategy: strategy.name, exchange: 'embedded' };
  const inputs = recordedInputs(inputsOf(strategy, params), options.inputs ?? {}, clock)?.pipe(
    tap(({ kind }) => {
      if (kind === 'inputSeen') venue.looks?.close(); // a value within a candle is newer than its price
    }),
  );
  const past = { ...venue, history: options.past === undefined ? options.history : replayedPast(options.past, clock) };
  const trading = startTrading({ clock, venue: past, state: NO_STATE, decide, limits, params, seed, name, pace, inputs });
  venue.looks?.end.watch({ stopIn: (market) => trading.stopIn(market), path: assumptions.candles.path });
  return { trading, warmUp: decide.warmUp, exchange, closings: venue.looks?.closings ?? [] };
}

/** Returns the strategy with `every` set to at least the length of the candles that it decides on. */
function slowedTo(played: readonly Played[], { strategy, params }: Pick<BacktestOptions, 'strategy' | 'params'>): Strategy<Params> {
  const longest = Math.max(0, ...played.map(({ longer }) => longer?.candles?.span ?? 0));
  return longest <= (everyOf(strategy, params) ?? 0) ? strategy : { ...strategy, every: resolutionText(longest) as Resolution };
}

interface Playing extends Pick<BacktestOptions, 'progress'> {
  readonly players: readonly TapePlayer[];
  readonly clock: VirtualClock;
  readonly span: Span;
  readonly pace: number;
}

/** Plays to the end of the span, then until the run has closed, which is checked once a second. Only the loading of blocks is awaited. */
async function play(run: Run, { players, clock, span: { from, to }, pace, progress }: Playing): Promise<void> {
  const seen = { end: false };
  run.turns.subscribe({ complete: () => void (seen.end = true) });
  const playTo = async (moment: Millis): Promise<void> => {
    while (!seen.end && clock.now() < moment) {
      if (slowest(players).horizon < moment) await slowest(players).load();
      const until = Math.min(moment, slowest(players).horizon);
      while (!seen.end && clock.now() < until) clock.advanceTo(Math.min(until, clock.now() + SECOND * pace));
      progress?.(Math.min(1, (clock.now() - from) / (to - from)));
    }
  };
  await playTo(to + (players.some(({ candles }) => candles !== undefined) ? SECOND : 0)); // the last candle arrives after its end
  run.stop('the tape has ended');
  while (!seen.end) await playTo(clock.now() + SECOND * pace);
}

/**
 * Returns the factor by which polling is slower than live: the length of the longest candle, divided by the interval at which the order book is polled; 1
 * without candles. At live intervals a bot would read the same candle many times.
 */
export function paceOf(tapes: readonly Tape[], { orderBookMs }: Polling): number {
  const lengths = candleLengths(tapes);
  return lengths.length === 0 ? 1 : Math.max(1, Math.max(...lengths) / orderBookMs);
}

/** Returns the candle lengths of the played tapes. */
const candleLengths = (tapes: readonly Tape[]): readonly number[] =>
  playedOf(tapes).flatMap(({ header: { books, pollMs } }) => (books === 'candles' && pollMs !== undefined ? [pollMs] : []));

export function pacedPolling({ requestsPerSecond, ...intervals }: Polling, pace: number): Polling {
  return { ...(stretched(intervals, pace) as typeof intervals), requestsPerSecond };
}

/** Raises the `data-age` limits by the same factor. */
export function pacedLimits(limits: Readonly<Record<string, unknown>>, pace: number): Readonly<Record<string, unknown>> {
  const ages = limits['data-age'];
  return typeof ages === 'object' && ages !== null ? { ...limits, 'data-age': stretched(ages, pace) } : limits;
}

const stretched = (spans: object, pace: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(spans).map(([name, span]: [string, unknown]) => [name, typeof span === 'number' ? span * pace : span]));
