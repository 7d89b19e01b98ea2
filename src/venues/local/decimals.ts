// Derives the decimals of a market's prices and sizes from observed values, because the process does not report them.

export interface Decimals {
  readonly price: number;
  readonly size: number;
}

/** Digits that are significant: a server that adds floats writes 0.30000000000000004 for 0.3. */
const SIGNIFICANT_DIGITS = 12;

/** Returns the maximum number of decimals of the values; undefined if there are no values. */
export function mostDecimals(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values.map(decimalsOf));
}

/** True if both halves of the values have the same number of decimals: then it is unlikely that a decimal is missing. */
export function isStable(values: readonly number[]): boolean {
  const half = Math.floor(values.length / 2);
  return half > 0 && mostDecimals(values.slice(0, half)) === mostDecimals(values.slice(half));
}

/** Returns the decimals of a double as written, without its rounding noise: 2 for 0.25, 7 for 1e-7. */
function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(Number(value.toPrecision(SIGNIFICANT_DIGITS))).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
