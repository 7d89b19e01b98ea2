// An exchange whose /timestamp is wrong while its engine's clock is right: cancels find another time, orders are never placed with it.
import { beforeEach, describe, expect, test } from 'vitest';
import { messageOf } from '../../../../src/base/errors.ts';
import type { Transport } from '../../../../src/base/transport/transport.ts';
import { type CancelOrder, DEFAULT_ORDER_LIFE } from '../../../../src/bot/domain/action.ts';
import { World } from '../../../../src/bot/world/world.ts';
import { Bench, cancel, place } from './bench.ts';

let bench: Bench;
/** Seconds by which /timestamp is ahead of the engine. */
let lie: number;
beforeEach(() => {
  bench = new Bench();
  lie = 0;
  bench.exchange.windowSeconds = 60;
  bench.exchange.pages.set('/timestamp', () => bench.exchange.now() + lie);
});

async function connected(more: { transport?: Transport } = {}): Promise<void> {
  await bench.connect(more);
  await bench.run(100);
}
/** The exchange behind HTTP, with a Date header by its engine's clock. */
const dated = (): Transport => ({
  request: async (request, limits) => ({ ...(await bench.exchange.request(request, limits)), date: bench.exchange.now() }),
  close: () => bench.exchange.close(),
});
async function lieFrom(by: number): Promise<void> {
  lie = by;
  await bench.run(1_500);
}
const many = (count: number): CancelOrder[] =>
  Array.from({ length: count }, (_, n) => cancel({ clientOrderId: `${100 + n}`, orderId: `${200 + n}` }));
const cancels = () => bench.exchange.orders().filter(({ kind }) => kind === 'cancelOrder');
const outcomes = () => bench.of('cancelAnswered').map(({ outcome }) => outcome);
const clockHealth = () => bench.of('healthSeen').filter(({ stream, alarm }) => stream === 'clock' && alarm !== undefined);
/** How far each cancel is signed ahead of the engine, in seconds. */
const aheads = (): number[] => cancels().map(({ timestamp }) => timestamp - bench.exchange.now());

describe.each([600, -100, 3_600])('/timestamp differs by %i s', (by) => {
  test('a cancel is signed again with our own time, and the next ones at once', async () => {
    await connected();
    await lieFrom(by);
    await bench.submit([cancel()], 500);
    expect(outcomes()).toEqual(['cancelled']);
    expect(cancels()).toHaveLength(2);
    await bench.submit(many(8), 100);
    expect(outcomes()).toEqual(Array(9).fill('cancelled'));
    expect(cancels()).toHaveLength(10);
    expect(clockHealth()).toMatchObject([{ healthy: false, alarm: true, reason: expect.stringContaining('cancels are signed') }]);
  });

  test('orders are signed with the time heard, and refused; their end follows from it too', async () => {
    await connected();
    await lieFrom(by);
    await bench.submit([cancel()], 500);
    bench.exchange.fault = ({ path }) => (path === '/action' ? { lost: 'reply' } : undefined);
    await bench.submit([place()], 4_000);
    const [order] = bench.exchange.orders().filter(({ kind }) => kind === 'placeOrder');
    const heard = bench.of('timeSeen').map(({ engineSeconds }) => engineSeconds);
    expect(heard).toContain(order?.timestamp);
    expect(bench.of('orderUnknown')).toMatchObject([{ deadAfter: (order?.timestamp ?? 0) + DEFAULT_ORDER_LIFE }]);
    expect(Math.abs((heard.at(-1) ?? 0) - bench.exchange.now() - by)).toBeLessThan(3);
  });

  test('with our own clock wrong by a day, the Date header has the time', async () => {
    bench.exchange.offsetSeconds = 86_400;
    await connected({ transport: dated() });
    await lieFrom(by);
    await bench.submit([cancel()], 500);
    expect(outcomes()).toEqual(['cancelled']);
    expect(cancels()).toHaveLength(3);
  });

  test('with our own clock wrong by a day, the newest trade has the time', async () => {
    bench.exchange.offsetSeconds = 86_400;
    const time = (): string => new Date(bench.exchange.now() * 1_000).toISOString();
    const trade = { actionId: 1, tradeId: 2, takerId: 1, takerSide: 'bid', makerId: 2, marketId: 0, orderId: 3, price: 100, baseSize: 1 };
    bench.exchange.pages.set('/trades', () => ({ items: [{ ...trade, time: time() }], nextStartInclusive: null }));
    await connected();
    await lieFrom(by);
    await bench.submit([cancel()], 500);
    expect(outcomes()).toEqual(['cancelled']);
    expect(cancels()).toHaveLength(3);
  });
});

