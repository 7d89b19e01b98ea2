// The public information of Hyperliquid as far as a download asks for it, with its limits: the newest 5,000 candles, 500 rates, the running candle among them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MarketHistory } from './market-history.ts';

const SPANS: Readonly<Record<string, number>> = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 };

export interface HyperliquidStandInOptions {
  /** By coin: perpetuals, or pairs with a slash, which are spot markets. */
  readonly markets: Readonly<Record<string, MarketHistory>>;
  readonly now: number;
  /** How many candles it shows. */
  readonly newest?: number;
  /** The most rows of an answer, the oldest first. */
  readonly page?: number;
  /** Called with each request; what it returns is answered instead. */
  readonly instead?: (type: string, count: number) => { status: number; body: string } | undefined;
}

type Asked = {
  type: string;
  coin: string;
  startTime: number;
  endTime?: number;
  req: { coin: string; interval: string; startTime: number; endTime: number };
};

export class HyperliquidStandIn {
  readonly #options: HyperliquidStandInOptions;
  readonly #server: Server;
  readonly requests: string[] = [];

  constructor(options: HyperliquidStandInOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
        this.requests.push(asked.type);
        const { status, body } = options.instead?.(asked.type, this.requests.length) ?? {
          status: 200,
          body: JSON.stringify(this.#answer(asked)),
        };
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
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

  #answer(asked: Asked): unknown {
    const { markets, now, newest = 5_000, page = newest } = this.#options;
    const names = Object.keys(markets);
    const pairs = names.filter((name) => name.includes('/'));
    const idOf = (pair: string): string => `@${pairs.indexOf(pair)}`;
    const marketOf = (coin: string): MarketHistory => markets[pairs.find((pair) => idOf(pair) === coin) ?? coin]!;
    if (asked.type === 'exchangeStatus') return { time: now, specialStatuses: null };
    if (asked.type === 'meta') return { universe: names.filter((name) => !name.includes('/')).map((name) => ({ name, szDecimals: 3 })) };
    if (asked.type === 'spotMeta') {
      const tokens = [...new Set(pairs.flatMap((pair) => pair.split('/')))];
      return {
        tokens: tokens.map((name, index) => ({ name, index })),
        universe: pairs.map((pair, index) => ({ name: idOf(pair), index, tokens: pair.split('/').map((token) => tokens.indexOf(token)) })),
      };
    }
    if (asked.type === 'fundingHistory')
      return marketOf(asked.coin)
        .funding(asked.startTime - 7, { to: Math.min(now, asked.endTime ?? now), limit: 500 })
        .map(({ time, rate }) => ({ coin: asked.coin, fundingRate: rate.toFixed(7), premium: '0', time: time + 7 }));
    const { coin, interval, startTime, endTime } = asked.req;
    const span = SPANS[interval]!;
    const from = Math.max(startTime, Math.floor(now / span) * span - (newest - 1) * span);
    return marketOf(coin)
      .candles(from, { to: Math.min(endTime, now) + 1, span, limit: Number.POSITIVE_INFINITY })
      .slice(-newest)
      .slice(0, page)
      .map(({ time, open, high, low, close, volume }) => {
        return {
          t: time,
          T: time + span - 1,
          s: coin,
          i: interval,
          o: String(open),
          h: String(high),
          l: String(low),
          c: String(close),
          v: String(volume),
          n: 3,
        };
      });
  }
}
