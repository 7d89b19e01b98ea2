// The markets of an exchange that ccxt knows, as a paper run trades them: ticks, lots, contracts, margins, and what is refused.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { paperMarketIn } from '../../../../src/venues/ccxt/listing.ts';
import { type Row, SPOT, SWAP } from './fake-library.ts';

const TICK_SIZE = 4;
const read = (row: Row, { exchange = 'okx', precisionMode = TICK_SIZE, name = 'BTC/USD:USD' } = {}) =>
  paperMarketIn({ [name]: row }, name, { exchange, precisionMode, id: 0 });

function refusal(act: () => unknown): UserError {
  try {
    act();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a market is read with', () => {
  test('its tick, lot and least value, and 1 as the margin of a spot market', () => {
    const { market, assumed } = read(SPOT);
    expect(market.spec).toMatchObject({ kind: 'spot', priceDecimals: 1, sizeDecimals: 4, minNotional: 5, imf: 1 });
    expect(assumed).toEqual([]);
  });

  test('a tick and a lot that are no powers of ten', () => {
    const { spec } = read({ ...SPOT, precision: { price: 0.25, amount: 5 } }).market;
    expect(spec).toMatchObject({ priceDecimals: 2, priceStep: 25, sizeDecimals: 0, sizeStep: 5 });
  });

  test('a lot in tokens, where a contract is not one token', () => {
    const { market, unit } = read(SWAP);
    expect(market.spec).toMatchObject({ kind: 'perp', sizeDecimals: 3, imf: 0.02, mmf: 0.01 });
    expect(unit.books.toNumber()).toBe(0.01);
    expect(unit.trades.toNumber()).toBe(0.01);
  });

  test('a coarser lot, if price and size have too many decimals together, which is said', () => {
    const { market, assumed } = read({ ...SPOT, precision: { price: 0.01, amount: 1e-8 } });
    expect(market.spec).toMatchObject({ priceDecimals: 2, sizeDecimals: 6 });
    expect(assumed).toEqual(['sizes of BTC/USD:USD are rounded down to 0.000001']);
  });

  test('the margins of 10x leverage, if the exchange lists none, which is said', () => {
    const { market, assumed } = read({ ...SWAP, limits: {} });
    expect(market.spec.imf).toBe(0.1);
    expect(assumed).toEqual(['BTC/USD:USD has the margins of 10x leverage, as none is listed']);
  });

  test('precisions that are counts of decimals', () => {
    const { spec } = read({ ...SPOT, precision: { price: 2, amount: 3 } }, { precisionMode: 2 }).market;
    expect(spec).toMatchObject({ priceDecimals: 2, sizeDecimals: 3 });
  });
});

describe('refused with words:', () => {
  test.each<[string, () => unknown, RegExp, RegExp]>([
    ['an inverse contract', () => read({ ...SWAP, inverse: true }), /is an inverse contract: its sizes count quote money/, /linear market/],
    ['an option', () => read({ ...SWAP, swap: false, type: 'option' }), /another kind \(option\)/, /two only/],
    [
      'contracts of which no unit is known',
      () => read(SWAP, { exchange: 'other' }),
      /a contract of BTC\/USD:USD is 0.01 tokens, .* books of other/,
      /spot/,
    ],
    [
      'prices by significant digits',
      () => read({ ...SPOT, precision: { price: 5, amount: 8 } }, { precisionMode: 3 }),
      /significant digits/,
      /another exchange/,
    ],
    [
      'a market that is not listed',
      () => paperMarketIn({ 'BTC/USDT': SPOT }, 'BTC/USTD', { exchange: 'okx', precisionMode: TICK_SIZE, id: 0 }),
      /okx has no market "BTC\/USTD"/,
      /did you mean "BTC\/USDT"\?/,
    ],
  ])('%s', (_, act, message, hint) => {
    const error = refusal(act);
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });
});
