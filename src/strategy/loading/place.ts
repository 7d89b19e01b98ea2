// Finds the place of an error in the author's code: the first line of the stack outside the program.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../../base/errors.ts';
import { programFile } from '../../base/package.ts';

const FRAME = /^\s+at (?:.*? \()?([^()]+?):(\d+):(\d+)\)?$/;
const OURS = fileURLToPath(programFile(''));

/** Undefined if the stack names no file outside the program. */
export function authorPlace(thrown: unknown): Place | undefined {
  if (!(thrown instanceof Error)) return undefined;
  for (const line of thrown.stack?.split('\n') ?? []) {
    const [, where, row, column] = FRAME.exec(line) ?? [];
    if (where === undefined || where.startsWith('node:')) continue;
    const file = where.startsWith('file:') ? fileURLToPath(where) : where;
    if (!file.startsWith(OURS) && !file.includes('/node_modules/')) return { file: short(file), line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** Relative to the working directory if the file is below it. */
function short(file: string): string {
  const path = relative('', file);
  return path.startsWith('..') ? file : path;
}
