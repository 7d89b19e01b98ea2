// Reads a file piece by piece and passes its messages to a listener; and the list of the formats. Errors name the file and the line.
import { UserError } from '../../../base/errors.ts';
import { binance } from './binance.ts';
import { candles } from './candles/candles.ts';
import type { Format, Listener, ReaderOptions } from './feed-message.ts';
import { Malformed } from './fields.ts';
import { hyperliquid } from './hyperliquid.ts';
import { type RecordingInput, readLines, tableNameOf, wrongInput } from './input.ts';
import { tardis } from './tardis.ts';

export interface ReadingOptions {
  readonly from: ImportFormat;
  readonly listener: Listener;
  readonly onRead: (bytes: number) => void;
  /** For candles: the market, and whether to sort. */
  readonly options?: ReaderOptions | undefined;
}

/** Yields the number of lines of each piece after its messages were passed on. Throws a `UserError` if a line is invalid. */
export async function* reading(input: RecordingInput, { from, listener, onRead, options }: ReadingOptions): AsyncGenerator<number> {
  let number = 0;
  const withPlace = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw error instanceof Malformed ? errorAt(error, { from, input, line: number }) : error;
    }
  };
  const reader = withPlace(() => FORMATS[from].reader(listener, { ...options, file: input.file }));
  let begun = false;
  for await (const lines of readLines(input, onRead)) {
    const before = number;
    for (const line of lines) {
      number += 1;
      if (line === '') continue;
      if (!begun) refuseOtherFormat(line, { from, file: input.file });
      begun = true;
      withPlace(() => reader.line(line, number));
    }
    yield number - before;
  }
  withPlace(() => reader.end());
  if (!begun) throw wrongInput(`${input.file} has no lines`, `${from} files hold ${FORMATS[from].holds}`);
  yield 0;
}

interface Where {
  readonly from: ImportFormat;
  readonly input: RecordingInput;
  /** The newest line; 0 before the first. */
  readonly line: number;
}

/** Returns the error with its file and line; for a table with the row, which is one less, because line 1 has the names of the columns. */
function errorAt(error: Malformed, { from, input: { file, packing }, line: newest }: Where): UserError {
  const { message, hint = `${from} files hold ${FORMATS[from].holds}`, column, line = newest } = error;
  if (tableNameOf(packing) !== undefined && line > 1)
    return new UserError({ code: 'import', message: `row ${line - 1}: ${message}`, hint, place: { file } });
  return new UserError({ code: 'import', message, hint, place: line === 0 ? { file } : { file, line, column } });
}

/** Throws a `UserError` if a file looks like another format. */
function refuseOtherFormat(line: string, { from, file }: { from: ImportFormat; file: string }): void {
  if (FORMATS[from].looksLike(line)) return;
  const other = (Object.keys(FORMATS) as ImportFormat[]).find((format) => FORMATS[format].looksLike(line));
  if (other !== undefined) throw wrongInput(`${file} looks like ${other}, not like ${from}`, `give --from ${other}`);
  // A file that looks like no format is read as the given one; the error about its first line is more specific.
}

export type ImportFormat = 'binance' | 'tardis' | 'hyperliquid' | 'candles';

export const FORMATS: Readonly<Record<ImportFormat, Format>> = { binance, tardis, hyperliquid, candles };
