// Keeps the newest parsed answers: most polled answers are unchanged, and are not parsed again.
import type { z } from 'zod';

/** Number of kept answers per shape: lists of one shape are polled in turn (trades as maker, as taker, and of a few markets). */
const KEPT_PER_SHAPE = 4;

/** Returns the same value for the same bytes; it must never be modified. */
export class ParsedAnswers {
  readonly #newest = new WeakMap<z.ZodType, readonly { readonly body: Uint8Array; readonly value: unknown }[]>();

  of<S extends z.ZodType>(shape: S, body: Uint8Array, read: () => z.output<S>): z.output<S> {
    const known = this.#newest.get(shape) ?? [];
    const same = known.find((answer) => Buffer.compare(answer.body, body) === 0);
    if (same !== undefined) return same.value as z.output<S>;
    const value = read();
    this.#newest.set(shape, [{ body, value }, ...known.slice(0, KEPT_PER_SHAPE - 1)]);
    return value;
  }
}
