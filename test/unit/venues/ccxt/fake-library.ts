// A fake of the library ccxt for paper runs: one exchange whose answers a test sets.
import type { Ccxt, CcxtExchange } from '../../../../src/venues/ccxt/library.ts';

/** An error of ccxt that lasts, and one after which the same question may be answered. */
export class BadRequest extends Error {
  override readonly name: string = 'BadRequest';
}
export class Temporary extends Error {
  override readonly name: string = 'ExchangeNotAvailable';
}

export type Row = Readonly<Record<string, unknown>>;

export const SPOT: Row = {
  id: 'BTCUSD',
  base: 'BTC',
  quote: 'USD',
  spot: true,
  active: true,
  precision: { price: 0.1, amount: 0.0001 },
  limits: { cost: { min: 5 } },
};
export const SWAP: Row = {
  ...SPOT,
  id: 'BTC-SWAP',
  spot: false,
  swap: true,
  inverse: false,
  contractSize: 0.01,
  precision: { price: 0.1, amount: 0.1 },
  limits: { leverage: { max: 50 } },
};

export class FakeLibrary implements Ccxt {
  readonly version = '0.0.0';
  readonly exchanges = ['okx', 'kraken', 'other'];
  /** Names of the calls, in their order, with the depth of a book. */
  readonly calls: string[] = [];
  markets: Readonly<Record<string, Row>> = { 'BTC/USD': SPOT, 'BTC/USD:USD': SWAP };
  book: () => Row = () => ({ bids: [[100, 2, 7]], asks: [[100.2, 3, 7]] });
  trades: () => readonly Row[] = () => [];
  funding: (symbol: string) => Row = (symbol) => ({ symbol });
  candles: (since: number, limit: number) => readonly (readonly number[])[] = () => [];
  has: Row = { fetchOrderBook: true, fetchTrades: true };
  precisionMode = 4;
  /** Milliseconds for a request of cost 1; a book costs 2, all else 1. */
  rateLimit = 10;
  /** Depths that are refused. */
  refusedDepths: readonly unknown[] = [];

  isTemporary = (error: unknown): boolean => error instanceof Temporary;

  create(id: string): CcxtExchange {
    const exchange: CcxtExchange = {
      id,
      has: this.has,
      timeframes: { '1m': '1m', '1h': '1h' },
      features: { spot: { fetchOHLCV: { limit: 3 } }, swap: { linear: { fetchOHLCV: { limit: 3 } } } },
      urls: { api: { public: 'https://api.{hostname}/v1' } },
      precisionMode: this.precisionMode,
      rateLimit: this.rateLimit,
      enableRateLimit: true,
      throttle: async () => undefined,
      implodeHostname: (url) => url.replace('{hostname}', 'fake.example'),
      loadMarkets: () => this.#answer('loadMarkets', () => this.markets),
      fetchTime: async () => 0,
      fetchOHLCV: (_, length, since, limit) => this.#answer(`fetchOHLCV ${length} ${since}`, () => this.candles(since, limit)),
      fetchFundingRateHistory: async () => [],
      fetchTrades: () => this.#answer('fetchTrades', () => this.trades()),
      fetchOrderBook: (_, depth) =>
        this.#answer(`fetchOrderBook ${depth}`, () => {
          if (this.refusedDepths.includes(depth)) throw new BadRequest(`limit must not be ${depth}`);
          return this.book();
        }),
      fetchFundingRate: (symbol) => this.#answer('fetchFundingRate', () => this.funding(symbol)),
      fetchFundingRates: (symbols) =>
        this.#answer('fetchFundingRates', () => Object.fromEntries(symbols.map((symbol) => [symbol, this.funding(symbol)]))),
    };
    this.#throttled = exchange;
    return exchange;
  }

  #throttled: CcxtExchange | undefined;

  async #answer<T>(call: string, answer: () => T): Promise<T> {
    this.calls.push(call);
    await this.#throttled?.throttle?.(call.startsWith('fetchOrderBook') ? 2 : 1);
    return answer();
  }
}
