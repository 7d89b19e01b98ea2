// Imports a recording as a tape. The first pass finds the decimals; the second sorts the messages by time, and writes and checks rows.
//   formats/   readers of recordings: lines of a file → feed messages
//   rows/      feed messages → rows of a tape, in order of time
//   checks/    the first pass, and the checks that are reported to the user
import { realpath } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import type { TapeHeader } from '../../embedded/tape/header.ts';
import { createTape, type TapeFacts } from '../../embedded/tape/writer.ts';
import { survey } from './checks/survey.ts';
import type { ReaderOptions } from './formats/feed-message.ts';
import { openInput, type RecordingInput, wrongInput } from './formats/input.ts';
import { headerOf, type ImportHeaderOptions } from './rows/import-header.ts';
import { type ImportChecks, transcribe } from './rows/transcribe.ts';

export { checksText } from './checks-text.ts';
export type { ImportChecks } from './rows/transcribe.ts';

export interface ImportOptions extends ImportHeaderOptions, Pick<ReaderOptions, 'sort' | 'volume' | 'interval' | 'timezone'> {
  /** The recordings, in any order; they are joined or merged by time of receipt. */
  readonly files: readonly string[];
  /** The path of the tape. */
  readonly out: string;
  /** Called with the fraction of the work that is done, 0 to 1. */
  readonly progress?: ((done: number) => void) | undefined;
}

export interface ImportReport {
  readonly facts: TapeFacts;
  readonly header: TapeHeader;
  readonly checks: ImportChecks;
}

/** Imports the files and returns a report. Throws a `UserError`, and leaves no tape, if the files or the options are invalid. */
export async function importTape(options: ImportOptions): Promise<ImportReport> {
  const { from, out, market, sort, volume, interval, timezone } = options;
  const reader = { market, sort, volume, interval, timezone };
  const inputs = await openInputs(options);
  const onRead = progressOf(inputs, options.progress);
  const found = await survey(inputs, { from, options: reader, onRead });
  const header = headerOf(found, options);
  const tape = await createTape(out, header);
  try {
    const checks = await transcribe(found, {
      from,
      options: reader,
      header,
      overrides: options.overrides,
      sink: tape,
      onRead,
      flush: () => tape.flush(),
    });
    if (Object.keys(checks.rows).length === 0)
      throw wrongInput('there is nothing to import: the book has no snapshot to begin from', 'record a snapshot with the changes');
    return { facts: await tape.close(), header, checks };
  } catch (error) {
    await tape.abort();
    throw error;
  }
}

async function openInputs({ files, out }: ImportOptions): Promise<readonly RecordingInput[]> {
  const inputs: RecordingInput[] = [];
  const seen = new Set<string>([await realpath(out).catch(messageOf)]);
  for (const file of files) {
    inputs.push(await openInput(file));
    const path = await realpath(file);
    if (seen.has(path)) throw wrongInput(`${file} is given twice, or is the output file`, 'give each file once, and another --out');
    seen.add(path);
  }
  return inputs;
}

/** Returns a counter of bytes that calls `progress`. The total is twice the files' size, because both passes read all bytes. */
function progressOf(inputs: readonly RecordingInput[], progress: ImportOptions['progress'] = () => undefined): (bytes: number) => void {
  const all = 2 * inputs.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  return (bytes) => {
    read += bytes;
    progress(Math.min(1, read / all));
  };
}
