// The recordings of a run's turns in its state directory: one for each process of the run, in segments.
// In this folder: `replay.ts` decides recorded turns again; `turn-rows.ts` and `rows-of-others.ts` make a tape of the data that a run saw; `play.ts`
// plays it; `match.ts`, `reasons.ts` and `pnl-causes.ts` compare. `summary.ts` and `page.ts` show the result.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { groupBy } from '../../base/collections/lists.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import { gapWords, readRecording, recordingsIn } from '../../bot/run/state/turn-recorder.ts';
import { type RecordingHeader, readHeader } from '../../bot/run/state/turn-recording.ts';

/** The recording of one process of a run. */
export interface RecordedProcess {
  /** The time of its start, as in the names of its files. */
  readonly name: string;
  readonly header: RecordingHeader;
  /** Paths of its segments up to the first missing one. */
  readonly files: readonly string[];
}

export interface RecordedRun {
  readonly processes: readonly RecordedProcess[];
  /** The unreadable parts of the recordings, one sentence each; `turnsOf` adds to it. */
  readonly damage: string[];
}

/** Throws a UserError `recording` if the directory has no recording that can be read from its beginning. */
export async function openRecordedRun(directory: string): Promise<RecordedRun> {
  const files = recordingsIn(readdirSync(directory));
  if (files.length === 0) {
    throw noRecording(
      `${directory} has no recording of turns`,
      'a run records its turns in its state directory; the oldest are removed at 256 MiB',
    );
  }
  const damage: string[] = [];
  const processes: RecordedProcess[] = [];
  for (const [name, segments] of groupBy(files, processOf)) {
    const complete = fromTheFirst(segments, { name, damage }).map((file) => join(directory, file));
    const after = segments[complete.length];
    const gap = complete.length === 0 || after === undefined ? undefined : (await headerOf(join(directory, after), damage))?.gap;
    if (gap !== undefined) damage.push(`${name}: ${gapWords(gap)}`);
    const header = complete[0] === undefined ? undefined : await headerOf(complete[0], damage);
    if (header !== undefined) processes.push({ name, header, files: complete });
  }
  if (processes.length > 0) return { processes, damage };
  throw noRecording(`no recording in ${directory} can be read from its beginning: ${damage.join('; ')}`, 'choose another run');
}

const noRecording = (message: string, hint: string): UserError => new UserError({ code: 'recording', message, hint });

const SEGMENT = /^turns-(.*)-(\d+)\.jsonl\.gz$/;
const numberOf = (file: string): number => Number(SEGMENT.exec(file)?.[2]);

const processOf = (file: string): string => SEGMENT.exec(file)?.[1] ?? file;

/** Returns the segments from the first one to the first gap. */
function fromTheFirst(segments: readonly string[], { name, damage }: { name: string; damage: string[] }): readonly string[] {
  const complete = segments.filter((file, index) => numberOf(file) === index + 1);
  if (complete.length === segments.length) return segments;
  if (complete.length === 0) damage.push(`the beginning of the recording ${name} is missing, so none of it can be played`);
  else damage.push(`the recording ${name} has a gap after segment ${complete.length}; the rest is omitted`);
  return complete;
}

async function headerOf(file: string, damage: string[]): Promise<RecordingHeader | undefined> {
  try {
    for await (const line of readRecording(file)) return readHeader(line);
    damage.push(`${basename(file)} is empty`);
  } catch (error) {
    damage.push(`${basename(file)} cannot be read: ${messageOf(error)}`);
  }
  return undefined;
}

/** Yields the turns of a process up to a damaged part, which is added to `damage`. */
export async function* turnsOf({ files }: RecordedProcess, { damage }: RecordedRun): AsyncGenerator<Turn, void> {
  for (const file of files) {
    let isHead = true;
    try {
      for await (const line of readRecording(file)) {
        if (!isHead) yield readJson(line, JSON_LIMITS.state) as Turn;
        isHead = false;
      }
    } catch (error) {
      damage.push(`${basename(file)} is damaged: ${messageOf(error)}; the rest is omitted`);
      return;
    }
  }
}
