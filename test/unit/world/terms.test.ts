// An order of ours that rests on other terms than it was sent with: the listed terms count, and a person is notified.
import { beforeEach, expect, test } from 'vitest';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';
import { exposed, reported } from './world-lines.ts';

const SENT = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
const LISTED = { orderId: 'exchange-1', clientOrderId: '1', market: 0, side: 'bid' } as const;

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).placed(SENT);
});

const rests = (price: number, size: number, original: number, name: string | null = '1'): WorldBuilder =>
  builder.account(
    { others: [{ ...LISTED, clientOrderId: name ?? undefined, price: ticks(price), size: lots(size), originalSize: lots(original) }] },
    ['1'],
  );

test('a larger resting size counts', () => {
  rests(590_000, 100_000, 100_000);
  expect(exposed(builder.world.exposure(0))).toBe('0.0..0.0 bids 10.0 asks 0.0');
  expect(builder.world.termsFault(0)?.reason).toMatch(
    /^order 1 was sent as 10000 lots at 590000 ticks and rests as 100000 at 590000: the exchange uses/,
  );
  expect(builder.world.takeAlarms()).toMatchObject([{ name: 'terms', market: 0 }]);
});

test('another resting price counts', () => {
  rests(59_000, 10_000, 10_000);
  expect(builder.world.orders()).toMatchObject([{ price: 59_000 }]);
  expect(builder.world.termsFault(0)).toBeDefined();
});

test('an order that fills more than its size may rest until two accounts lack it', () => {
  builder.filled('1', 2.5);
  expect([reported(builder.world), builder.world.termsFault(0)?.reason]).toEqual([
    ['1 open 0.0000'],
    expect.stringMatching(/^order 1 was sent as 10000 lots and 25000 are filled/),
  ]);
  rests(590_000, 75_000, 100_000);
  expect(reported(builder.world)).toEqual(['1 open 7.5000']);
  builder.lookedTwice({ position: 2.5 }, ['1']).round();
  expect(reported(builder.world)).toEqual([]);
});

test.each<[string, readonly (readonly number[])[]]>([
  ['of one poll, the last of which reaches its known size', [[3_000, 22_000]]],
  ['of one poll, the first of which is larger than it', [[22_000, 3_000]]],
  ['of two polls, the first of which is larger than it', [[22_000], [3_000]]],
])('so does one that fills more by several trades %s', (_, polls) => {
  const trade = { market: 0, side: 'bid', price: ticks(590_000), role: 'maker', fee: micros(0), orderId: 'exchange-1' } as const;
  rests(590_000, 10_000, 10_000);
  for (const sizes of polls) builder.round(sizes.map((size) => ({ ...trade, tradeId: `${size}`, actionId: `${size}`, size: lots(size) })));
  expect([reported(builder.world), builder.world.termsFault(0)?.reason]).toEqual([
    ['1 open 0.0000'],
    expect.stringMatching(/^order 1 was sent as 10000 lots and 2[25]000 are filled/),
  ]);
  expect(builder.world.takeAlarms().map(({ name }) => name)).toEqual(['terms']);
});

test('one that took more than its size at once is reported, and none of its trades is left out', () => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).pending({ side: 'bid', price: 60_100, size: 1, id: '7' });
  builder.opened('7', { orderId: 'exchange-7', actionId: '50', taken: [[60_001, 1]], resting: 0 });
  const trade = { market: 0, side: 'bid', price: ticks(600_010), role: 'taker', fee: micros(0), orderId: '', actionId: '50' } as const;
  builder.round([15_000, 9_000].map((size) => ({ ...trade, tradeId: `${size}`, size: lots(size) })));
  expect(builder.world.termsFault(0)?.reason).toMatch(/^order 7 was sent as 10000 lots and 24000 are filled/);
  expect(builder.world.takeAlarms().map(({ name }) => name)).toEqual(['terms']);
});

test('it is reported once, and stays reported after the order is gone', () => {
  rests(590_000, 100_000, 100_000);
  rests(590_000, 100_000, 100_000);
  builder.cancelling('1').cancelAnswered('1', 'cancelled').account({}, ['1']).round();
  expect([reported(builder.world), builder.world.takeAlarms().length]).toEqual([[], 1]);
  expect(builder.world.termsFault(0)).toBeDefined();
});

test('a part of its size, or a server that shows the remaining size as the original one, is no difference', () => {
  rests(590_000, 4_000, 4_000);
  expect([reported(builder.world), builder.world.termsFault(0), builder.world.takeAlarms()]).toEqual([['1 open 0.4000'], undefined, []]);
});

test('a tenth of its size, as by a finer size step, counts as it rests, and its fill leaves nothing that could fill', () => {
  rests(590_000, 1_000, 1_000);
  expect(exposed(builder.world.exposure(0))).toBe('0.0..0.0 bids 0.1 asks 0.0');
  builder.filled('1', 0.1).lookedTwice({ position: 0.1 }, ['1']).lookedTwice({}, ['1']);
  expect(exposed(builder.world.exposure(0))).toBe('0.1..0.1 bids 0.0 asks 0.0');
  expect([reported(builder.world), builder.world.unexplained(0), builder.world.takeAlarms()]).toEqual([[], undefined, []]);
});

test('an order without a client order id is no difference, because an exchange that was rolled back reuses order ids', () => {
  rests(580_000, 10_000, 10_000, null);
  expect(builder.world.termsFault(0)).toBeUndefined();
});
