// A strategy that needs two hundred hours of candles: the source of the candles, and no call before they exist.
import { play } from 'tickwright/testing';
import { expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { pastCandles } from '../../../src/embedded/exchange/history/past.ts';
import { embeddedPast } from '../../../src/embedded/venue/open.ts';
import { type CandleView, defineStrategy } from '../../../src/index.ts';

const HOUR = 3_600_000;
const END = Date.UTC(2026, 0, 5, 12, 0, 30);
const PAST = { seed: 'past', symbol: 'BTCUSDC', price: ticks(600_000), end: END };

test('the past of the embedded exchange has the requested number of candles, without a gap, and ends at its first price', () => {
  const hours = pastCandles(PAST, { span: HOUR, count: 200 });
  expect(hours).toHaveLength(200);
  expect(hours.at(-1)!.start).toBe(Date.UTC(2026, 0, 5, 11));
  for (const [index, { start, open, high, low, close }] of hours.entries()) {
    expect(start).toBe(hours[0]!.start + index * HOUR);
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    if (index > 0) expect(open).toBe(hours[index - 1]!.close);
  }
  expect(hours.at(-1)!.close).toBe(600_000);
  expect(pastCandles(PAST, { span: HOUR, count: 200 })).toEqual(hours);
});

test('the hours of the past consist of its minutes', () => {
  const minutes = pastCandles(PAST, { span: 60_000, count: 60 });
  const [hour] = pastCandles(PAST, { span: HOUR, count: 1 });
  expect(hour).toEqual({
    start: minutes[0]!.start,
    open: minutes[0]!.open,
    high: Math.max(...minutes.map(({ high }) => high)),
    low: Math.min(...minutes.map(({ low }) => low)),
    close: minutes.at(-1)!.close,
    volume: minutes.reduce((sum, { volume = 0 }) => sum + volume, 0),
  });
});

test('the past of a market ends at its present price', () => {
  const exchange = new Exchange({ seed: 'join', start: END - 30_000 });
  exchange.advanceTo(END);
  const market = exchange.markets[0]!;
  const answer = embeddedPast(exchange, { seed: 'join' })({ market, span: 60_000, count: 5, until: END });
  expect(answer).toMatchObject({ span: 60_000, candles: [{}, {}, {}, {}, { close: exchange.live(market.id)!.mark }] });
});

test('on the embedded exchange a strategy gets its history within the first seconds', async () => {
  const calls: { readonly at: number; readonly hours: readonly CandleView[]; readonly mark: number | undefined }[] = [];
  const strategy = defineStrategy({
    name: 'patient',
    defaults: { market: 'BTCUSDC' },
    history: { candles: { '1h': 200, '1d': 3 } },
    create:
      ({ market }) =>
      (view) => {
        const { candles, mark } = view.market(market);
        calls.push({ at: view.now, hours: candles('1h'), mark });
        return [];
      },
  });
  const { findings } = await play(strategy, { for: '10s' });
  expect(findings.filter(({ guard }) => guard === 'history')).toEqual([]);
  const first = calls.find(({ mark }) => mark !== undefined)!;
  expect(first.hours).toHaveLength(200);
  expect(Math.abs(first.hours.at(-1)!.close / first.mark! - 1)).toBeLessThan(0.002);
});
