// The view model of a run as text.
import { expect, test } from 'vitest';
import type { Event } from '../../../../src/bot/domain/event.ts';
import type { Finding } from '../../../../src/bot/domain/turn.ts';
import type { RunWatch } from '../../../../src/program/monitoring/watch.ts';
import type { ViewModel } from '../../../../src/program/terminal/view-model.ts';
import { viewModelOf } from '../../../../src/program/terminal/view-model-of-run.ts';
import { START } from '../../../replay/virtual-run.ts';
import { recordedTurns } from '../../monitoring/recorded-turns.ts';
import { watchOf } from '../../monitoring/test-page.ts';
import { turn } from '../../report/turns.ts';

const LATEST = { alarms: [], fills: [], changes: [], logs: [] };
const TITLE = { strategy: 'grid', exchange: 'embedded', run: 'r' };

const { markets, turns } = await recordedTurns();

/** The watch of the recorded minute of the grid, up to a turn; 0: none. */
function watched(most = turns.length): RunWatch {
  const watch = watchOf(markets);
  for (const each of turns.slice(0, most)) watch.add(each);
  return watch;
}

const modelOf = (watch: RunWatch, later = 0, holding: readonly Finding[] = []): ViewModel =>
  viewModelOf(watch, { title: TITLE, now: watch.at + later, extras: {}, findings: holding, latest: LATEST });

test('before the first data no values are shown', () => {
  const { status, ages, markets: seen, profits } = modelOf(watched(0));
  expect([status.equity, status.session, status.shares, profits]).toEqual([undefined, undefined, undefined, []]);
  expect(ages.map(({ ageMs }) => ageMs)).toEqual([undefined, undefined, undefined]);
  expect(seen).toEqual([{ symbol: 'BTCUSDC', book: undefined, top: undefined, orders: [], prices: [], traded: '0.0000' }]);
});

test('a market has its best prices, its prices by second, and our orders, nearest first on each side', () => {
  const watch = watched(Math.floor(turns.length / 2)); // the last turns cancel everything
  const [market] = modelOf(watch).markets;
  const [bid, ask] = [Number(market?.book?.bids[0]?.[0]), Number(market?.book?.asks[0]?.[0])];
  expect(Number(market?.top?.mid)).toBeCloseTo((bid + ask) / 2, 6);
  expect(Number(market?.top?.spread)).toBeCloseTo(ask - bid, 6);
  expect(market?.prices.length).toBeGreaterThan(20);
  expect(market?.prices.length).toBeLessThanOrEqual(Math.ceil((watch.at - START) / 1_000) + 1);
  const pricesOf = (side: string): number[] =>
    (market?.orders ?? []).filter((order) => order.side === side).map(({ price }) => Number(price));
  expect(pricesOf('bid').length).toBeGreaterThan(1);
  expect(pricesOf('bid')).toEqual(pricesOf('bid').toSorted((a, b) => b - a));
  expect(pricesOf('ask')).toEqual(pricesOf('ask').toSorted((a, b) => a - b));
});

test('ages count from the request, and grow until the next answer', () => {
  const watch = watched();
  const [now, later] = [modelOf(watch).ages, modelOf(watch, 1_000).ages];
  expect(later.map(({ ageMs = 0 }, index) => ageMs - (now[index]?.ageMs ?? 0))).toEqual([1_000, 1_000, 1_000]);
});

test('a finding has its latest reason, and the time of its beginning', () => {
  const watch = watched();
  const began = watch.at + 1_000;
  const held: Finding = { guard: 'data-age', verdict: 'hold', market: 0, reason: 'the order book is 3.1 s old' };
  const event: Event = { kind: 'timerFired', at: began };
  watch.add({ ...turn(event), findings: [held] });
  const now = { ...held, reason: 'the order book is 12.1 s old' };
  expect(modelOf(watch, 9_000, [now]).held).toEqual([{ ...now, market: 'BTCUSDC', since: new Date(began).toISOString() }]);
});
