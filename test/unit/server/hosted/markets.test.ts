// The hosted API about markets: the API document's fields, types, nulls and order.
import { describe, expect, test } from 'vitest';
import { ACTIVE_END, anyNumber, BID, openActiveApi, openHostedApi } from './open-api.ts';

const lively = openActiveApi();
const { read } = lively;

describe('markets', () => {
  test('/info lists markets and tokens, each at the place of its id', () => {
    const info = read('/info') as { markets: unknown[]; tokens: unknown[] };
    expect(Object.keys(info)).toEqual(['markets', 'tokens']);
    expect(info.markets).toEqual(
      lively.exchange.markets.map(({ symbol }, marketId) => ({
        marketId,
        symbol,
        baseTokenId: anyNumber,
        quoteTokenId: 0,
        priceDecimals: anyNumber,
        sizeDecimals: anyNumber,
        imf: anyNumber,
        mmf: anyNumber,
        cmf: anyNumber,
      })),
    );
    const token = {
      symbol: expect.any(String) as string,
      decimals: anyNumber,
      mintAddr: expect.any(String) as string,
      weightBps: anyNumber,
    };
    expect(info.tokens).toEqual(info.tokens.map((_, tokenId) => ({ tokenId, ...token })));
    expect(info.tokens[0]).toMatchObject({ symbol: 'USDC', weightBps: 10_000 });
  });

  test('/markets/live has one row per market', () => {
    const { markets } = read('/markets/live') as { markets: unknown[] };
    const row = { indexPrice: anyNumber, indexPriceConf: anyNumber, frozen: false, markPrice: anyNumber, openInterest: anyNumber };
    expect(markets).toEqual(
      lively.exchange.markets.map(({ spec }, marketId) => ({
        marketId,
        ...row,
        projectedFundingRate: spec.kind === 'perp' ? anyNumber : null,
        nextFundingTime: '2026-01-15T13:00:00.000Z',
      })),
    );
  });

  test('/market/{id}/stats of a perpetual and of a spot market', () => {
    const stats = {
      indexPrice: anyNumber,
      indexPriceConf: anyNumber,
      frozen: false,
      volumeBase24h: anyNumber,
      volumeQuote24h: anyNumber,
      high24h: anyNumber,
      low24h: anyNumber,
      close24h: anyNumber,
      prevClose24h: null,
    };
    const perpStats = {
      mark_price: anyNumber,
      funding_rate: anyNumber,
      next_funding_time: '2026-01-15T13:00:00.000Z',
      open_interest: anyNumber,
      aggregated_funding_index: anyNumber,
    };
    expect(read('/market/0/stats')).toEqual({ ...stats, perpStats });
    expect(read('/market/3/stats')).toEqual({ ...stats, perpStats: null });
  });

  test('a market without trades has null for unknown values', () => {
    const { get: ask } = openHostedApi();
    expect(ask('/market/0/stats').body).toMatchObject({
      high24h: null,
      low24h: null,
      close24h: null,
      prevClose24h: null,
      perpStats: { funding_rate: 0 },
    });
    expect(ask('/markets/live').body).toMatchObject({ markets: [{ projectedFundingRate: null }, {}, {}, {}] });
    expect(ask('/market/0/orderbook').body).toMatchObject({ bids: [], asks: [], bidsSummary: { sum: 0, count: 0 } });
  });

  test('books and trades that were read before show what has changed since, each market its own', () => {
    const { read: ask, trader } = openHostedApi();
    const read = () => ['/market/0/orderbook', '/market/1/orderbook', '/trades'].map(ask);
    const [first, second] = [trader(1), trader(2)];
    const none = [{ bids: [], asks: [] }, { bids: [], asks: [] }, { items: [] }];
    expect(read()).toMatchObject(none);
    expect(read()).toMatchObject(none);
    first.place(BID);
    expect(read()).toMatchObject([{ bids: [[59_900, 0.01]] }, { bids: [] }, { items: [] }]);
    second.place({ ...BID, side: 'ask', size: 40n });
    const traded = [{ bids: [[59_900, 0.006]], asks: [] }, { bids: [] }, { items: [{ price: 59_900, baseSize: 0.004 }] }];
    expect(read()).toMatchObject(traded);
    expect(read()).toMatchObject(traded);
  });

  test('a frozen market is marked', () => {
    const { get: ask, exchange } = openHostedApi();
    exchange.freeze(1, true);
    expect(ask('/market/1/stats').body).toMatchObject({ frozen: true });
    expect(ask('/markets/live').body).toMatchObject({
      markets: [{ frozen: false }, { frozen: true }, { frozen: false }, { frozen: false }],
    });
  });

  test('/timestamp is engine time in whole seconds', () => {
    expect(read('/timestamp')).toBe(Math.floor(ACTIVE_END / 1000));
  });

  test('the exchange catches up before every answer', () => {
    const { get: ask, ticks: ticked } = openHostedApi();
    ask('/timestamp');
    ask('/nowhere');
    expect(ticked()).toBe(2);
  });
});
