// Finds the place of an error in the author's code: the first line of the stack outside the program.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from '../../../base/errors.ts';
import { programFile } from '../../../base/package.ts';

const FRAME = /^\s+at (?:.*? \()?([^()]+?):(\d+):(\d+)\)?$/;
const OURS = fileURLToPath(programFile(''));

/** Returns the place in the author's file that an error comes from; undefined if its stack names no file outside the program. */
export function authorPlace(thrown: unknown): Place | undefined {
  const frame = framesOf(thrown).find(({ isAuthors }) => isAuthors);
  return frame === undefined ? undefined : { ...frame.place, file: short(frame.place.file) };
}

/** True if the author's code threw the error itself, and not a function of the program that it called. */
export const isThrownByAuthor = (thrown: Error): boolean => framesOf(thrown)[0]?.isAuthors === true;

interface Frame {
  readonly place: Place;
  readonly isAuthors: boolean;
}

/** The frames with a file, without those of Node. */
const framesOf = (thrown: unknown): readonly Frame[] =>
  !(thrown instanceof Error)
    ? []
    : (thrown.stack?.split('\n') ?? []).flatMap((line) => {
        const [, where, row, column] = FRAME.exec(line) ?? [];
        if (where === undefined || where.startsWith('node:')) return [];
        const file = where.startsWith('file:') ? fileURLToPath(where) : where;
        const isAuthors = !file.startsWith(OURS) && !file.includes('/node_modules/');
        return [{ place: { file, line: Number(row), column: Number(column) }, isAuthors }];
      });

/** Relative to the working directory if the file is below it. */
function short(file: string): string {
  const path = relative('', file);
  return path.startsWith('..') ? file : path;
}
