// What a file says, told to a listener a piece at a time; whatever is wrong with a line is said with its place.
import { UserError } from '../../../base/errors.ts';
import type { Listener } from './feed-message.ts';
import { Malformed } from './fields.ts';
import { FORMATS, type ImportFormat } from './formats.ts';
import { type Input, readLines, wrongInput } from './input.ts';

export interface ReadingOptions {
  readonly from: ImportFormat;
  readonly listener: Listener;
  readonly onRead: (bytes: number) => void;
}

/** Yields the number of lines that it has just told of. */
export async function* reading(input: Input, { from, listener, onRead }: ReadingOptions): AsyncGenerator<number> {
  const reader = FORMATS[from].reader(listener);
  let number = 0;
  const placed = (read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const { message, hint = `${from} files hold ${FORMATS[from].holds}` } = error;
      throw new UserError({ code: 'import', message, hint, place: { file: input.file, line: number } });
    }
  };
  let begun = false;
  for await (const lines of readLines(input, onRead)) {
    const before = number;
    for (const line of lines) {
      number += 1;
      if (line === '') continue;
      if (!begun) refuseOther(line, { from, file: input.file });
      begun = true;
      placed(() => reader.line(line));
    }
    yield number - before;
  }
  placed(() => reader.end());
  if (!begun) throw wrongInput(`${input.file} holds no line`, `${from} files hold ${FORMATS[from].holds}`);
  yield 0;
}

/** A file that looks like another format is not read as this one. */
function refuseOther(line: string, { from, file }: { from: ImportFormat; file: string }): void {
  if (FORMATS[from].looksLike(line)) return;
  const other = (Object.keys(FORMATS) as ImportFormat[]).find((format) => FORMATS[format].looksLike(line));
  if (other !== undefined) throw wrongInput(`${file} looks like ${other}, not like ${from}`, `give --from ${other}`);
  // What looks like none is read as what it was said to be: its first line says better what is wrong with it.
}
