// ccxt itself, where it is installed, at the addresses that it knows: its requests to Kraken, answered here, become a feed.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../../src/base/transport/transport.ts';
import type { MarketEvent } from '../../../../src/bot/domain/event.ts';
import { DEFAULT_POLLING } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import { addressOf, connectCcxtFeed } from '../../../../src/venues/ccxt/open.ts';

const isInstalled = existsSync(new URL('../../../../node_modules/ccxt', import.meta.url));
const QUIET = { info: () => undefined, warn: () => undefined };
const KRAKEN = 'https://api.kraken.com';

const currency = (altname: string) => ({ aclass: 'currency', altname, decimals: 10, display_decimals: 5, status: 'enabled' });
const PAIR = {
  altname: 'XBTUSD',
  wsname: 'XBT/USD',
  aclass_base: 'currency',
  base: 'XXBT',
  aclass_quote: 'currency',
  quote: 'ZUSD',
  pair_decimals: 1,
  cost_decimals: 5,
  lot_decimals: 8,
  lot_multiplier: 1,
  leverage_buy: [2],
  leverage_sell: [2],
  fees: [[0, 0.4]],
  fees_maker: [[0, 0.25]],
  ordermin: '0.00005',
  costmin: '0.5',
  tick_size: '0.1',
  status: 'online',
};
const RESULTS: Readonly<Record<string, unknown>> = {
  '/0/public/Assets': { XXBT: currency('XBT'), ZUSD: currency('USD') },
  '/0/public/AssetPairs': { XXBTZUSD: PAIR },
  '/0/public/Depth': { XXBTZUSD: { bids: [['60000.0', '1.23456789', 1_764_000_000]], asks: [['60000.1', '0.50000000', 1_764_000_000]] } },
  '/0/public/Trades': { XXBTZUSD: [['60000.1', '0.25000000', 1_764_000_000.123_4, 'b', 'l', '', 77]], last: '1764000000123400000' },
};

test.skipIf(!isInstalled)(
  'a market of Kraken is followed by GET from its own address, and its sizes are rounded down to a tape’s',
  async () => {
    const sent: string[] = [];
    const transportTo = (origin: string): Transport => ({
      async request({ method, path, headers }: HttpRequest): Promise<HttpReply> {
        expect(Object.keys(headers ?? {}).filter((name) => /key|sign|auth/i.test(name))).toEqual([]);
        const [pathname = ''] = path.split('?');
        sent.push(`${method} ${origin}${pathname}`);
        return {
          status: 200,
          contentType: 'application/json',
          body: Buffer.from(JSON.stringify({ error: [], result: RESULTS[pathname] })),
        };
      },
      close: async () => undefined,
    });
    const url = await addressOf('kraken');
    expect(url).toBe(KRAKEN);
    const feed = await connectCcxtFeed('kraken', {
      clock: systemClock,
      rng: rngFrom('kraken'),
      polling: DEFAULT_POLLING,
      markets: ['BTC/USD'],
      log: QUIET,
      url,
      transport: transportTo(url),
      transportTo,
    });
    const [market] = feed.markets;
    expect(market?.spec).toMatchObject({ kind: 'spot', priceDecimals: 1, sizeDecimals: 7, minNotional: 0.5 });
    expect(feed.quality).toMatch(/sizes of BTC\/USD are rounded down to 0.0000001\.$/);
    expect(feed.polls?.intervals.requestsPerSecond).toBeLessThan(1);
    expect(feed.polls?.intervals.orderBookMs).toBeLessThan(3_000);
    const seen = new Map<MarketEvent['kind'], MarketEvent>();
    await new Promise<void>((resolve) => {
      feed.events.subscribe((event) => {
        seen.set(event.kind, event);
        if (['bookSeen', 'tradesSeen', 'infoSeen'].every((kind) => seen.has(kind as MarketEvent['kind']))) resolve();
      });
    });
    feed.close();
    expect(seen.get('bookSeen')).toMatchObject({
      book: { bids: [{ price: 600_000, size: 12_345_678 }], asks: [{ price: 600_001, size: 5_000_000 }] },
    });
    expect(seen.get('tradesSeen')).toMatchObject({
      trades: [{ tradeId: '77', takerSide: 'bid', price: 600_001, size: 2_500_000, time: 1_764_000_000_123 }],
    });
    expect(new Set(sent)).toEqual(new Set(Object.keys(RESULTS).map((path) => `GET ${KRAKEN}${path}`)));
  },
);
