// A strategy's parameters: the defaults, overridden by the user's values. Errors contain the place of the value.
import type { Millis } from '../../base/clock.ts';
import { type Place, UserError } from '../../base/errors.ts';
import { isDecimalText } from '../../base/text/decimal.ts';
import { durationIn } from '../../base/text/duration.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { Params, ParamValue, Range, Strategy } from './contract.ts';

/** Numbers may be given bare or as plain decimal text. Throws a `UserError` for an unknown key, a wrong type and a value out of range. */
export function resolveParams<P extends Params>(
  { defaults, ranges = {} }: Pick<Strategy<P>, 'defaults' | 'ranges'>,
  given: Readonly<Record<string, unknown>>,
  place: (key: string) => Place | undefined,
): P {
  const names = Object.keys(defaults);
  const changed = Object.entries(given).map(([key, value]): [string, ParamValue] => {
    const fail: Fail = (text) => {
      throw new UserError({ code: 'params', message: text, place: place(key) });
    };
    const preset = Object.hasOwn(defaults, key) ? defaults[key] : undefined;
    if (preset === undefined) return fail(`unknown parameter "${key}"; ${suggestion(key, names)}`);
    return [key, valueOf(value, { key, preset, range: (ranges as Readonly<Record<string, Range>>)[key], fail })];
  });
  return { ...defaults, ...Object.fromEntries(changed) };
}

/** Returns the milliseconds of a duration such as `250ms`, `20s`, `15m`, `2h` or `1d`. Throws a `UserError` for any other text. */
export function millisOf(duration: string): Millis {
  const span = durationIn(duration);
  if (span !== undefined) return span;
  throw new UserError({ code: 'params', message: `"${duration}" is not a duration`, hint: 'write for example 250ms, 20s, 15m, 2h or 1d' });
}

type Fail = (text: string) => never;

interface Expected {
  readonly key: string;
  readonly preset: ParamValue;
  /** Of numbers: [least, most]. Of texts: those that are allowed. */
  readonly range: Range | undefined;
  readonly fail: Fail;
}

function valueOf(value: unknown, expected: Expected): ParamValue {
  const { key, preset, fail } = expected;
  return typeof preset === 'object'
    ? listOf(value, { ...expected, preset })
    : singleOf(value, { key, preset, range: expected.range, fail });
}

type Single = number | string | boolean;

/** A given list needs at least one value; each must have the type of the first default. A default list has one: `loader.ts` refuses an empty one. */
function listOf(
  value: unknown,
  { key, preset, range, fail }: Expected & { preset: readonly Single[] },
): readonly number[] | readonly string[] {
  if (!Array.isArray(value)) return fail(`${key} ${shown(value)} is not a list; write for example [${preset.join(', ')}]`);
  if (value.length === 0) return fail(`${key} is empty; write for example [${preset.join(', ')}]`);
  const values = value.map((one: unknown) => singleOf(one, { key, preset: preset[0]!, range, fail }));
  return values as readonly number[] | readonly string[]; // all are of the type of the first default
}

function singleOf(value: unknown, { key, preset, range, fail }: Expected & { preset: Single }): Single {
  if (typeof preset === 'number') return numberOf(value, { key, preset, range, fail });
  if (typeof preset === 'boolean') return typeof value === 'boolean' ? value : fail(`${key} ${shown(value)} is not true or false`);
  if (typeof value !== 'string') return fail(`${key} ${shown(value)} is not text; write for example "${preset}"`);
  // a default that is a duration asks for a duration, unless `range` lists the allowed texts
  if (range === undefined && durationIn(preset) !== undefined && durationIn(value) === undefined)
    return fail(`${key} "${value}" is not a duration; write for example "${preset}"`);
  const allowed: readonly unknown[] = range ?? [value];
  return allowed.includes(value) ? value : fail(`${key} "${value}" is unknown; ${suggestion(value, allowed.map(String))}`);
}

function numberOf(value: unknown, { key, preset, range, fail }: Expected & { preset: number }): number {
  const number = typeof value === 'string' && isDecimalText(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    return fail(`${key} ${shown(value)} is not a decimal; write ${plainDecimal(value) ?? `a number, as in ${preset}`}`);
  }
  // without a range: at least 0, unless the default is negative
  const [least, most] = (range ?? [preset < 0 ? -Infinity : 0, Infinity]) as readonly [number, number];
  if (number < least || number > most) return fail(`${key} ${shown(value)} ${outside({ least, most, number })}`);
  if (number === 0 && preset > 0 && range === undefined) return fail(`${key} ${shown(value)} must be above zero; the default is ${preset}`);
  return number;
}

function outside({ least, most, number }: { least: number; most: number; number: number }): string {
  if (most === Infinity) return number < 0 && least === 0 ? 'is negative' : `is below ${least}`;
  return `is outside ${least} to ${most}`;
}

/** The plain decimal in a text with a comma or a unit; undefined if there is none. */
const plainDecimal = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^\s*(-?\d+([.,]\d+)?)\s*[a-z%]*\s*$/i.exec(value)?.[1]?.replace(',', '.') : undefined;

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}
