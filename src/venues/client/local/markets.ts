// Calls for the market data of the local process: prices, books, candles, trades, coins, funding.

import type { Millis } from '../../../base/clock.ts';
import { assert, UserError } from '../../../base/errors.ts';
import * as wire from '../../wire/json/local.ts';
import type { Pager, Pages } from './pages.ts';
import { pathOf, type Requests } from './request.ts';

export interface CandlesQuery {
  readonly market: string;
  /** Seconds: 15, 60, 300, 900, 3600, 14400, 86400, or a multiple of 86400 up to 30 of them. */
  readonly resolution: number;
  /** Exchange time. Some servers return nothing without both ends. */
  readonly startTime?: Millis | undefined;
  readonly endTime?: Millis | undefined;
}

export interface MarketCalls {
  /** GET /markets: all of them, each with its best prices and its current price. */
  markets(): Promise<wire.LocalMarket[]>;
  /**
   * GET /markets/{market_name}. Rejects with `notFound` if there is no such market, or with `http` 500, which some servers answer for unknown names.
   */
  market(name: string): Promise<wire.LocalMarket>;
  /** GET /markets/{market_name}/orderbook: total size per level, best first; at most `depth` levels a side, even if a server sends all of them. */
  orderbook(query: { market: string; depth?: number | undefined }): Promise<wire.LocalOrderbook>;
  /** GET /markets/{market_name}/candles: candles of the mark price. Throws a UserError `resolution` at once for a length that no candle has. */
  candles(query: CandlesQuery): Pages<wire.LocalCandle>;
  /** GET /markets/{market_name}/trades: public trades. */
  trades(query: { market: string }): Pages<wire.LocalTrade>;
  /** GET /wallet/coins */
  coins(): Promise<wire.LocalCoin[]>;
  /** GET /funding_rates: rates of one future, or the server's default selection without a filter. */
  fundingRates(query?: { future?: string | undefined }): Pages<wire.FundingRate>;
}

export const marketCalls = ({ read, list }: Requests, pages: Pager): MarketCalls => ({
  markets: () => read('/markets', wire.localMarkets),
  market: (name) => read(pathOf(['markets', name]), wire.localMarket),
  async orderbook({ market, depth }) {
    assert(depth === undefined || (Number.isSafeInteger(depth) && depth > 0), `a book cannot have ${depth} levels`);
    return bestFirst(await read(pathOf(['markets', market, 'orderbook'], { depth }), wire.localOrderbook), depth);
  },
  candles({ market, resolution, startTime, endTime }) {
    if (!wire.isCandleResolution(resolution)) throw resolutionError(resolution);
    const window = { resolution, start_time: secondsOf(startTime), end_time: secondsOf(endTime) };
    return pages((page) => list(pathOf(['markets', market, 'candles'], { ...window, page }), wire.candles));
  },
  trades: ({ market }) => pages((page) => list(pathOf(['markets', market, 'trades'], { page }), wire.localTrades)),
  coins: () => read('/wallet/coins', wire.coins),
  fundingRates: ({ future } = {}) =>
    // The filter has two names; a server ignores the one that it does not know.
    pages((page) => list(pathOf(['funding_rates'], { page, future, market_name: future }), wire.fundingRates)),
});

const bestFirst = ({ asks, bids }: wire.LocalOrderbook, depth: number | undefined): wire.LocalOrderbook => ({
  asks: [...asks].sort(([a], [b]) => a - b).slice(0, depth),
  bids: [...bids].sort(([a], [b]) => b - a).slice(0, depth),
});

const secondsOf = (time: Millis | undefined): number | undefined => (time === undefined ? undefined : Math.floor(time / 1_000));

const resolutionError = (resolution: number): UserError =>
  new UserError({
    code: 'resolution',
    message: `${resolution} s is not the length of a candle: a length in seconds is one of ${wire.CANDLE_RESOLUTIONS}`,
  });
