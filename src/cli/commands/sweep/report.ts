// Writes the page of a sweep.
import { writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { type SweepFacts, sweepHtml } from '../../../research/sweep-page/sweep-page.ts';

/** `tapes`: file names. Throws a UserError if the page cannot be written. */
export function writePage(file: string, { tapes, ...facts }: SweepFacts): void {
  try {
    makeFolder(dirname(resolve(file)));
    writeFileSync(file, sweepHtml({ ...facts, tapes: tapes.map((tape) => basename(tape)) }));
  } catch (error) {
    throw new UserError({
      code: 'report',
      message: `the report ${file} cannot be written: ${messageOf(error)}`,
      hint: 'the results are in the store: the same command with another --report writes it without running anything',
    });
  }
}
