// The rate limit of new orders applies when they are sent, whenever they were decided, and over all processes of a run.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { HttpRequest } from '../../../../src/base/transport/transport.ts';
import { inheritedOptionsWithoutSession } from '../../../../src/bot/run/core/venue.ts';
import type { Entry } from '../../../../src/bot/run/state/entries.ts';
import { notAfter, placedInLastMinute, SendRate } from '../../../../src/bot/run/state/send-rate.ts';
import { World } from '../../../../src/bot/world/world.ts';
import { memoryState } from '../../../memory-state.ts';
import * as hosted from '../../venues/hosted/bench.ts';
import * as local from '../../venues/local/bench.ts';
import { BTC, START } from '../../world-builder.ts';

const sentAt = (at: number, action: 'place' | 'cancel' = 'place'): Entry => ({
  kind: 'sent',
  at: new Date(at).toISOString(),
  action,
  clientOrderId: String(at),
});

const isAction = ({ method }: HttpRequest): boolean => method !== 'GET';

describe.each([
  ['hosted', hosted, (bench: hosted.Bench | local.Bench) => (bench as hosted.Bench).exchange],
  ['local', local, (bench: hosted.Bench | local.Bench) => (bench as local.Bench).process],
] as const)('at the %s API', (_, { Bench, cancel, place }, lineOf) => {
  test('orders that were decided over six seconds, and wait for slow cancels, are not sent within one second', async () => {
    const bench = new Bench();
    const { clock } = bench;
    const state = memoryState();
    await bench.connect({
      writeAhead: inheritedOptionsWithoutSession({ clock, state, limits: { rate: { maxPerSecond: 2, maxPerMinute: 600 } } }).writeAhead,
    });
    const left: number[] = [];
    let cancels = 0;
    lineOf(bench).fault = (request) => {
      if (!isAction(request)) return undefined;
      if (cancels < 6) return { lateMs: 3_000 - 500 * cancels++ };
      left.push(clock.now());
      return undefined;
    };
    for (let turn = 0; turn < 6; turn++) await bench.submit([cancel(), place()], 500);
    await bench.run(3_000);
    const inOneSecond = left.map((from) => left.filter((at) => at >= from && at < from + 1_000).length);
    expect(cancels).toBe(6);
    expect(Math.max(...inOneSecond)).toBe(2);
    const refused = bench.of('orderRejected');
    expect(refused.length).toBe(6 - left.length);
    expect(refused.every(({ error }) => error === 'NOT_SENT')).toBe(true);
  });

  test('a process that continues a run counts the orders of earlier processes, but not cancels', async () => {
    const bench = new Bench();
    const { clock } = bench;
    const now = clock.now();
    const state = memoryState([...[50, 40, 30].map((ago) => sentAt(now - ago * 1_000)), sentAt(now - 20_000, 'cancel')]);
    await bench.connect({
      writeAhead: inheritedOptionsWithoutSession({ clock, state, limits: { rate: { maxPerSecond: 5, maxPerMinute: 4 } } }).writeAhead,
    });
    await bench.submit([cancel(), cancel({ clientOrderId: '6' }), place()]);
    await bench.submit([cancel(), place()]);
    expect(bench.of('orderRejected')).toHaveLength(1);
    await bench.run(now + 10_001 - clock.now());
    await bench.submit([place()]);
    expect(bench.of('orderRejected')).toHaveLength(1);
  });
});

test('the guard of a process that continues a run counts them too, so that it approves none that may not be sent', () => {
  const world = new World([BTC]);
  world.adopt({ orders: [], fills: [], placedAt: [START - 50_000, START - 500] });
  world.apply({ kind: 'timerFired', at: START });
  expect([world.placementsSince(START - 1_000), world.placementsSince(START - 60_000)]).toEqual([1, 2]);
});

test('the orders of the last minute are counted from the entries of a run', () => {
  const entries = [sentAt(START), sentAt(START + 70_000), sentAt(START + 65_000), sentAt(START + 71_000, 'cancel'), sentAt(START + 10_001)];
  expect(placedInLastMinute(entries)).toEqual([START + 10_001, START + 65_000, START + 70_000]);
});

test('times of a clock that was ahead are moved back together, so that they end with the minute', () => {
  expect(notAfter([START + 3_600_000, START + 3_630_000], START)).toEqual([START - 30_000, START]);
  expect(notAfter([START - 30_000], START)).toEqual([START - 30_000]);
  expect(notAfter([], START)).toEqual([]);
});

test('a wall clock that is set forward does not allow more orders', () => {
  const clock = new VirtualClock(START);
  let skipped = 0;
  const leaping = { now: () => clock.now() + skipped, at: clock.at.bind(clock), skipped: () => skipped };
  const rate = new SendRate({ clock: leaping, rates: { maxPerSecond: 1, maxPerMinute: 1 }, earlier: [] });
  expect(rate.take()).toBeUndefined();
  skipped = 3_600_000;
  expect(rate.take()).toBe('1 orders within 1 s; the limit is 1');
  clock.advanceTo(START + 60_000);
  expect(rate.take()).toBeUndefined();
});
