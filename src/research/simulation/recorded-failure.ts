// A recorded failure (regression seed): all that is needed to reproduce it, and nothing that depends on when or where it was found.

import { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import { PROGRAM } from '../../base/package.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { ALL_KINDS, LIE_KINDS, PATHS, type Plan, STREAM_KINDS } from './plan/faults.ts';
import { PLAYED_EXCHANGES } from './plan/faults-by-exchange.ts';
import { type Options, PROFILES } from './plan/options.ts';
import type { Failure } from './trial.ts';

const fault = z.strictObject({
  id: z.string(),
  kind: z.enum([...ALL_KINDS, ...STREAM_KINDS, ...LIE_KINDS]),
  from: z.number(),
  until: z.number(),
  path: z.enum([...PATHS, 'all']).optional(),
  chance: z.number().optional(),
  amount: z.number().optional(),
  detail: z.string().optional(),
});

/** Options that an older file does not have are those of its seed. */
const shape = z.object({
  version: z.literal(1),
  /** The invariant that failed. */
  invariant: z.string(),
  /** For a person. */
  message: z.string(),
  seed: z.string(),
  profile: z.enum(PROFILES),
  strategy: z.string(),
  exchange: z.enum(PLAYED_EXCHANGES).optional(),
  options: z.looseObject({}),
  plan: z.array(fault),
});
export type RecordedFailure = z.infer<typeof shape>;

export function recordedFailureOf({ invariant, message, options, plan }: Failure): RecordedFailure {
  const { seed, profile, strategy, exchange } = options;
  return {
    version: 1,
    invariant,
    message,
    seed,
    profile,
    strategy,
    ...(exchange !== undefined && { exchange }),
    options: { ...options },
    plan: [...plan],
  };
}

/** Throws a UserError if the text is not a recorded failure. */
export function parseRecordedFailure(text: string, file: string): RecordedFailure {
  try {
    return shape.parse(readJson(text, JSON_LIMITS.file));
  } catch (error) {
    const message = error instanceof z.ZodError ? (z.prettifyError(error).split('\n')[0] ?? '') : 'not JSON';
    throw new UserError({
      code: 'recorded-failure',
      message: `not a recorded failure: ${message}`,
      place: { file },
      hint: `${PROGRAM} torture writes them`,
    });
  }
}

/**
 * Returns the options and the plan to play. `usual`: the options that its seed draws now, for those that an older file lacks; but not `fundingMs`, which seeds
 * did not draw when such a file was written.
 */
export function contentsOf({ options, plan }: RecordedFailure, usual: Options): { readonly options: Options; readonly plan: Plan } {
  const { fundingMs: _, ...known } = usual;
  return { options: { ...known, ...(options as Partial<Options>) }, plan };
}
