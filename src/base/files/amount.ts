// The schemas of numbers in a configuration, bare or quoted as a plain decimal, with the messages for a wrong one that the command line has too.
import { z } from 'zod';
import { isDecimalText } from '../text/decimal.ts';

/** What a value is, for a message (`an interval`), and what to write instead of a wrong one. */
export interface ValueWords {
  readonly what: string;
  readonly hint: string;
}

/** The words for the values that can also be given as options. */
export const VALUE_WORDS = z.registry<ValueWords>();

interface Amount {
  readonly preset: number;
  readonly min?: number;
  readonly max?: number;
  readonly words?: ValueWords;
}

/** Returns the schema of a limit. The unit is in the limit's name (`bookMs`). The messages are for the person who writes the configuration. */
export function amount({ preset, min = 0, max = Number.MAX_SAFE_INTEGER, words }: Amount) {
  const schema = z.preprocess(
    (given, context) => {
      if (typeof given !== 'string') return given;
      if (isDecimalText(given)) return Number(given);
      context.addIssue(
        `"${given}" is not a decimal; write ${given.replace(',', '.').match(/\d+(\.\d+)?/)?.[0] ?? `a number, as in ${preset}`}`,
      );
      return z.NEVER;
    },
    z.number('must be a number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
  );
  if (words !== undefined) schema.register(VALUE_WORDS, words);
  return schema.default(preset);
}

export const PORT_WORDS: ValueWords = { what: 'a port', hint: 'write a number up to 65535, or 0 for a free port' };

const NOT_A_PORT = `must be a port; ${PORT_WORDS.hint}`;

/** The schema of a port; 0 is any free one. */
export const port = z
  .preprocess(
    (given) => (typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : given),
    z.int(NOT_A_PORT).min(0, NOT_A_PORT).max(65_535, NOT_A_PORT),
  )
  .register(VALUE_WORDS, PORT_WORDS);

/** Returns the schema of the value at a path; undefined if there is none. */
export function schemaAt(schema: z.core.$ZodType, [head, ...rest]: readonly PropertyKey[]): z.core.$ZodType | undefined {
  if (head === undefined) return schema;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodRecord) return schemaAt(inner.valueType, rest);
  const next = inner instanceof z.ZodObject ? inner.shape[String(head)] : undefined;
  return next && schemaAt(next, rest);
}

/** Returns the schema without its default, and without being optional. */
export const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? unwrapped(schema._zod.def.innerType)
    : schema;
