// Decimal texts as ticks and lots, exactly; and how many decimals texts have.
import { assert } from '../../../base/assert.ts';

export interface Decimals {
  readonly price: number;
  readonly size: number;
}

/** Decimals that a text needs: 2 of `28145.10` is 1. Undefined where it is no plain decimal without a sign. */
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
 * `text × 10^decimals` toward zero, of a text that has `decimalsOf`. Counts in whole numbers all the way, as `scale` of `base/decimal.ts` does for any
 * number; that takes microseconds, and a recording has millions of texts.
 */
export function scaledDown(text: string, decimals: number): number {
  let value = 0;
  let wanted = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length && wanted > 0; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      wanted = decimals;
    } else {
      value = value * 10 + code - ZERO;
      wanted -= 1;
    }
  }
  const scaled = value * 10 ** Math.min(wanted, decimals);
  assert(Number.isSafeInteger(scaled), 'a number of a recording is too large');
  return scaled;
}

/** What the numbers of a recording count, where it is not tokens one by one. */
export interface Measures {
  /** A power of ten: prices and sizes of the market are of so many tokens, where one alone is worth less than a tick could tell. */
  readonly unit?: number | undefined;
  /** Sizes are told in contracts worth so much quote money each; those of the market are base tokens, at the price beside them. */
  readonly contractValue?: number | undefined;
}

export interface Scaler {
  /** The price must be on the tick. */
  readonly ticks: (text: string) => number;
  /** Of a price that need not be on the tick, as a decimal of the market. */
  readonly price: (text: string) => number;
  /** A size finer than the step is rounded toward zero, but not to nothing. `price`: the one beside it. */
  readonly lots: (text: string, price: string) => number;
  /** How many sizes were rounded so far. */
  readonly rounded: number;
}

export function createScaler({ price: priceDecimals, size }: Decimals, { unit = 1, contractValue }: Measures = {}): Scaler {
  const shift = Math.round(Math.log10(unit));
  const decimals = size - shift;
  let rounded = 0;
  const lotsOf = (text: string): { lots: number; exact: boolean } => {
    const needed = decimalsOf(text) ?? 0;
    if (decimals >= 0) return { lots: scaledDown(text, decimals), exact: needed <= decimals };
    const lots = scaledDown(text, 0) / 10 ** -decimals;
    return { lots: Math.floor(lots), exact: needed === 0 && Number.isInteger(lots) };
  };
  const lotsOfContracts = (text: string, price: string, value: number): { lots: number; exact: boolean } => {
    const lots = ((Number(text) * value) / Number(price)) * 10 ** decimals;
    return { lots: Math.floor(lots), exact: Number.isInteger(lots) };
  };
  return {
    ticks: (text) => scaledDown(text, priceDecimals + shift),
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
  };
}
