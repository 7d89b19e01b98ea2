// What a report says of a backtest beside its figures: what was played, and what had to be assumed.
import type { Millis } from '../../base/clock.ts';
import { STAMPS_PER_MILLI } from '../../domain/rows.ts';
import type { LatencySpec } from '../../exchange/simulated/latency.ts';
import { timeText } from '../../report/lines.ts';
import type { ReportFacts } from '../../report/report.ts';
import type { BacktestResult } from '../../run/backtest.ts';
import type { QueueModel } from '../../simulator/recorded/queue.ts';
import { USUAL_INTERVAL } from '../../simulator/recorded/schedule.ts';
import type { TapeHeader } from '../../tape/header.ts';
import type { Tape } from '../../tape/reader.ts';
import type { BacktestFlags, BacktestPlan } from './backtest-plan.ts';

export function factsOf(plan: BacktestPlan, { fees }: BacktestFlags, { summary, clockBehind }: BacktestResult): ReportFacts {
  const { strategy, params, limits, polling, tapes, assumptions, seed } = plan;
  const { latency, queue, phase } = assumptions;
  return {
    title: `${strategy.name} on ${tapes.map(({ header }) => header.market.symbol).join(', ')}`,
    summary,
    params,
    limits,
    tapes: tapes.map(tapeFacts),
    assumptions: {
      latency: latencyWords(latency, clockBehind),
      queue: queueWords(queue),
      polling: `order books every ${polling.orderBookMs} ms, the account every ${polling.accountMs} ms, from ${phase * 100} % of the interval`,
      fees: fees === undefined ? "the embedded exchange's brackets" : `maker ${fees.makerPpm / 100} bp, taker ${fees.takerPpm / 100} bp`,
      seed,
    },
    notes: tapes.flatMap(notesOn),
  };
}

function tapeFacts({ file, header, facts }: Tape): ReportFacts['tapes'][number] {
  return {
    file,
    hash: facts.hash,
    market: header.market.symbol,
    source: header.source,
    rows: facts.rows,
    first: timeText(facts.first / STAMPS_PER_MILLI),
    last: timeText(facts.last / STAMPS_PER_MILLI),
    candles: header.books === 'candles',
  };
}

const notesOn = ({ header }: Tape): readonly string[] => [...notesOnBooks(header), ...notesOnFunding(header)];

function notesOnFunding({ market: { symbol, kind }, fundingIntervalMs }: TapeHeader): readonly string[] {
  if (kind === 'spot' || fundingIntervalMs !== undefined) return [];
  return [`${symbol}: the tape does not say how often funding is paid; its rates are shown as if of ${USUAL_INTERVAL / 3_600_000} hours.`];
}

function notesOnBooks(header: TapeHeader): readonly string[] {
  const { symbol } = header.market;
  if (header.books === 'candles')
    return [`${symbol}: candle data. There is no order book in it: the path of prices inside a candle is assumed, and the spread too.`];
  if (header.books === 'polled')
    return [
      `${symbol}: books as polls saw them${header.pollMs === undefined ? '' : `, every ${header.pollMs} ms`}. What happened between two polls is not known.`,
    ];
  return [];
}

function latencyWords(latency: LatencySpec, clockBehind: Millis): string {
  switch (latency.kind) {
    case 'constant':
      return `${latency.there} ms there, ${latency.back} ms back, always`;
    case 'lognormal':
      return `each way ${latency.median} ms in half of all cases, ${latency.p99} ms in one of a hundred`;
    case 'recorded':
      return [
        'as recorded: receive time less exchange time',
        ...(clockBehind === 0 ? [] : [`${clockBehind} ms more, as the recorder's clock was so much behind the exchange's`]),
        ...(latency.times === undefined ? [] : [`times ${latency.times}`]),
      ].join(', ');
  }
}

export function queueWords(queue: QueueModel): string {
  switch (queue.kind) {
    case 'conservative':
      return 'conservative: only trades move us up';
    case 'probabilistic':
      return `probabilistic: of a cancel, ahead^${queue.power} / (ahead^${queue.power} + behind^${queue.power}) was ahead of us`;
    case 'exact':
      return 'exact: the tape names the orders that are ahead of us';
  }
}
