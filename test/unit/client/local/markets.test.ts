// The market endpoints: the path, and the parsed values of the API document's own samples.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { allOf, clientOn } from './canned.ts';

const market = { name: 'BTC-PERP', type: 'future', underlying: 'BTC', enabled: true, ask: 101, bid: 99, price: 100 };
const spot = { name: 'SOL/USDC', type: 'spot', enabled: true, ask: 21, bid: 20, price: 20.5 };
const time = '2026-01-02T03:04:05.000Z';

test('all markets, and one', async () => {
  const { client, lines, asked } = clientOn([{ result: [market, { ...spot, later: 'addition' }] }, { result: spot }]);
  expect(await client.markets()).toEqual([market, spot]);
  expect(await client.market('SOL/USDC')).toEqual(spot);
  expect(lines()).toEqual(['GET /markets', 'GET /markets/SOL%2FUSDC']);
  expect(asked[0]).toMatchObject({ request: { method: 'GET', path: '/markets' }, body: undefined });
  expect(asked[0]?.limits).toEqual({ timeoutMs: 5_000, maxBytes: 4 * 2 ** 20 });
});

test.each(['', '.', '..'])('a market named "%s" would be another path, and is not requested', (name) => {
  const { client, asked } = clientOn([{ result: market }]);
  expect(() => client.market(name)).toThrow('cannot be part of a path');
  expect(asked).toEqual([]);
});

test('a book is returned best first with at most the requested depth, whatever the server does with the depth', async () => {
  const book = {
    asks: [
      [102, 1],
      [101, 2],
    ],
    bids: [
      [98, 3],
      [99, 4],
    ],
  };
  const { client, lines } = clientOn([{ result: book }]);
  expect(await client.orderbook({ market: 'BTC-PERP' })).toEqual({ asks: [...book.asks].reverse(), bids: [...book.bids].reverse() });
  expect(await client.orderbook({ market: 'BTC-PERP', depth: 1 })).toEqual({ asks: [[101, 2]], bids: [[99, 4]] });
  expect(lines()).toEqual(['GET /markets/BTC-PERP/orderbook', 'GET /markets/BTC-PERP/orderbook?depth=1']);
});

describe('candles', () => {
  const candle = { startTime: time, open: 1, close: 2, high: 3, low: 0.5 };

  test('are requested with the length, the window in seconds, and the page', async () => {
    const { client, lines } = clientOn([{ result: [candle] }, { result: [] }]);
    const window = { startTime: 1_700_000_000_999, endTime: 1_700_000_060_000 };
    expect(await allOf(client.candles({ market: 'BTC-PERP', resolution: 60, ...window }))).toEqual([candle]);
    const query = 'resolution=60&start_time=1700000000&end_time=1700000060';
    expect(lines()).toEqual([`GET /markets/BTC-PERP/candles?${query}&page=0`, `GET /markets/BTC-PERP/candles?${query}&page=1`]);
  });

  test.each([15, 60, 300, 900, 3_600, 14_400, 86_400, 172_800, 30 * 86_400])('last %d s', async (resolution) => {
    const { client, lines } = clientOn([{ result: [] }]);
    expect(await allOf(client.candles({ market: 'BTC-PERP', resolution }))).toEqual([]);
    expect(lines()).toEqual([`GET /markets/BTC-PERP/candles?resolution=${resolution}&page=0`]);
  });

  test.each([0, -86_400, 1, 30, 60.5, 7_200, 86_401, 31 * 86_400, Number.NaN, Number.POSITIVE_INFINITY])(
    'never last %d s: nothing is sent',
    (resolution) => {
      const { client, asked } = clientOn([{ result: [] }]);
      const ask = () => client.candles({ market: 'BTC-PERP', resolution });
      expect(ask).toThrow(UserError);
      expect(ask).toThrow('15, 60, 300, 900, 3600, 14400, 86400, or a multiple of 86400 up to 30 times that');
      expect(asked).toEqual([]);
    },
  );
});

test('trades', async () => {
  const trade = { price: 100, side: 'buy', size: 0.5, time, liquidation: false, status: 'filled', type: 'market' };
  const { client, lines } = clientOn([{ result: [trade] }, { result: [] }]);
  expect(await allOf(client.trades({ market: 'SOL/USDC' }))).toEqual([trade]);
  expect(lines()).toEqual(['GET /markets/SOL%2FUSDC/trades?page=0', 'GET /markets/SOL%2FUSDC/trades?page=1']);
});

test('coins', async () => {
  const coin = { id: 'SOL', mint: 'So11', canDeposit: true, canWithdraw: true, canConvert: false, collateral: true, collateralWeight: 0.9 };
  const { client, lines } = clientOn([{ result: [coin] }]);
  expect(await client.coins()).toEqual([coin]);
  expect(lines()).toEqual(['GET /wallet/coins']);
});

test('funding rates of all and of one, with the filter under both of its names', async () => {
  const rate = { date: time, fundingIndex: 1.0001, fundingCollected: -3 };
  const { client, lines } = clientOn([{ result: [rate] }, { result: [] }]);
  expect(await allOf(client.fundingRates())).toEqual([rate]);
  await allOf(client.fundingRates({ future: 'BTC-PERP' }));
  expect(lines()).toEqual([
    'GET /funding_rates?page=0',
    'GET /funding_rates?page=1',
    'GET /funding_rates?page=0&future=BTC-PERP&market_name=BTC-PERP',
  ]);
});
