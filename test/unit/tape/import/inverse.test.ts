// Inverse contracts, recognised by their names at each venue.
import { expect, test } from 'vitest';
import { isInverse } from '../../../../src/research/import/rows/import-header.ts';

test.each(['BTCUSD_PERP', 'ETHUSD_250627'])('binance %s is inverse', (symbol) => expect(isInverse('binance', symbol)).toBe(true));
test.each(['BTCUSDT', 'BTCUSDC', 'BTCUSDT_250627', 'BTCFDUSD'])('binance %s is not', (symbol) =>
  expect(isInverse('binance', symbol)).toBe(false),
);

test.each([
  'binance-delivery BTCUSD_PERP',
  'bitmex XBTUSD',
  'bitmex ETHUSD',
  'bybit BTCUSD',
  'bybit BTCUSDH24',
  'cryptofacilities PI_XBTUSD',
  'deribit BTC-PERPETUAL',
  'deribit ETH-27JUN25',
  'gate-io-futures BTC_USD',
  'huobi-dm-swap BTC-USD',
  'huobi-dm BTC_CW',
  'okex-swap BTC-USD-SWAP',
])('tardis %s is inverse', (symbol) => expect(isInverse('tardis', symbol)).toBe(true));

test.each([
  'binance-futures BTCUSDT',
  'bitmex XBTUSDT',
  'bybit BTCUSDT',
  'cryptofacilities PF_XBTUSD',
  'deribit BTC_USDC-PERPETUAL',
  'gate-io-futures BTC_USDT',
  'huobi-dm-linear-swap BTC-USDT',
  'okex-swap BTC-USDT-SWAP',
  'hyperliquid BTC',
])('tardis %s is not', (symbol) => expect(isInverse('tardis', symbol)).toBe(false));

test('a market without a name, or of another format, counts as linear', () => {
  expect([isInverse('tardis', undefined), isInverse('candles', 'BTCUSD_PERP')]).toEqual([false, false]);
});
