// Writes the page of a sweep.
import { basename } from 'node:path';
import { type SweepFacts, sweepHtml } from '../../../research/sweep-page/sweep-page.ts';
import { writePage } from '../../report-files.ts';

const HINT = 'the results are in the store: the same command with another --report writes it without running anything';

/** `tapes`: file names. Throws a UserError if the page cannot be written. */
export const writeSweepPage = (file: string, { tapes, ...facts }: SweepFacts): void =>
  writePage(file, sweepHtml({ ...facts, tapes: tapes.map((tape) => basename(tape)) }), HINT);
