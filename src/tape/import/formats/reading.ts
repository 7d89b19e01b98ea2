// Reads a file piece by piece and passes its messages to a listener. Errors name the file and the line.
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

/** Yields the number of lines of each piece after its messages were passed on. Throws a `UserError` if a line is invalid. */
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
  if (!begun) throw wrongInput(`${input.file} has no lines`, `${from} files hold ${FORMATS[from].holds}`);
  yield 0;
}

/** Throws a `UserError` if a file looks like another format. */
function refuseOther(line: string, { from, file }: { from: ImportFormat; file: string }): void {
  if (FORMATS[from].looksLike(line)) return;
  const other = (Object.keys(FORMATS) as ImportFormat[]).find((format) => FORMATS[format].looksLike(line));
  if (other !== undefined) throw wrongInput(`${file} looks like ${other}, not like ${from}`, `give --from ${other}`);
  // A file that looks like no format is read as the given one: the error about its first line says more.
}
