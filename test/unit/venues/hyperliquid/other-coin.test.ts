// Answers about another coin belong to another request, by a connection that is out of step: none of them is used.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { HttpReply, Transport } from '../../../../src/base/transport/transport.ts';
import type { Market } from '../../../../src/bot/domain/market.ts';
import { hyperliquidData } from '../../../../src/venues/hyperliquid/public-client.ts';
import { questionsOver } from '../../../../src/venues/hyperliquid/requests.ts';
import { listingOf } from '../../../../src/venues/hyperliquid/snapshots.ts';

const perp = { szDecimals: 5, maxLeverage: 40, isDelisted: undefined, onlyIsolated: undefined };
const { markets } = listingOf({ universe: ['BTC', 'ETH'].map((name) => ({ name, ...perp })) }, { tokens: [], universe: [] });
const [BTC, ETH] = markets as [Market, Market];

const ANSWERS: Readonly<Record<string, unknown>> = {
  l2Book: { coin: 'BTC', time: 1, levels: [[{ px: '59999', sz: '1' }], [{ px: '60001', sz: '1' }]] },
  recentTrades: [{ coin: 'BTC', side: 'B', px: '60000', sz: '1', time: 1, tid: 1 }],
  candleSnapshot: [{ s: 'BTC', t: 0, o: '60000', h: '60001', l: '59999', c: '60000', v: '1' }],
};

/** Each question is answered for BTC. */
const transport: Transport = {
  request({ body }) {
    const { type } = JSON.parse(new TextDecoder().decode(body)) as { readonly type: string };
    return Promise.resolve<HttpReply>({
      status: 200,
      contentType: 'application/json',
      body: new TextEncoder().encode(JSON.stringify(ANSWERS[type])),
    });
  },
  reset: () => undefined,
  renew: () => undefined,
  close: () => Promise.resolve(),
};

const client = hyperliquidData({ ask: questionsOver(transport), clock: new VirtualClock(600_000) });
const firstTrades = async (market: Market) => {
  for await (const page of client.trades(market).pages(undefined)) return page;
  return [];
};

test.each<[string, (market: Market) => Promise<unknown>]>([
  ['a book', (market) => client.book(market)],
  ['trades', firstTrades],
  ['candles', (market) => client.candles!({ market, span: 60_000, count: 1, until: 60_000 })],
])('%s', async (_, read) => {
  await expect(read(BTC)).resolves.toBeDefined();
  await expect(read(ETH)).rejects.toThrow('the answer about the coin BTC');
});
