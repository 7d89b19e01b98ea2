// The public REST of Binance as far as ccxt asks for it in a download or a paper run: spot markets and perpetuals, time, candles, funding, books, trades. For ccxt
// with another address.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MarketHistory } from './market-history.ts';

const SPANS: Readonly<Record<string, number>> = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 };
const MAX_CANDLES = 1_000;

export interface BinanceStandInOptions {
  /** Spot markets against USDT, by base token. */
  readonly markets: Readonly<Record<string, MarketHistory>>;
  /** Perpetuals against USDT, by base token. */
  readonly perpetuals?: Readonly<Record<string, MarketHistory>>;
  readonly now: number;
  /** The middle of the book at a time. Books, trades and marks are of now, by the machine's clock. */
  readonly mid?: (at: number) => number;
}

const DEPTH = 20;
const EIGHT_HOURS = 28_800_000;
/** One trade in so many milliseconds. */
const TRADE_EVERY = 200;
const TRADES = 50;

export class BinanceStandIn {
  readonly #options: BinanceStandInOptions;
  readonly #server: Server;
  readonly paths: string[] = [];
  /** Names of the headers that came. */
  readonly headers: string[] = [];

  constructor(options: BinanceStandInOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://stand-in');
      this.paths.push(`${request.method} ${url.pathname}`);
      this.headers.push(...Object.keys(request.headers));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.#answer(url)));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ pathname, searchParams }: URL): unknown {
    const { markets, perpetuals = {}, now } = this.#options;
    if (pathname === '/api/v3/exchangeInfo') return { serverTime: now, symbols: Object.keys(markets).map(listed) };
    if (pathname === '/fapi/v1/exchangeInfo') return { serverTime: now, symbols: Object.keys(perpetuals).map(listedPerpetual) };
    if (pathname.endsWith('/exchangeInfo')) return { serverTime: now, symbols: [] };
    if (pathname.endsWith('/time')) return { serverTime: now };
    const number = (name: string): number => Number(searchParams.get(name));
    const [base = '', span = 0] = [searchParams.get('symbol')?.replace(/USDT$/, ''), SPANS[searchParams.get('interval') ?? '']];
    const history = (pathname.startsWith('/fapi/') ? perpetuals : markets)[base];
    if (pathname.endsWith('/fundingRate'))
      return (history?.funding(number('startTime') - 3, { to: now, limit: number('limit') }) ?? []).map(({ time, rate }) => {
        return { symbol: searchParams.get('symbol'), fundingRate: rate.toFixed(8), fundingTime: time + 3, markPrice: '100' };
      });
    if (pathname.endsWith('/depth')) return this.#book();
    if (pathname.endsWith('/aggTrades')) return this.#trades();
    if (pathname.endsWith('/premiumIndex')) return this.#mark(searchParams.get('symbol'));
    const rows = history?.candles(number('startTime'), { to: now, span, limit: Math.min(MAX_CANDLES, number('limit')) }) ?? [];
    return rows.map(({ time, open, high, low, close, volume }) => {
      const texts = [open, high, low, close, volume].map(String);
      return [time, ...texts, time + span - 1, '0', 3, '0', '0', '0'];
    });
  }

  /** The spread is three ticks, and each level has one token. */
  #book(): object {
    const mid = this.#mid(Date.now());
    const side = (sign: number) => Array.from({ length: DEPTH }, (_, at) => [asText(mid + sign * (0.01 + at * 0.01)), '1.000']);
    return { lastUpdateId: Date.now(), E: Date.now(), T: Date.now(), bids: side(-1), asks: side(1) };
  }

  /** Sales and purchases in turn, at the best prices of their moments. */
  #trades(): readonly object[] {
    const last = Math.floor(Date.now() / TRADE_EVERY);
    return Array.from({ length: TRADES }, (_, at) => {
      const id = last - TRADES + 1 + at;
      const isSale = id % 2 === 0;
      const price = this.#mid(id * TRADE_EVERY) + (isSale ? -0.01 : 0.01);
      return { a: id, p: asText(price), q: '0.500', f: id, l: id, T: id * TRADE_EVERY, m: isSale };
    });
  }

  #mark(symbol: string | null): object {
    const now = Date.now();
    const price = asText(this.#mid(now));
    const nextFundingTime = now - (now % EIGHT_HOURS) + EIGHT_HOURS;
    return {
      symbol,
      markPrice: price,
      indexPrice: price,
      lastFundingRate: '0.00010000',
      interestRate: '0.0001',
      nextFundingTime,
      time: now,
    };
  }

  #mid(at: number): number {
    return Math.round((this.#options.mid?.(at) ?? 100) * 100) / 100;
  }
}

const asText = (value: number): string => value.toFixed(2);

const listed = (base: string): object => ({
  symbol: `${base}USDT`,
  status: 'TRADING',
  baseAsset: base,
  quoteAsset: 'USDT',
  isSpotTradingAllowed: true,
  permissions: ['SPOT'],
  permissionSets: [['SPOT']],
  baseAssetPrecision: 8,
  quotePrecision: 8,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '9000', stepSize: '0.001' },
  ],
});

const listedPerpetual = (base: string): object => ({
  ...listed(base),
  pair: `${base}USDT`,
  contractType: 'PERPETUAL',
  deliveryDate: 4_133_404_800_000,
  onboardDate: 0,
  marginAsset: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 3,
});
