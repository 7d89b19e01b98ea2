// The files of a report on disk: checks which may be replaced, writes pages, and reads the figures beside a page.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../base/errors.ts';
import { makeFolderOf } from '../base/files/folder.ts';
import { JSON_LIMITS, readJson } from '../base/text/json.ts';
import { REPORT_VERSION, type SavedReport } from '../research/report/report.ts';
import { holdsTablesOnly, readTables } from '../research/report/tables/files.ts';

/** Marks of our pages: the tag in the head of each page, and the mark of versions without that tag. */
const OWN_MARKS = ['<meta name="generator" content="tickwright report">', '<link rel="icon" href="data:,">'];
const HEAD_BYTES = 4_096;

/** True if the name is that of a page or of its JSON. */
export const isReportFile = (file: string): boolean => /\.(html?|json)$/.test(file);

/** Returns the name of the files beside a page, without their endings. */
const stemOf = (page: string): string => page.replace(/\.(html?|json)$/, '');

/** Returns the folder of the tables that belong to a page. */
export const tablesBeside = (page: string): string => `${stemOf(page)}.data`;

/** Reads the tables that belong to a page; undefined if there are none. Rejects with a UserError if they cannot be read. */
export async function readTablesOf(page: string): ReturnType<typeof readTables> {
  const folder = tablesBeside(page);
  try {
    return await readTables(folder);
  } catch (error) {
    throw wrong(`${folder} cannot be read: ${messageOf(error)}`, 'run the backtest again');
  }
}

/** Throws a UserError if the file, or a file beside it, exists and is not part of a report of this program. */
export function requireReplaceablePage(page: string): void {
  requireOwnPage(page);
  const json = `${stemOf(page)}.json`;
  if (existsSync(json) && !isReport(parseJson(json))) throw foreign(json);
  if (!holdsTablesOnly(tablesBeside(page))) throw foreign(tablesBeside(page));
}

/** Throws a UserError if the file exists and is not a page of this program. */
export function requireOwnPage(page: string): void {
  if (existsSync(page) && !isOwn(page)) throw foreign(page);
}

const OTHER_FILE = 'choose another file with --report';

/** Writes a page, and creates its folder if that is missing. Throws a UserError if the page cannot be written. */
export function writePage(page: string, text: string, hint = OTHER_FILE): void {
  orUserError({ page, hint }, () => {
    makeFolderOf(page);
    writeFileSync(page, text);
  });
}

/** Returns the result of `write`, which writes a report. Throws a UserError instead of any other error. */
export function orUserError<T>({ page, hint = OTHER_FILE }: { readonly page: string; readonly hint?: string }, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw wrong(`the report ${page} cannot be written: ${messageOf(error)}`, hint);
  }
}

const wrong = (message: string, hint?: string): UserError => new UserError({ code: 'report', message, hint });

const foreign = (file: string): UserError => wrong(`${file} exists and is not a report of this program; it is left as it is`, OTHER_FILE);

/** True if a file is a page of this program, is empty, or is not a file. */
function isOwn(page: string): boolean {
  if (!statSync(page).isFile()) return true; // writing reports the error
  const file = openSync(page, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    const text = head.toString('utf8', 0, length);
    return length === 0 || OWN_MARKS.some((mark) => text.includes(mark));
  } finally {
    closeSync(file);
  }
}

/** Returns the content of a JSON file; undefined if it cannot be read or parsed. */
function parseJson(file: string): unknown {
  try {
    return readJson(readFileSync(file, 'utf8'), JSON_LIMITS.file);
  } catch {
    return undefined;
  }
}

const isReport = (value: unknown): value is { kind: 'report'; version?: unknown } =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'report';

/** Reads the figures of a report, given its page or its JSON. Throws a UserError if there are none, or if another version wrote them. */
export function readReport(page: string): SavedReport {
  const file = `${stemOf(page)}.json`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`${file} cannot be read: ${messageOf(error)}`, 'the JSON of a report is beside its page');
  }
  const value = parseJson(file);
  if (text === '' || !isReport(value)) throw wrong(`${file} is not the JSON of a report`);
  if (value.version !== REPORT_VERSION) {
    throw wrong(`${file} was written by another version of this program, with other figures`, 'run the backtest again');
  }
  return value as unknown as SavedReport;
}
