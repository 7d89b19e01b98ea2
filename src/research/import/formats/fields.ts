// Reads and checks the fields of a JSON line.

import { isDecimalText, scale, unscale } from '../../../base/text/decimal.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../../../embedded/rows/rows.ts';
import type { LevelText } from './feed-message.ts';

/** Thrown for an invalid line. `reading.ts` adds the file and the line number. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
  readonly hint: string | undefined;
  /** The column in the line, from 1, if the error is about one value. */
  readonly column: number | undefined;
  /** The number of the line; undefined: the newest line. */
  readonly line: number | undefined;

  /** Without a hint, `reading.ts` adds one that describes the files of the format. */
  constructor(message: string, hint?: string, column?: number, line?: number) {
    super(message);
    this.hint = hint;
    this.column = column;
    this.line = line;
  }

  /** Returns the same error about another line. */
  at(line: number): Malformed {
    return new Malformed(this.message, this.hint, this.column, line);
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('is not a JSON object');
  return value as Fields;
}

/** Parses a line `<receive time> <JSON>`. */
export function receivedMessage(line: string): { received: Stamp; message: Fields } {
  const blank = line.indexOf(' ');
  const received = receiveTime(line.slice(0, blank));
  if (received === undefined) throw new Malformed(`does not begin with a time of receipt: ${shortened(line)}`);
  try {
    return { received, message: fieldsOf(readJson(line.slice(blank + 1), JSON_LIMITS.file)) };
  } catch (error) {
    if (error instanceof Malformed) throw error;
    throw new Malformed(`has no valid JSON after its time: ${shortened(line)}`);
  }
}

/** Parses a time in milli-, micro- or nanoseconds; the unit follows from the number of digits. */
function receiveTime(digits: string): Stamp | undefined {
  return /^[1-9]\d*$/.test(digits) && [13, 16, 19].includes(digits.length) ? Number(digits.slice(0, 16).padEnd(16, '0')) : undefined;
}

export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Malformed(`"${name}" is not text: ${shortened(JSON.stringify(value) ?? 'absent')}`);
  return value;
}

export function wholeIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value)) throw new Malformed(`"${name}" is not a whole number: ${shortened(JSON.stringify(value) ?? 'absent')}`);
  return value as number;
}

export function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw new Malformed(`"${name}" is neither true nor false`);
  return value;
}

/** Reads a time that is in milliseconds. */
export const stampIn = (fields: Fields, name: string): Stamp => wholeIn(fields, name) * STAMPS_PER_MILLI;

/** Reads a list of `[price, size]`. */
export function levelsIn(fields: Fields, name: string): readonly LevelText[] {
  const value = fields[name];
  if (!Array.isArray(value) || !value.every(isLevel)) throw new Malformed(`"${name}" is not a list of [price, size]`);
  return value;
}

const isLevel = (value: unknown): value is LevelText =>
  Array.isArray(value) && value.length >= 2 && typeof value[0] === 'string' && typeof value[1] === 'string';

/** Returns undefined for size 0, which stands for an empty side. */
export const bestLevel = (price: string, size: string): LevelText | undefined => (Number(size) > 0 ? [price, size] : undefined);

/** Returns decimal text without an exponent: `3.1e-05` becomes `0.000031`. */
export function plainDecimal(text: string): string {
  if (isDecimalText(text)) return text;
  const integer = /^-?\d+(\.\d+)?e[+-]?\d+$/i.test(text) ? scale(Number(text), MAX_DECIMALS, 'down') : undefined;
  if (integer === undefined) throw new Malformed(`"${shortened(text)}" is not a decimal number`);
  return unscale(integer, MAX_DECIMALS);
}

const MAX_DECIMALS = 18;
const SHOWN = 60;

export const shortened = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
