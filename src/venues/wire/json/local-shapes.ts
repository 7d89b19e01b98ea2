// Shapes of small parts of the local process's replies; the process writes some values in several formats.
import { z } from 'zod';
import { maybe, time } from '../../../base/wire/shapes.ts';

const NUMERIC = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A finite number, or the same as text: the process returns what its decimal library writes. It writes null for NaN: `maybe(decimal)` where that can be. */
export const decimal = z
  .union([z.number(), z.string().regex(NUMERIC, 'not a number')])
  .transform(Number)
  .pipe(z.number());

/** Names and ids that come as text or as a number. */
export const text = z.union([z.string(), z.number()]).transform(String);

/** An id that can stand in a path; more than 64 bits in some servers. */
export const orderId = z.union([z.number().int().min(0), z.string().regex(/^[\w-]{1,64}$/, 'not an order id')]).transform(String);

/** A time, or a day, which means its first moment in UTC. */
export const date = z.union([z.iso.date().transform((day) => `${day}T00:00:00Z`), time]);

export const tradeSide = z.enum(['buy', 'sell']);
export type TradeSide = z.output<typeof tradeSide>;

/** `limit`, or an object whose only key is the type: `{limit: {}}`. */
export const typeName = z.union([z.string(), z.record(z.string(), z.unknown())]).transform((type, context): string => {
  if (typeof type === 'string') return type;
  const [name, ...more] = Object.keys(type);
  if (name !== undefined && more.length === 0) return name;
  context.issues.push({ code: 'custom', input: type, message: 'not a type, nor an object keyed by one' });
  return z.NEVER;
});

/** Makes an invalid field absent. For answers to a write that has been executed already, which must not count as failed because of one field. */
export const lenient = <S extends z.ZodType>(shape: S) => maybe(shape).catch(undefined);
