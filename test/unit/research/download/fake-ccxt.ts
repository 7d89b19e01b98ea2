// A small fake of the library ccxt: one exchange over made-up markets, with the traps of real ones.
import type { Ccxt, CcxtExchange } from '../../../../src/venues/ccxt/library.ts';
import type { MarketHistory } from './market-history.ts';

const SPANS: Readonly<Record<string, number>> = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000 };

export class Temporary extends Error {}

export interface FakeMarket {
  readonly history: MarketHistory;
  /** As in ccxt. */
  readonly listed?: Readonly<Record<string, unknown>>;
  /** Base tokens of a contract. */
  readonly contractSize?: number;
}

export interface FakeCcxtOptions {
  /** By unified name. */
  readonly markets: Readonly<Record<string, FakeMarket>>;
  readonly now: number;
  /** Rows of a page. */
  readonly limit?: number;
  /** Changes the answers about candles of minutes; may throw. `count`: of questions about them. */
  readonly twist?: (rows: number[][], asked: { readonly since: number; readonly count: number }) => number[][];
  readonly trades?: readonly Readonly<Record<string, unknown>>[];
  readonly has?: Readonly<Record<string, boolean>>;
}

export class FakeCcxt implements Ccxt {
  readonly version = '0.0.0';
  readonly exchanges = ['fake', 'gate', 'okx'];
  /** Questions about candles of minutes: their `since`. */
  readonly asked: number[] = [];
  /** What instances were created with. */
  created = 0;
  readonly #options: FakeCcxtOptions;

  constructor(options: FakeCcxtOptions) {
    this.#options = options;
  }

  isTemporary = (error: unknown): boolean => error instanceof Temporary;

  create(): CcxtExchange {
    this.created++;
    const { markets, now, limit = 10, trades = [], has = {} } = this.#options;
    const listed = Object.entries(markets).map(([symbol, { contractSize, listed: more = {} }]) => {
      const isSwap = symbol.includes(':');
      return [symbol, { id: symbol.replace(/\W/g, ''), symbol, spot: !isSwap, swap: isSwap, inverse: false, contractSize, ...more }];
    });
    return {
      id: 'fake',
      has: { fetchTime: true, fetchOHLCV: true, fetchFundingRateHistory: true, fetchTrades: true, ...has },
      timeframes: { '1m': '1m', '1h': '1h', '1d': '1d' },
      features: { spot: { fetchOHLCV: { limit } }, swap: { linear: { fetchOHLCV: { limit } } } },
      urls: { api: 'https://fake.example' },
      enableRateLimit: true,
      loadMarkets: async () => Object.fromEntries(listed),
      fetchTime: async () => now,
      fetchOHLCV: async (symbol, length, since, count) => this.#candles(symbol, { span: SPANS[length] ?? 0, since, count }),
      fetchFundingRateHistory: async (symbol, since, count) =>
        (markets[symbol]?.history.funding(since, { to: now, limit: count }) ?? []).map(({ time, rate }) => ({
          timestamp: time,
          fundingRate: rate,
        })),
      fetchTrades: async (_, since = 0) => trades.filter(({ timestamp }) => Number(timestamp) >= since).slice(0, limit),
    };
  }

  /** The running candle is among them. */
  #candles(symbol: string, { span, since, count }: { span: number; since: number; count: number }): number[][] {
    const { markets, now, twist = (rows) => rows } = this.#options;
    const known = markets[symbol];
    const contract = known?.contractSize ?? 1;
    const rows = (known?.history.candles(since, { to: now, span, limit: count }) ?? []).map(({ time, open, high, low, close, volume }) => {
      return [time, open, high, low, close, Math.round((volume * 1_000) / contract) / 1_000];
    });
    if (span !== 60_000) return rows;
    this.asked.push(since);
    return twist(rows, { since, count: this.asked.length });
  }
}