describe('without any right time', () => {
  test('guesses up to 15 minutes around both clocks are tried, one cancel at a time', async () => {
    bench.exchange.offsetSeconds = -860;
    await connected();
    await lieFrom(7_200);
    let most = 0;
    const { answer } = bench.exchange;
    bench.exchange.answer = (action) => {
      most = Math.max(most, bench.exchange.actionsInFlight);
      return answer(action);
    };
    await bench.submit([cancel()], 20_000);
    expect(outcomes().at(-1)).toBe('cancelled');
    expect(Math.max(...aheads().slice(-1).map(Math.abs))).toBeLessThan(60);
    expect([cancels().length > 30, cancels().length < 62, most]).toEqual([true, true, 1]);
    await bench.submit(many(3), 100);
    expect(outcomes().slice(-3)).toEqual(Array(3).fill('cancelled'));
  });

  test('meanwhile no other cancel is sent', async () => {
    await connected();
    bench.exchange.windowSeconds = -1;
    await bench.submit([cancel()], 1_000);
    const sent = cancels().length;
    await bench.submit(many(3), 10);
    expect(bench.of('cancelAnswered').map(({ outcome, reason }) => [outcome, reason?.split(':')[0]])).toEqual(
      many(3).map(() => ['refused', 'NOT_SENT']),
    );
    await bench.run(1_000);
    expect(cancels().length - sent).toBeLessThan(6);
  });

  test('all are refused: it is an alarm, nothing is sent for half a minute, and then they are tried again', async () => {
    await connected();
    bench.exchange.windowSeconds = -1;
    await bench.submit([cancel()], 20_000);
    const once = cancels().length;
    expect(once).toBe(31); // both clocks are one here: the time heard, and 15 steps to each side
    expect(clockHealth()).toMatchObject([{ alarm: true, reason: expect.stringContaining('every other that was tried') }]);
    for (let second = 0; second < 15; second++) await bench.submit([cancel()], 1_000);
    expect(cancels()).toHaveLength(once);
    await bench.run(10_000);
    bench.exchange.windowSeconds = 60;
    await bench.submit([cancel()], 500);
    expect(outcomes().at(-1)).toBe('cancelled');
    expect(cancels()).toHaveLength(once + 1);
  });
});

test('when the clock is right again, cancels follow it at once, and all is well', async () => {
  await connected();
  await lieFrom(600);
  await bench.submit([cancel()], 500);
  await lieFrom(0);
  expect(bench.of('healthSeen').filter(({ stream }) => stream === 'clock')).toMatchObject([{ healthy: false }, { healthy: true }]);
  bench.exchange.pages.set('/timestamp', () => bench.exchange.now() - 7); // another second than our own clock shows
  await bench.run(1_500);
  await bench.submit([cancel()], 100);
  expect(aheads().at(-1)).toBeLessThanOrEqual(-7);
});

test('an answer that is lost leaves the ladder after three seconds to the next cancel, which tries its time again', async () => {
  await connected();
  await lieFrom(600);
  bench.exchange.fault = ({ path }) => (path === '/action' && cancels().length === 1 ? { lost: 'request' } : undefined);
  await bench.submit([cancel()], 2_900);
  await bench.submit([cancel({ clientOrderId: '6' })], 300);
  expect(outcomes()).toEqual(['refused', 'unknown']);
  expect(cancels()).toHaveLength(1);
  bench.exchange.fault = () => undefined;
  await bench.submit([cancel({ clientOrderId: '6' })], 500);
  expect(outcomes()).toEqual(['refused', 'unknown', 'cancelled']);
  expect(cancels()).toHaveLength(2);
});

test('a refusal that comes late does not undo the accepted time, with which its cancel is sent again', async () => {
  await connected();
  await lieFrom(600);
  let count = 0;
  bench.exchange.fault = ({ path }) => (path === '/action' && ++count === 2 ? { lateMs: 200 } : undefined);
  await bench.submit(many(2), 500);
  expect([outcomes(), cancels().length]).toEqual([['cancelled', 'cancelled'], 4]);
  await bench.submit([cancel()], 100);
  expect(cancels()).toHaveLength(5);
});

test('a clock that seems to agree again is tried once in half a minute', async () => {
  bench.exchange.offsetSeconds = -50;
  await connected();
  await lieFrom(75); // 25 s ahead of our own clock, which is accepted
  for (let second = 0; second < 100; second++) await bench.submit([cancel()], 1_000);
  expect(outcomes().filter((outcome) => outcome !== 'cancelled')).toEqual([]);
  expect(cancels().length - 100).toBeGreaterThan(1);
  expect(cancels().length - 100).toBeLessThan(6);
  expect(clockHealth()).toHaveLength(1);
});

test('each time that is tried is written ahead', async () => {
  const written: (number | undefined)[] = [];
  await bench.connect({
    writeAhead: (sealed) => {
      written.push(...sealed.map(({ timestamp }) => timestamp));
      return () => undefined;
    },
  });
  await bench.run(100);
  await lieFrom(600);
  await bench.submit([cancel()], 500);
  expect(written.slice(-2)).toEqual(cancels().map(({ timestamp }) => timestamp));
  expect(new Set(cancels().map(({ nonce }) => nonce)).size).toBe(2);
});

test('refusals of the time never open a session', async () => {
  await connected();
  bench.exchange.windowSeconds = -1;
  for (let second = 0; second < 120; second++) await bench.submit([cancel(), place()], 1_000);
  expect(bench.exchange.openings()).toHaveLength(1);
});

test('the alarm is that of the clock', async () => {
  await connected();
  await lieFrom(600);
  await bench.submit([cancel()], 500);
  const world = new World(bench.venue.feed.markets);
  world.apply(...bench.events);
  expect(world.takeAlarms().map(({ name, reason }) => `${name}: ${messageOf(reason)}`)).toEqual([
    expect.stringMatching(/^clock: the exchange refuses what is signed with the time of its own clock/),
  ]);
});
