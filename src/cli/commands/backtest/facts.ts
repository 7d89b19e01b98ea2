// What a report holds beside the figures: strategy, tapes, assumptions and notes.
import { STAMPS_PER_MILLI } from '../../../domain/rows.ts';
import { USUAL_INTERVAL } from '../../../embedded/recorded/funding-schedule.ts';
import { timeText } from '../../../report/accounting/lines.ts';
import type { ReportFacts } from '../../../report/report.ts';
import type { BacktestResult } from '../../../run/backtest/backtest.ts';
import type { TapeHeader } from '../../../tape/header.ts';
import type { Tape } from '../../../tape/reader.ts';
import { assumptionWords } from './assumptions.ts';
import type { BacktestFlags, BacktestPlan } from './plan.ts';

export function factsOf(plan: BacktestPlan, flags: BacktestFlags, result: BacktestResult): ReportFacts {
  const { strategy, params, tapes } = plan;
  return {
    title: `${strategy.name} on ${tapes.map(({ header }) => header.market.symbol).join(', ')}`,
    summary: result.summary,
    params,
    limits: result.limits,
    tapes: tapes.map(tapeFacts),
    assumptions: assumptionWords(plan, flags, result),
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
  return [`${symbol}: the tape does not say how often funding is paid; an interval of ${USUAL_INTERVAL / 3_600_000} hours is assumed.`];
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
