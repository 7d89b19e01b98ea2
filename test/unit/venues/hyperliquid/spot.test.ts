// Spot at Hyperliquid: names, steps, fees in base tokens, and balances that are apart from the margin of perpetuals.
import { describe, expect, test } from 'vitest';
import { accountOf } from '../../../../src/venues/hyperliquid/account-snapshot.ts';
import { fill, meta, spotMeta, spotState, state } from '../../../../src/venues/hyperliquid/shapes.ts';
import { coinOf, fillOf, listingOf, spotInfosOf } from '../../../../src/venues/hyperliquid/snapshots.ts';

const tokens = [
  { name: 'USDC', szDecimals: 8, weiDecimals: 8, index: 0 },
  { name: 'PURR', szDecimals: 0, weiDecimals: 5, index: 1 },
  { name: 'HYPE', szDecimals: 2, weiDecimals: 8, index: 150 },
  { name: 'USDH', szDecimals: 2, weiDecimals: 8, index: 360 },
];
const universe = [
  { name: 'PURR/USDC', tokens: [1, 0], index: 0 },
  { name: '@107', tokens: [150, 0], index: 107 },
  { name: '@230', tokens: [150, 360], index: 230 },
  { name: '@300', tokens: [150, 0], index: 300 },
];
const listing = listingOf(
  { universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40, isDelisted: undefined, onlyIsolated: undefined }] },
  spotMeta.parse({ tokens, universe }),
);
const [BTC, PURR, HYPE] = listing.markets;

describe('the listing', () => {
  test('has the pairs in USDC, each name once', () => {
    expect(listing.markets.map(({ id, symbol }) => [id, symbol])).toEqual([
      [0, 'BTCUSDC'],
      [10_000, 'PURRUSDC-SPOT'],
      [10_107, 'HYPEUSDC-SPOT'],
    ]);
    expect([BTC!, PURR!, HYPE!].map(coinOf)).toEqual(['BTC', 'PURR/USDC', '@107']);
  });

  test('has the steps of orders and of balances', () => {
    expect(HYPE!.spec).toMatchObject({ priceDecimals: 6, sizeDecimals: 8, orderLots: 1_000_000, buyFee: 'base', minNotional: 10 });
    expect([HYPE!.lots(1.239), HYPE!.orderDecimals]).toEqual([123_000_000, 2]);
    expect([PURR!.lots(100.9), PURR!.wholeLots(100.9)]).toEqual([10_000_000, 10_090_000]);
    expect(HYPE!.priceText(HYPE!.restAt('bid', 41.234_567))).toBe('41.234000');
  });

  test('is not read from an answer about spot markets, of which there are none', () => {
    const none = { tokens: [tokens[0]], universe: [] };
    expect(spotMeta.safeParse(none).success).toBe(true);
    expect(meta.safeParse(none).success).toBe(false);
  });

  test('leaves out a pair whose name is none that is known', () => {
    const other = listingOf({ universe: [] }, spotMeta.parse({ tokens, universe: [{ name: 'HYPE/USDC', tokens: [150, 0], index: 107 }] }));
    expect(other.markets).toEqual([]);
  });
});

const row = { coin: '@107', px: '40.5', sz: '2.0', time: 5, tid: 9, oid: 3, crossed: true };

describe('a fill', () => {
  test('of a purchase has its fee in base tokens, worth money at its price', () => {
    const bought = fillOf(HYPE!, fill.parse({ ...row, side: 'B', fee: '0.0014', feeToken: 'HYPE' }));
    expect(bought).toMatchObject({ side: 'bid', size: 200_000_000, baseFee: 140_000, fee: 56_700 });
  });

  test('of a sale has it in quote money', () => {
    const sold = fillOf(HYPE!, fill.parse({ ...row, side: 'A', fee: '0.0567', feeToken: 'USDC' }));
    expect(sold).toMatchObject({ side: 'ask', fee: 56_700 });
    expect(sold).not.toHaveProperty('baseFee');
  });

  test('with a fee in another token is no fill', () => {
    expect(() => fillOf(HYPE!, fill.parse({ ...row, side: 'B', fee: '1', feeToken: 'PURR' }))).toThrow('a fee in PURR');
  });
});

test('a price is the middle of the book, and unknown where the exchange lists none', () => {
  expect(spotInfosOf([PURR!, HYPE!], { '@107': 40.1234565 })).toMatchObject([
    { market: 10_000, mark: undefined },
    { market: 10_107, mark: 40_123_457, index: 40_123_457, frozen: false },
  ]);
});

const MARGINS = state.parse({
  assetPositions: [],
  crossMarginSummary: { accountValue: '500', totalMarginUsed: '0', totalNtlPos: '0' },
  crossMaintenanceMarginUsed: '0',
  time: 7,
});

test('spot balances are apart from the margin, and an order of spot needs none', () => {
  const spot = spotState.parse({
    balances: [
      { coin: 'USDC', token: 0, total: '80.5' },
      { coin: 'HYPE', token: 150, total: '1.9986' },
    ],
  });
  const order = { coin: '@107', side: 'B' as const, limitPx: 40, sz: 1, origSz: 1, oid: '4', cloid: undefined };
  const account = accountOf({ state: MARGINS, spot, orders: [order] }, { user: '0x1', markets: listing.markets, paid: new Map() });
  expect(account.balances).toEqual([
    { tokenId: 0, token: 'USDC-MARGIN', amount: 500 },
    { tokenId: 10_000, token: 'USDC', amount: 80.5 },
    { tokenId: 10_150, token: 'HYPE', amount: 1.9986 },
  ]);
  expect(account).toMatchObject({ spotApart: true, margins: { mf: 500e6, imf: 0, pon: 0 }, orders: [{ orderId: '4', market: 10_107 }] });
});
