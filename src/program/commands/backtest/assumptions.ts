// Formats the assumptions of a backtest: in full for its report, in short for the three runs of a band. Formats the limits of its report too.
import type { Millis } from '../../../base/clock.ts';
import { spanText } from '../../../base/text/duration.ts';
import type { Polling } from '../../../bot/exchange/kit/streams/polling.ts';
import type { LatencySpec } from '../../../embedded/adapter/latency.ts';
import type { CandlePathOptions } from '../../../embedded/exchange/recorded/candle-path.ts';
import type { QueueModel } from '../../../embedded/exchange/recorded/queue.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import type { Assumptions, BacktestResult } from '../../../research/backtest/backtest.ts';
import type { BacktestFlags, BacktestPlan } from './plan.ts';

type ByName = Readonly<Record<string, string>>;

/** Returns the limits for a report. A data-age limit that was lengthened for candles becomes text with the configured and the used value. */
export function limitsForReport({ limits: configured }: BacktestPlan, { limits }: BacktestResult): Readonly<Record<string, unknown>> {
  const [before, used] = [agesIn(configured), agesIn(limits)];
  if (before === undefined || used === undefined) return limits;
  const ages = Object.entries(used).map(([name, age]) => [name, age === before[name] ? age : scaledWords(before[name], age)] as const);
  return { ...limits, 'data-age': Object.fromEntries(ages) };
}

function agesIn({ 'data-age': ages }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  return typeof ages === 'object' && ages !== null ? (ages as Readonly<Record<string, unknown>>) : undefined;
}

const scaledWords = (before: unknown, used: unknown): string =>
  typeof used === 'number' ? `${String(before)}, scaled by the candle to ${used} (${spanText(used, 'h')})` : String(used);

export function assumptionWords({ tapes, seed }: BacktestPlan, { fees }: BacktestFlags, result: BacktestResult): ByName {
  const { assumptions, polling, clockBehind } = result;
  const { latency, queue, phase, candles } = assumptions;
  return {
    latency: latencyWords(latency, clockBehind),
    queue: queueWords(queue),
    polling: tapes.some(isOfCandles) ? 'none: data is read at the beginning and the end of each candle' : pollingWords(polling, phase),
    ...(tapes.some(isOfCandles) ? { candles: candlesWords(candles) } : {}),
    fees: fees === undefined ? "the embedded exchange's brackets" : `maker ${fees.makerPpm / 100} bp, taker ${fees.takerPpm / 100} bp`,
    seed,
  };
}

/** Returns short texts, in the syntax of the command line options where possible. */
export function shortAssumptions({ latency, queue, phase, candles }: Assumptions, tapes: readonly Tape[]): ByName {
  return {
    latency: latencyInShort(latency),
    queue: queue.kind === 'probabilistic' ? `${queue.kind}:${queue.power}` : queue.kind,
    ...(tapes.some(isOfCandles) ? { candles: `${candles.path}, ${candles.halfSpreadBps} bp` } : { polls: `phase ${percentOf(phase)}` }),
  };
}

const isOfCandles = ({ header }: Tape): boolean => header.books === 'candles';

const percentOf = (fraction: number): string => `${Math.round(fraction * 100)} %`;

function latencyInShort(latency: LatencySpec): string {
  switch (latency.kind) {
    case 'constant':
      return `${latency.there === latency.back ? latency.there : `${latency.there},${latency.back}`} ms`;
    case 'lognormal':
      return `${latency.median}~${latency.p99} ms`;
    case 'recorded':
      return latency.times === undefined ? 'recorded' : `recorded × ${latency.times}`;
  }
}

function latencyWords(latency: LatencySpec, clockBehind: Millis): string {
  switch (latency.kind) {
    case 'constant':
      return `constant: ${latency.there} ms to the exchange, ${latency.back} ms back`;
    case 'lognormal':
      return `each way: median ${latency.median} ms, 99th percentile ${latency.p99} ms`;
    case 'recorded':
      return [
        'as recorded: receive time minus exchange time',
        ...(clockBehind === 0 ? [] : [`plus ${clockBehind} ms, because the recorder's clock was behind the exchange's by that much`]),
        ...(latency.times === undefined ? [] : [`times ${latency.times}`]),
      ].join(', ');
  }
}

function queueWords(queue: QueueModel): string {
  switch (queue.kind) {
    case 'conservative':
      return 'conservative: only trades move our orders forward in the queue';
    case 'probabilistic':
      return `probabilistic: of each cancel, the share ahead^${queue.power} / (ahead^${queue.power} + behind^${queue.power}) was ahead of us`;
    case 'exact':
      return 'exact: the tape has order ids, so the orders ahead of us are known';
  }
}

function pollingWords({ orderBookMs, accountMs }: Polling, phase: number): string {
  const [books, account] = [orderBookMs, accountMs].map(intervalWords);
  return `order books every ${books}, the account every ${account}, starting at ${percentOf(phase)} of the interval`;
}

const intervalWords = (ms: Millis): string => (ms < 1_000 ? `${rounded(ms)} ms` : `${rounded(ms / 1_000)} s`);
const rounded = (value: number): number => Number(value.toFixed(3));

const PATH_WORDS: Readonly<Record<CandlePathOptions['path'], string>> = {
  pessimistic: 'pessimistic: the path that crosses the fewest price levels in both directions, and stops before take profits',
  nearest: 'nearest: first to the extreme that is nearer to the open, also for stops and take profits',
};

const candlesWords = ({ path, halfSpreadBps }: CandlePathOptions): string => `${PATH_WORDS[path]}; half spread ${halfSpreadBps} bp`;
