// The seeded bugs, one line each: what a tired programmer could write, and what somebody has written in the field.

export interface Mutant {
  /** What is wrong with it, in words. */
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
}

export const MUTANTS: readonly Mutant[] = [];
