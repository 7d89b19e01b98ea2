// The parameters that a sweep varies, read from texts such as `spacingBps=2:20:2` and `levels=3,5,8`.

import { UserError } from '../../base/errors.ts';
import { isDecimalText } from '../../base/text/decimal.ts';

/** One parameter and the values that it takes. */
export interface Axis {
  readonly name: string;
  /** As they would be written in a configuration; numbers in ascending order. */
  readonly values: readonly string[];
  /** True if all values are numbers, so that values have neighbours and the first and last are edges. */
  readonly isNumeric: boolean;
}

/** Maximum number of values of one parameter; more count as a mistake. */
const MAX_VALUES = 100_000;

/** Parses all texts. Throws a UserError for a text without values, and for a parameter that is named twice. */
export function axesOf(texts: readonly string[]): readonly Axis[] {
  const axes = texts.map(axisOf);
  const twice = axes.find(({ name }, index) => axes.findIndex((axis) => axis.name === name) !== index);
  if (twice !== undefined) throw wrong(`--param ${twice.name} was given twice`, `write all its values at once, as in ${twice.name}=2,4,8`);
  return axes;
}

function axisOf(text: string): Axis {
  const [, name = '', given = ''] = /^([\w-]+)=(.+)$/s.exec(text) ?? [];
  if (name === '') throw wrong(`--param "${text}" has no name and values`, HOW);
  const parts = given.split(':').map((part) => part.trim());
  if (parts.length === 3 && parts.every(isDecimalText)) return { name, values: rangeOf(parts, text), isNumeric: true };
  const values = given.split(',').map((value) => value.trim());
  if (values.includes('')) throw wrong(`--param "${text}" has an empty value`, HOW);
  const isNumeric = values.every(isDecimalText);
  const different = [...new Set(isNumeric ? values.map((value) => String(Number(value))) : values)];
  return { name, values: isNumeric ? different.toSorted((a, b) => Number(a) - Number(b)) : different, isNumeric };
}

/** Returns the values of a range from:to:step, computed in units of the last written decimal, so that 0.1:0.7:0.1 ends with 0.7. */
function rangeOf(parts: readonly string[], text: string): readonly string[] {
  const decimals = Math.max(...parts.map((part) => part.split('.')[1]?.length ?? 0));
  const [from = 0, to = 0, step = 0] = parts.map((part) => Math.round(Number(part) * 10 ** decimals));
  if (!(step > 0) || from > to)
    throw wrong(`--param "${text}" is not a range`, 'write from:to:step with from at most to and a step above 0');
  const count = Math.floor((to - from) / step) + 1;
  if (count > MAX_VALUES)
    throw wrong(`--param "${text}" has ${count} values`, `write a larger step; at most ${MAX_VALUES} values are possible`);
  return Array.from({ length: count }, (_, index) => String(Number(((from + index * step) / 10 ** decimals).toFixed(decimals))));
}

const HOW = 'write NAME=FROM:TO:STEP or NAME=A,B,C, as in spacingBps=2:20:2 or levels=3,5,8';

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'option', message, hint });
