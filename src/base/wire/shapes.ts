// Zod shapes of values that occur in many replies of the exchange (ids, sides, amounts), and the function that checks a reply by a shape.
import { z } from 'zod';
import { MAX_U64, WireError } from './framing.ts';

/** An id of up to 64 bits, sent as a number or as text: decimal text, exact. */
export const id = z.union([z.number(), z.string()]).transform((value, context): string => {
  if (typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : isU64(value)) return String(value);
  context.issues.push({ code: 'custom', input: value, message: 'not an unsigned 64-bit integer' });
  return z.NEVER;
});

const isU64 = (text: string): boolean => /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) <= MAX_U64;

/** An account, market or token id, or a small count. */
export const u32 = z
  .number()
  .int()
  .min(0)
  .max(2 ** 32 - 1);

/** RFC 3339. Text without a zone is taken as UTC and given its `Z`, so that `Date.parse` reads it the same everywhere. */
export const time = z.string().transform((text, context): string => {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
  if (/^\d{4}-\d\d-\d\dT/i.test(text) && !Number.isNaN(Date.parse(zoned))) return zoned;
  context.issues.push({ code: 'custom', input: text, message: 'not an RFC 3339 time' });
  return z.NEVER;
});

export const side = z.enum(['bid', 'ask']);

/** Makes a shape optional: absent and null both become undefined. */
export const maybe = <S extends z.ZodType>(shape: S) => shape.nullish().transform((value) => value ?? undefined);

/** A flag that older servers omit. */
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** Price and total size, decimals. */
export type WirePriceLevel = readonly [price: number, size: number];

/** Checked by hand: books are polled many times a second, and zod takes longer over a pair than JSON.parse does. */
export const levels = z.custom<readonly WirePriceLevel[]>(
  (value) =>
    Array.isArray(value) &&
    value.every((level: unknown) => Array.isArray(level) && level.length === 2 && Number.isFinite(level[0]) && Number.isFinite(level[1])),
  'not an array of [price, size]',
);

/** `{items, nextStartInclusive}`: null or absent is the end, whatever the number of items. */
export const page = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), nextStartInclusive: maybe(id) });

/** Returns the value as the shape defines it, unknown keys dropped. Throws a `WireError` that names the reply and the path of the fault. */
export function readAs<S extends z.ZodType>(shape: S, value: unknown, what: string): z.output<S> {
  const result = compiled(shape).safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new WireError(`${what}${place}: ${issue?.message ?? 'invalid'}`);
}

/** The shapes that were read before, and the compiled forms of those that were read again. */
const known = new WeakMap<z.ZodType, { compiled?: z.ZodType }>();

/** Compiles a shape when it is read for the second time. That takes about 2 ms; then a page of trades is read in an eighth of the time. */
function compiled<S extends z.ZodType>(shape: S): S {
  const entry = known.get(shape);
  if (entry !== undefined) return (entry.compiled ??= z.compile(shape)) as S;
  known.set(shape, {});
  return shape;
}
