// How many decimals a market's prices and sizes have: the process does not state it, so it is told from those that are seen.

export interface Decimals {
  readonly price: number;
  readonly size: number;
}

/** A server that adds floats up writes 0.30000000000000004 for 0.3. */
const SIGNIFICANT_DIGITS = 12;

/** The most decimals that any of the values has; undefined where there is no value. */
export function mostDecimals(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values.map(decimalsOf));
}

/** True where either half of the values would have told the same: many show the last decimal, so that none is likely to be missing. */
export function isStable(values: readonly number[]): boolean {
  const half = Math.floor(values.length / 2);
  return half > 0 && mostDecimals(values.slice(0, half)) === mostDecimals(values.slice(half));
}

/** Of a double as it is written, its noise left out: 2 for 0.25, 7 for 1e-7. */
function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(Number(value.toPrecision(SIGNIFICANT_DIGITS))).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
