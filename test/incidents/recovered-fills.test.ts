// Recovery of fills that were reported while their order had no answer, and of those that the exchange lists again under another id.
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/bot/accounting/lines.ts';
import type { Fill } from '../../src/bot/domain/order.ts';
import type { Entry } from '../../src/bot/run/state/entries.ts';
import { historyOf } from '../../src/bot/run/state/history.ts';
import { changes, reported } from '../unit/world/world-lines.ts';
import { BTC, START, WorldBuilder } from '../unit/world-builder.ts';

const ORDER = { market: 'BTCUSDC', clientOrderId: '7', side: 'bid', price: '60000.0', size: '0.0100', fillMode: 'POST_ONLY' } as const;
const FILL = { kind: 'fill', market: 'BTCUSDC', side: 'bid', price: '60000.0', size: '0.0100', fee: '0.06', role: 'maker' } as const;
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 12) + seconds * 1_000).toISOString();

/** Entries of a killed process: an order without an answer is filled, and `seconds` later another order. */
const entriesBefore = (seconds: number): readonly Entry[] => [
  { kind: 'process', at: at(0) },
  { ...ORDER, kind: 'order', at: at(1), status: 'placed' },
  { kind: 'sent', at: at(1), action: 'place', clientOrderId: '7', timestamp: 1, nonce: 1, deadAfter: 64 },
  { ...ORDER, kind: 'order', at: at(4), status: 'unknown', deadAfter: 64 },
  { ...FILL, at: at(5), orderId: '70', tradeId: '1' },
  { ...FILL, at: at(5 + seconds), orderId: '90', tradeId: '2', clientOrderId: '9' },
];

const unassignedFillsAfter = (seconds: number): readonly string[] =>
  historyOf(entriesBefore(seconds), new Map([[BTC.symbol, BTC]])).fills.map(({ tradeId }) => tradeId);

test('the fill of an order without an answer is recovered', () => {
  expect(unassignedFillsAfter(60)).toContain('1');
});

test('the fill is recovered as long as the order is unknown', () => {
  expect(unassignedFillsAfter(700)).toContain('1');
});

const TRADED_AT = START - 60_000;
const orderIs = { ...ORDER, at: new Date(TRADED_AT - 1_000).toISOString(), orderId: '70' };

/** A trade that filled a part of the order, as the maker. */
const part = (tradeId: string, changed: Partial<Fill> = {}): Fill => ({
  tradeId,
  actionId: '500',
  market: BTC.id,
  side: 'bid',
  price: BTC.restAt('bid', 60_000),
  size: BTC.lots(0.004),
  role: 'maker',
  orderId: '70',
  time: TRADED_AT,
  ...changed,
});

/** The journal of a killed process, which had booked these fills of the order. */
function journalOf(fills: readonly Fill[]): readonly Entry[] {
  const turn = { at: START - 50_000, fills: fills.map((fill) => ({ ...fill, clientOrderId: '7' })) };
  const nothing = { events: [], intents: [], actions: [], findings: [], changes: [], alarms: [] };
  return [
    { ...orderIs, kind: 'order', status: 'placed' },
    { ...orderIs, kind: 'order', status: 'open' },
    ...linesOf({ ...turn, ...nothing }, new Map([[BTC.id, BTC]])),
  ];
}

const ids = (fills: readonly Fill[] = []): readonly string[] => fills.map(({ tradeId }) => tradeId);

/** Returns what the next process books of the listed trades, and what it does not, by their ids. */
function afterRestart(entries: readonly Entry[], listed: readonly Fill[]) {
  const is = new WorldBuilder();
  is.world.adopt(historyOf(entries, new Map([[BTC.symbol, BTC]])));
  is.apply((at) => ({ kind: 'fillsSeen', at, asked: at, fills: listed }));
  return { is, booked: ids(is.world.fills()), unbooked: ids(is.world.judgedFills.takeUnbooked()) };
}

describe('after a restart, of an order that was filled in part', () => {
  test('a trade that is listed under another id is not booked again', () => {
    const { is, booked, unbooked } = afterRestart(journalOf([part('1')]), [part('71')]);
    expect([booked, unbooked]).toEqual([[], ['71']]);
    expect(reported(is.world)).toEqual(['7 open 0.0060']);
    expect(is.world.takeAlarms()).toMatchObject([{ name: 'fill', reason: expect.stringContaining('trade 1 is the same one') }]);
  });

  test('nor with an impossible price', () => {
    const wrong = BTC.restAt('bid', 6);
    const { booked, unbooked } = afterRestart(journalOf([part('1')]), [part('71', { price: wrong })]);
    expect([booked, unbooked]).toEqual([[], ['71']]);
  });

  test('two equal trades of two actions at one time are two', () => {
    const { is, booked, unbooked } = afterRestart(journalOf([part('1')]), [part('2', { actionId: '501' })]);
    expect([booked, unbooked]).toEqual([['2'], []]);
    expect(reported(is.world)).toEqual(['7 open 0.0020']);
  });

  test('also if the first one was reported with an impossible price', () => {
    const provisional = { price: BTC.restAt('bid', 6), fee: undefined, limit: BTC.restAt('bid', 60_000) };
    const { is, booked, unbooked } = afterRestart(journalOf([part('1', { provisional })]), [part('2', { actionId: '501' })]);
    expect([booked, unbooked]).toEqual([['2'], []]);
    expect(is.world.judgedFills.provisional).toMatchObject([{ tradeId: '1' }]);
  });

  test('each of two equal trades has its own copy', () => {
    const other = { actionId: '501' };
    const { is, booked, unbooked } = afterRestart(journalOf([part('1'), part('2', other)]), [part('71'), part('72', other)]);
    expect([booked, unbooked]).toEqual([[], ['71', '72']]);
    expect(reported(is.world)).toEqual(['7 open 0.0020']);
  });

  test('a journal of an earlier version, which lacks the ids of actions, proves no copy, but an order is not filled beyond its size', () => {
    const old = journalOf([part('1')]).map((entry): Entry => (entry.kind === 'fill' ? { ...entry, actionId: undefined } : entry));
    const { is, booked, unbooked } = afterRestart(old, [part('2'), part('3', { actionId: '501' })]);
    expect([booked, unbooked]).toEqual([['2'], ['3']]);
    expect(reported(is.world)).toEqual(['7 open 0.0020']);
    expect(changes(is.world)).toEqual([]);
  });
});
