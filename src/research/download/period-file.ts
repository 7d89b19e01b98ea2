// One file of a download: a day, a month or a year of rows. It is written as `.part`, checked, packed and renamed, so that a killed download continues.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Millis } from '../../base/clock.ts';
import { makeFolderOf } from '../../base/files/folder.ts';
import { temporaryName } from '../../embedded/tape/source.ts';
import { hashOf, type StoredFile } from './manifest.ts';
import { pagesOf } from './pages.ts';
import type { HistoryEntry, HistorySeries, LeftOut } from './series.ts';

export interface PeriodOptions {
  readonly series: HistorySeries;
  readonly folder: string;
  /** Name of the finished file, which ends with `.csv.gz`. */
  readonly name: string;
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
  /** Called after each page with the time that is reached. */
  readonly onPage: (reached: Millis) => void;
}

const PART = '.part';
/** After an interruption this many pages are downloaded again, because exchanges correct their newest rows. */
const PAGES_AGAIN = 2;

/** Downloads one period. Continues its `.part` file if there is one. */
export async function downloadPeriod({ series, folder, name, from, to, onPage }: PeriodOptions): Promise<StoredFile> {
  const part = join(folder, `${name}.${from}${PART}`); // a file for a period that began at another time is not continued
  makeFolderOf(part);
  const leftOut: LeftOut = {};
  const descriptor = openSync(part, existsSync(part) ? 'r+' : 'w+');
  try {
    const kept = truncatePart(part, { series, from, to });
    let at = kept.bytes;
    const write = (text: string): void => void (at += writeSync(descriptor, text, at));
    if (at === 0) write(`${series.header}\n`);
    for await (const entries of pagesOf(series, { from: kept.next, to }, leftOut)) {
      write(linesOf(series, entries, leftOut));
      onPage(entries.at(-1)?.time ?? from);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const bytes = readFileSync(part);
  const file = join(folder, name);
  const packed = gzipSync(bytes);
  writeFileSync(temporaryName(file), packed, { flush: true });
  renameSync(temporaryName(file), file);
  for (const old of readdirSync(folder)) if (old.startsWith(`${name}.`) && old.endsWith(PART)) rmSync(join(folder, old));
  return { name, from, to, ...countsOf(timesOf(bytes), series), leftOut, sha256: hashOf(packed) };
}

function linesOf(series: HistorySeries, entries: readonly HistoryEntry[], leftOut: LeftOut): string {
  let text = '';
  for (const entry of entries) {
    const made = series.lineOf(entry);
    if ('line' in made) text += `${made.line}\n`;
    else leftOut[made.fault] = (leftOut[made.fault] ?? 0) + 1;
  }
  return text;
}

/**
 * Removes the rows of the last PAGES_AGAIN pages from the `.part` file. Returns its new length, and the time from which the download continues. Removes all
 * rows if the header is of another kind, or if a row is not in order or not within the period.
 */
function truncatePart(part: string, { series, from, to }: Pick<PeriodOptions, 'series' | 'from' | 'to'>): { bytes: number; next: Millis } {
  const bytes = readFileSync(part);
  const rows = rowsOf(bytes);
  const isOrdered = rows.every(({ time }, index) => time >= (rows[index - 1]?.time ?? from) && time < to);
  const isValid = isOrdered && bytes.toString('latin1', 0, series.header.length + 1) === `${series.header}\n`;
  const keepBefore = isValid ? (rows.at(-1)?.time ?? from) - PAGES_AGAIN * series.pageMs : from;
  const firstRemoved = rows.find(({ time }) => time >= keepBefore);
  const last = rows.findLast(({ time }) => time < keepBefore);
  const keepsNothing = last === undefined || firstRemoved === undefined;
  truncateSync(part, keepsNothing ? 0 : firstRemoved.start);
  return keepsNothing ? { bytes: 0, next: from } : { bytes: firstRemoved.start, next: last.time + Math.max(1, series.stepMs) };
}

interface PlacedRow {
  readonly time: Millis;
  /** Offset of its line. */
  readonly start: number;
}

const NEWLINE = 0x0a;
/** Times in microseconds, which trades have, are above this. */
const MICROS_FROM = 1e14;

/** The complete lines after the header. A line that does not begin with a time has no number as its time. */
function rowsOf(bytes: Buffer): readonly PlacedRow[] {
  const rows: PlacedRow[] = [];
  let start = bytes.indexOf(NEWLINE) + 1;
  for (let end = bytes.indexOf(NEWLINE, start); start > 0 && end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const number = Number(/(?:^|,)(\d{13,16})(?=,)/.exec(bytes.toString('latin1', start, Math.min(end, start + 120)))?.[1]);
    rows.push({ time: number > MICROS_FROM ? number / 1_000 : number, start });
    start = end + 1;
  }
  return rows;
}

const timesOf = (bytes: Buffer): readonly Millis[] => rowsOf(bytes).map(({ time }) => time);

/** Maximum number of gaps in the manifest: the longest ones. */
const MAX_GAPS = 20;

/** Gaps are counted between candles only: other rows have no fixed time between them. */
function countsOf(
  times: readonly Millis[],
  { name, stepMs }: HistorySeries,
): Pick<StoredFile, 'rows' | 'first' | 'last' | 'missing' | 'gapCount' | 'gaps'> {
  const gaps = name === 'candles' ? gapsBetween(times, stepMs) : [];
  const missing = gaps.reduce((sum, gap) => sum + (gap.to - gap.from) / stepMs, 0);
  const longest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_GAPS);
  return { rows: times.length, first: times[0], last: times.at(-1), missing, gapCount: gaps.length, gaps: longest };
}

export interface Gap {
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
}

/** Returns the gaps between candles. `times`: their openings, in order. */
export const gapsBetween = (times: readonly Millis[], span: Millis): readonly Gap[] =>
  times.flatMap((time, index) => {
    const expected = (times[index - 1] ?? time - span) + span;
    return time > expected ? [{ from: expected, to: time }] : [];
  });
