// The facts of a report besides the figures: strategy, tapes, assumptions and notes.
import { timeText } from '../../../base/text/duration.ts';
import { counted } from '../../../base/text/phrases.ts';
import { turnsWords } from '../../../bot/accounting/turn-causes.ts';
import { resolutionText } from '../../../bot/domain/candle.ts';
import { Market } from '../../../bot/domain/market.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import { type MissingCandles, missingText } from '../../../bot/strategy/schedule.ts';
import { DEFAULT_INTERVAL } from '../../../embedded/exchange/recorded/funding-schedule.ts';
import { playedOf, tapesOfMarkets } from '../../../embedded/recording/tapes.ts';
import { STAMPS_PER_MILLI } from '../../../embedded/rows/rows.ts';
import { partsOf } from '../../../embedded/tape/consecutive.ts';
import type { TapeHeader } from '../../../embedded/tape/header.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import type { BacktestResult } from '../../../research/backtest/backtest.ts';
import type { ReportFacts } from '../../../research/report/report.ts';
import { coverageWords } from '../../coverage.ts';
import { assumptionWords, limitsForReport } from './assumptions.ts';
import { type BacktestFlags, type BacktestPlan, emptyInputs, emptyInputWords } from './plan.ts';

/** Returns the facts. `traded`: the symbols of the markets with fills. */
export function reportFactsOf(plan: BacktestPlan, flags: BacktestFlags, result: BacktestResult, traded: ReadonlySet<string>): ReportFacts {
  const { strategy, params, tapes } = plan;
  return {
    title: `${strategy.name} on ${playedOf(tapes)
      .map(({ header }) => header.market.symbol)
      .join(', ')}`,
    summary: result.summary,
    params,
    limits: limitsForReport(plan, result),
    tapes: tapes.flatMap(partsOf).map(tapeFacts),
    assumptions: assumptionWords(plan, flags, result),
    notes: [
      ...tapesOfMarkets(tapes).flatMap(({ played, longer }) => [
        ...notesOnBooks(played.header),
        ...notesOnFunding(played.header, { result, traded: traded.has(played.header.market.symbol) }),
        ...notesOnLonger(played, longer),
      ]),
      ...notesOnClosings(result, playedOf(tapes)),
      ...notesOnHistory(result),
      ...notesOnOrders(result, playedOf(tapes)),
      ...emptyInputs(plan).map(emptyInputWords),
      ...coverageWords(plan.inputs ?? {}, result.span),
    ],
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

function notesOnBooks(header: TapeHeader): readonly string[] {
  const { symbol } = header.market;
  if (header.books === 'candles')
    return [`${symbol}: candle data has no order book. The price path inside each candle and the spread are assumed.`];
  if (header.books === 'polled')
    return [
      `${symbol}: recorded by polling${header.pollMs === undefined ? '' : ` every ${header.pollMs} ms`}. What happened between two polls is not known.`,
    ];
  return [];
}

function notesOnLonger({ header }: Tape, longer: Tape | undefined): readonly string[] {
  if (longer === undefined) return [];
  const [short, long] = [header, longer.header].map(({ pollMs = 0 }) => resolutionText(pollMs));
  return [
    `${header.market.symbol}: the strategy sees candles of ${long} and decides at their end; orders are filled, and exits and guards watch, on candles of ${short}.`,
  ];
}

/** Returns a note for each market that was closed at times when the strategy decided on other markets. */
export const notesOnClosings = (
  { closings }: Pick<BacktestResult, 'closings'>,
  tapes: readonly Pick<Tape, 'header'>[],
): readonly string[] =>
  closings.flatMap(({ looks, inside, missing }, id) => {
    if (closings.length < 2 || inside + missing === 0) return [];
    const symbol = tapes[id]?.header.market.symbol ?? '';
    const reasons = [
      ...(inside > 0 ? [`${inside} times inside of a candle`] : []),
      ...(missing > 0 ? [`${missing} times without one`] : []),
    ];
    return [
      `${symbol}: of ${looks} boundaries of candles it was closed at ${inside + missing}, ${reasons.join(' and ')}. It was not shown or traded there.`,
    ];
  });

/** Returns a note if no order was placed: what the turns led to. */
export function notesOnOrders(
  { summary, history }: Pick<BacktestResult, 'summary' | 'history'>,
  tapes: readonly Pick<Tape, 'header'>[],
): readonly string[] {
  if (summary.orders.placed > 0 || (history !== undefined && history.completeAt === undefined)) return [];
  const note = `no order was placed. ${counted(summary.turns, 'turn')}: ${turnsWords(summary)}.`;
  if (summary.turnsBy.belowLot === 0) return [note];
  const smallest = tapes.map(({ header }) => {
    const market = new Market(header.market);
    return `${market.sizeText(lots(1))} in ${market.symbol}`;
  });
  return [`${note} The smallest size is ${smallest.join(', ')}; a target or an order below it is left out.`];
}

/** Says why the history was not complete in time. No candle is missing if the last one came when the tape ended. */
const lackText = (missing: readonly MissingCandles[]): string =>
  missing.length === 0 ? 'was complete only when the tape ended.' : `is longer than the tape (${missing.map(missingText).join(', ')}).`;

function notesOnHistory({ history }: BacktestResult): readonly string[] {
  if (history === undefined) return [];
  const { wanted, completeAt, missing } = history;
  const asked = wanted.map(({ span, count }) => `${counted(count, 'candle')} of ${resolutionText(span)}`).join(' and ');
  return completeAt === undefined
    ? [`the strategy was never called: its history of ${asked} ${lackText(missing)}`]
    : [`the beginning of the tape is the strategy's history of ${asked}; it trades from ${timeText(completeAt)} on.`];
}

/** Returns the notes on the funding of a perpetual: what the tape does not say about it. `traded`: true if the strategy had fills in the market. */
function notesOnFunding(
  { market: { symbol, kind }, fundingIntervalMs, books }: TapeHeader,
  { result, traded }: { readonly result: Pick<BacktestResult, 'withoutFunding'>; readonly traded: boolean },
): readonly string[] {
  if (kind === 'spot') return [];
  if (result.withoutFunding.includes(symbol)) {
    const source =
      books === 'candles' ? 'import the candles together with a file of time and funding_rate' : 'record or import the rates too';
    return traded
      ? [`${symbol}: the tape has no funding rates. Its positions paid and earned no funding, and the strategy saw no rate; ${source}.`]
      : [];
  }
  if (fundingIntervalMs !== undefined) return [];
  return [`${symbol}: the tape does not say how often funding is paid; an interval of ${DEFAULT_INTERVAL / 3_600_000} hours is assumed.`];
}
