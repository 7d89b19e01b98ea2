// Decimal texts as ticks and lots, exactly; and how many decimals texts have.
import { assert } from '../../base/assert.ts';

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

export interface Scaler {
  /** The price must be on the tick. */
  readonly ticks: (text: string) => number;
  /** A size finer than the step is rounded toward zero, but not to nothing. */
  readonly lots: (text: string) => number;
  /** How many sizes were rounded so far. */
  readonly rounded: number;
}

export function createScaler({ price, size }: Decimals): Scaler {
  let rounded = 0;
  return {
    ticks: (text) => scaledDown(text, price),
    lots(text) {
      const lots = scaledDown(text, size);
      if ((decimalsOf(text) ?? 0) <= size) return lots;
      rounded += 1;
      return Math.max(1, lots);
    },
    get rounded() {
      return rounded;
    },
  };
}
