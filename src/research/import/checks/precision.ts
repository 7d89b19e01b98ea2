// Finds how many decimals a series of numbers has, ignoring floating-point noise: 601245.4000000001 has one.
import { decimalsOf } from '../formats/numbers.ts';
import { shortestSingle } from '../formats/table-lines.ts';

/** A text with more digits than a double can always represent was printed by a program that computes with doubles. */
const MAX_EXACT_DIGITS = 15;
/** A text with more digits than a single-precision number can represent may be a single-precision number that was printed as a double. */
const MAX_SINGLE_DIGITS = 9;
/** Noise is at most this part of a number. */
const NOISE = 1e-12;
const MAX_DECIMALS = 18;

export interface Precision {
  /** Adds a number. Returns false if the text is not an unsigned decimal. */
  add(text: string): boolean;
  /** The number of decimals without noise. */
  readonly decimals: number;
  /** True if the numbers have floating-point noise, which rounding removes. */
  readonly noisy: boolean;
}

export function createPrecision(): Precision {
  // The largest number of decimals of each kind of text:
  let short = 0; // with at most 9 digits
  let exact = 0; // with 10 to 15 digits
  let double = 0; // with more digits, after rounding the noise away
  let single = 0; // with more than 9 digits, read as single-precision numbers
  let noisy = false;
  /** True while every text with more than 9 digits is a single-precision number. */
  let allSingle = true;
  /** Number of texts with more than 9 digits. */
  let long = 0;
  return {
    add(text) {
      const decimals = decimalsOf(text);
      if (decimals === undefined) return false;
      const digits = digitsOf(text);
      if (digits <= MAX_SINGLE_DIGITS) {
        short = Math.max(short, decimals);
        return true;
      }
      const value = Number(text);
      long += 1;
      if (digits <= MAX_EXACT_DIGITS) exact = Math.max(exact, decimals);
      else {
        noisy = true;
        double = Math.max(double, decimalsWithin(value, NOISE));
      }
      if (Math.fround(value) !== value) allSingle = false;
      else if (allSingle) single = Math.max(single, decimalsOf(plainSingle(value)) ?? 0);
      return true;
    },
    get decimals() {
      return allSingle && long > 0 ? Math.max(short, single) : Math.max(short, exact, double);
    },
    get noisy() {
      return noisy || (allSingle && long > 0);
    },
  };
}

/** Returns the number of significant digits, without zeros at the end of the fraction. */
function digitsOf(text: string): number {
  const plain = text.includes('.') ? text.replace(/0+$/, '') : text;
  return plain.replace('.', '').replace(/^0+/, '').length;
}

/** Returns the fewest decimals to which `value` can be rounded with an error of at most `share × value`. */
function decimalsWithin(value: number, share: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals += 1) {
    if (Math.abs(Number(value.toFixed(decimals)) - value) <= share * value) return decimals;
  }
  return MAX_DECIMALS;
}

/** Returns the shortest decimal of a single-precision number, without an exponent. */
function plainSingle(value: number): string {
  const text = shortestSingle(value);
  return text.includes('e') ? Number(text).toFixed(MAX_DECIMALS) : text;
}
