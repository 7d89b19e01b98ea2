// Reads a number in the configuration: bare or quoted as a plain decimal, and within its bounds.
import { z } from 'zod';
import { isDecimalText } from '../text/decimal.ts';

/** Returns the schema of a limit. The unit is in the limit's name (`bookMs`). The messages are for the person who writes the configuration. */
export function amount({ preset, min = 0, max = Number.MAX_SAFE_INTEGER }: { preset: number; min?: number; max?: number }) {
  return z
    .preprocess(
      (given, context) => {
        if (typeof given !== 'string') return given;
        if (isDecimalText(given)) return Number(given);
        context.addIssue(
          `"${given}" is not a decimal; write ${given.replace(',', '.').match(/\d+(\.\d+)?/)?.[0] ?? `a number, as in ${preset}`}`,
        );
        return z.NEVER;
      },
      z.number('must be a number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
    )
    .default(preset);
}
