// The tokens and markets that the embedded exchange lists by default.
import type { TokenId } from '../../../bot/domain/ids.ts';
import type { MarketSpec } from '../../../bot/domain/market.ts';
import { micros } from '../../../bot/domain/numbers.ts';

export interface ListedToken {
  readonly tokenId: TokenId;
  readonly symbol: string;
  readonly decimals: number;
  readonly mintAddr: string;
  /** Collateral weight in basis points: 10000 is 100 %. */
  readonly weightBps: number;
}

export interface ListedMarket {
  readonly spec: MarketSpec;
  /** The first index price, decimal. */
  readonly basePrice: number;
}

/** The token that prices, fees and margins are counted in. */
export const QUOTE: TokenId = 0;

/** Default funds of a new user of the embedded exchange, of a backtest and of a paper account: 100 000 quote tokens. */
export const DEFAULT_FUNDS = micros(100_000e6);

/** By token id. */
export const TOKENS: readonly ListedToken[] = [
  { tokenId: QUOTE, symbol: 'USDC', decimals: 6, mintAddr: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', weightBps: 10_000 },
  { tokenId: 1, symbol: 'BTC', decimals: 8, mintAddr: '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E', weightBps: 9_500 },
  { tokenId: 2, symbol: 'ETH', decimals: 8, mintAddr: '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', weightBps: 9_500 },
  { tokenId: 3, symbol: 'SOL', decimals: 9, mintAddr: 'So11111111111111111111111111111111111111112', weightBps: 9_000 },
];

const PERP = { kind: 'perp', quoteTokenId: QUOTE } as const;
const SPOT = { kind: 'spot', quoteTokenId: QUOTE } as const;

/** By market id. */
export const LISTED_MARKETS: readonly ListedMarket[] = [
  {
    spec: { ...PERP, id: 0, symbol: 'BTCUSDC', baseTokenId: 1, priceDecimals: 1, sizeDecimals: 4, imf: 0.05, cmf: 0.0375, mmf: 0.025 },
    basePrice: 60_000,
  },
  {
    spec: { ...PERP, id: 1, symbol: 'ETHUSDC', baseTokenId: 2, priceDecimals: 2, sizeDecimals: 3, imf: 0.05, cmf: 0.0375, mmf: 0.025 },
    basePrice: 3_000,
  },
  {
    spec: { ...PERP, id: 2, symbol: 'SOLUSDC', baseTokenId: 3, priceDecimals: 3, sizeDecimals: 2, imf: 0.1, cmf: 0.075, mmf: 0.05 },
    basePrice: 150,
  },
  {
    spec: { ...SPOT, id: 3, symbol: 'SOLUSDC-SPOT', baseTokenId: 3, priceDecimals: 2, sizeDecimals: 3, imf: 0.1, cmf: 0.075, mmf: 0.05 },
    basePrice: 150,
  },
];

const FINE_DECIMALS = 8;

/** Returns the markets with the fees of spot purchases in base tokens. Their balances and sizes count eight decimals; orders take multiples of `orderLots`. */
export const withBaseFees = (markets: readonly ListedMarket[]): readonly ListedMarket[] =>
  markets.map(({ spec, ...market }) => {
    if (spec.kind === 'perp') return { spec, ...market };
    const orderLots = 10 ** (FINE_DECIMALS - spec.sizeDecimals);
    return { spec: { ...spec, sizeDecimals: FINE_DECIMALS, orderLots, buyFee: 'base' }, ...market };
  });

/** Returns only the named markets, numbered from 0, in the order of LISTED_MARKETS. */
export const listedAs = (symbols: readonly string[]): readonly ListedMarket[] =>
  LISTED_MARKETS.filter(({ spec }) => symbols.includes(spec.symbol)).map(({ spec, basePrice }, id) => ({
    spec: { ...spec, id },
    basePrice,
  }));
