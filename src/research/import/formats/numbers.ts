// Converts decimal texts to ticks and lots, exactly, and counts the decimals of a text.
import { assert } from '../../../base/errors.ts';

export interface Decimals {
  readonly price: number;
  readonly size: number;
}

/** Returns the number of decimals that a text needs: 1 for `28145.10`. Undefined if it is not an unsigned decimal without exponent. */
export function decimalsOf(text: string): number | undefined {
  let point = -1;
  let needed = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && point < 0) point = at;
    else if (code < ZERO || code > NINE) return undefined;
    else if (code !== ZERO && point >= 0) needed = at - point;
  }
  return text === '' || point === 0 || point === text.length - 1 ? undefined : needed;
}

const [POINT, ZERO, NINE] = ['.', '0', '9'].map((sign) => sign.charCodeAt(0)) as [number, number, number];

/**
 * Returns `text × 10^decimals` rounded toward zero, for a text that `decimalsOf` accepts: 2814 for `28.145` and 2. Exact, with integers only, like `scale` of
 * `base/text/decimal.ts`, which is too slow for the millions of texts in a recording (it takes microseconds).
 */
export function scaledDown(text: string, decimals: number): number {
  let value = 0;
  let decimalsLeft = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length && decimalsLeft > 0; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      decimalsLeft = decimals;
    } else {
      value = value * 10 + code - ZERO;
      decimalsLeft -= 1;
    }
  }
  const scaled = value * 10 ** Math.min(decimalsLeft, decimals);
  assert(Number.isSafeInteger(scaled), 'a number of a recording is too large');
  return scaled;
}

/** How the sizes of a recording are counted, if not in single base tokens. */
export interface SizeUnits {
  /** A power of ten: the market on the tape counts in units of this many tokens. Needed if one token is worth less than a tick can express. */
  readonly unit?: number | undefined;
  /** Set if recorded sizes count contracts: the quote money that one is worth. Sizes are converted to base tokens at the price beside them. */
  readonly contractValue?: number | undefined;
}

export interface Scaler {
  /** Returns a price in ticks. The price must be a multiple of the tick, unless `nearest` is set: it is rounded then. */
  readonly ticks: (text: string) => number;
  /** Returns a price as a decimal in the market's units; it need not be a multiple of the tick. */
  readonly price: (text: string) => number;
  /** Returns a size in lots, rounded toward zero but at least 1; with `nearest` to the nearest lot. `price` is the price beside it. */
  readonly lots: (text: string, price: string) => number;
  /** Number of sizes rounded so far. */
  readonly rounded: number;
  /** Prices rounded so far, and the largest change, as a decimal. */
  readonly roundedPrices: { readonly count: number; readonly most: number };
}

export interface ScalerOptions extends SizeUnits {
  /** Rounds to the nearest tick and lot: for numbers that are floats with noise. */
  readonly nearest?: boolean | undefined;
}

export function createScaler(
  { price: priceDecimals, size }: Decimals,
  { unit = 1, contractValue, nearest = false }: ScalerOptions = {},
): Scaler {
  const shift = Math.round(Math.log10(unit));
  const decimals = size - shift;
  let rounded = 0;
  const prices = createRounding(priceDecimals + shift);
  const lotsOf = (text: string): { lots: number; exact: boolean } => {
    const needed = decimalsOf(text) ?? 0;
    if (nearest && needed > decimals) return { lots: Math.round(Number(text) * 10 ** decimals), exact: Number(text) === 0 };
    if (decimals >= 0) return { lots: scaledDown(text, decimals), exact: needed <= decimals };
    const lots = scaledDown(text, 0) / 10 ** -decimals;
    return { lots: Math.floor(lots), exact: needed === 0 && Number.isInteger(lots) };
  };
  const lotsOfContracts = (text: string, price: string, value: number): { lots: number; exact: boolean } => {
    const lots = ((Number(text) * value) / Number(price)) * 10 ** decimals;
    return { lots: Math.floor(lots), exact: Number.isInteger(lots) };
  };
  return {
    ticks: nearest ? prices.ticks : (text) => scaledDown(text, priceDecimals + shift),
    price: (text) => Number(text) * unit,
    lots(text, price) {
      const { lots, exact } = contractValue === undefined ? lotsOf(text) : lotsOfContracts(text, price, contractValue);
      if (exact) return lots;
      rounded += 1;
      return Math.max(1, lots);
    },
    get rounded() {
      return rounded;
    },
    get roundedPrices() {
      return prices.rounded();
    },
  };
}

interface Rounding {
  readonly ticks: (text: string) => number;
  readonly rounded: () => Scaler['roundedPrices'];
}

/** Rounds to the nearest multiple of 10^-decimals. */
function createRounding(decimals: number): Rounding {
  let count = 0;
  let most = 0;
  return {
    ticks(text) {
      if ((decimalsOf(text) ?? 0) <= decimals) return scaledDown(text, decimals);
      const ticks = Math.round(Number(text) * 10 ** decimals);
      count += 1;
      most = Math.max(most, Math.abs(ticks / 10 ** decimals - Number(text)));
      return ticks;
    },
    rounded: () => ({ count, most }),
  };
}
