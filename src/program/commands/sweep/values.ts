// Parsers of option values that only `bot sweep` uses.
import { wrongValue } from '../../values.ts';

/** A whole number from 0. */
export const indexOf = (text: string, option: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw wrongValue(`${option} "${text}" is not a whole number`, 'write for example 0');
};

const BYTES: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };

/** `500MB`, `20GB`. */
export const bytesOf = (text: string, option: string): number => {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([A-Z]{2})$/.exec(text) ?? [];
  const bytes = Number(amount) * (BYTES[unit] ?? Number.NaN);
  if (bytes > 0) return bytes;
  throw wrongValue(`${option} "${text}" is not a size`, 'write 500MB, 20GB or 1TB');
};
