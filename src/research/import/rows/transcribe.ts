// The second pass over a recording: reads the files and writes rows in order of time.
import { Market } from '../../../bot/domain/market.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../../../embedded/rows/rows.ts';
import type { TapeHeader } from '../../../embedded/tape/header.ts';
import type { FileLayout, Survey } from '../checks/survey.ts';
import type { FeedMessage, ReaderOptions } from '../formats/feed-message.ts';
import { createScaler, type Decimals } from '../formats/numbers.ts';
import { FORMATS, type ImportFormat } from '../formats/reading.ts';
import { type ImportOverrides, marketKindOf } from './import-header.ts';
import { merging } from './merging.ts';
import { createOrdering, type OrderingChecks } from './ordering.ts';
import { type RowSink, Transcriber, type TranscriberChecks } from './transcriber.ts';

export interface ImportChecks extends OrderingChecks, TranscriberChecks {
  readonly lines: number;
  /** How the kind of the market is known, as text. */
  readonly kindBecause: string;
  /** The exchange's name of the market, if the recording has it. */
  readonly symbol: string | undefined;
  /** Number of unused messages by name. */
  readonly notRead: Readonly<Record<string, number>>;
  /** The decimals that the data needs, before overrides. */
  readonly inferred: Decimals;
  /** Number of sizes finer than the step, which were rounded. */
  readonly roundedSizes: number;
  /** Candles: the prices that were rounded to the nearest tick, and by how much at most, as a decimal. */
  readonly roundedPrices: { readonly count: number; readonly most: number };
  /** Candles: the length of one, in milliseconds. */
  readonly candleMs?: number | undefined;
  /** Candles: the inferred layout of each file. */
  readonly layouts: readonly FileLayout[];
}

export interface TranscribeOptions {
  readonly from: ImportFormat;
  readonly options?: ReaderOptions | undefined;
  readonly header: TapeHeader;
  /** What the user set. */
  readonly overrides?: ImportOverrides | undefined;
  readonly sink: RowSink;
  /** Called with the number of bytes of each piece that was read. */
  readonly onRead: (bytes: number) => void;
  /** Waits until the sink has written its rows. */
  readonly flush: () => Promise<void>;
}

/** Writes the rows and returns the checks. The memory needed does not grow with the files. */
export async function transcribe(
  found: Survey,
  { from, options, header, overrides = {}, sink, onRead, flush }: TranscribeOptions,
): Promise<ImportChecks> {
  const { lines, symbol, notRead, decimals: inferred, bestIsBook, candles, layouts } = found;
  const market = new Market(header.market);
  const scaler = createScaler(
    { price: market.spec.priceDecimals, size: market.spec.sizeDecimals },
    { ...overrides, nearest: candles !== undefined },
  );
  const { longestSilence } = FORMATS[from];
  const transcriber = new Transcriber({ market, scaler, sink, bestIsBook, candles, longestSilence });
  const ordering = createOrdering({
    out: (message) => transcriber.take(message),
    // Called for late messages that may be left out. Late settlements and books of changes are moved instead, and counted as `late`.
    tooLate: (message) => transcriber.exclude(message, 'too far out of order'),
    // The checks count best prices only if the book is made of them.
    counted: ({ kind }) => kind !== 'best' || bestIsBook,
  });
  const insertingSettlements = withSettlements(ordering.take);
  const take = (message: FeedMessage): void => {
    if (message.kind === 'trade' && message.excluded !== undefined) transcriber.exclude(message, message.excluded);
    else insertingSettlements(message);
  };
  for await (const piece of merging({ files: found.files, from, onRead, options })) {
    piece.forEach(take);
    await flush();
  }
  ordering.end();
  const { mended, late, skew } = ordering.checks();
  return {
    lines,
    kindBecause: marketKindOf(found, header.market.symbol, overrides.kind).because,
    symbol,
    notRead,
    inferred,
    roundedSizes: scaler.rounded,
    roundedPrices: scaler.roundedPrices,
    candleMs: candles && candles.length / STAMPS_PER_MILLI,
    layouts,
    mended,
    late,
    skew: candles ? undefined : skew,
    ...transcriber.checks(),
  };
}

/**
 * Returns a function that passes messages to `out` and inserts the settlements of funding: if a later time is announced for the next settlement, and
 * the previous time has come, the previous one was settled at the last rate announced for it.
 */
export function withSettlements(out: (message: FeedMessage) => void): (message: FeedMessage) => void {
  let announced: { readonly due: Stamp; readonly rate: string } | undefined;
  return (message) => {
    if (message.kind === 'marks' && message.due !== undefined && message.rate !== undefined) {
      const { due, rate, time, received } = message;
      if (announced !== undefined && due > announced.due && announced.due <= time) {
        out({ kind: 'settlement', time: announced.due, received, rate: announced.rate });
      }
      announced = { due, rate };
    }
    out(message);
  };
}
