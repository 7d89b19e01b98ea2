// Back-dating is tested on the exchange before it is used, and is used only when a shorter wait is worth it.
import { expect, test } from 'vitest';
import type { WireAction } from '../../../../src/venues/wire/codec.ts';
import { type Bench, cancel, connected, place } from './bench.ts';
import { accepted } from './fake-exchange.ts';

interface Rules {
  /** The oldest timestamp that the exchange accepts, in seconds before its own time. */
  readonly window: number;
}

/** Cancels its one order once, and finds none after that. */
function obey(bench: Bench, { window }: Rules): void {
  let cancelled = false;
  bench.exchange.answer = (action) => {
    if (bench.exchange.now() - action.timestamp > window) return bench.exchange.error('TIMESTAMP_STALE');
    if (action.kind === 'cancelOrder' && cancelled) return bench.exchange.error('ORDER_NOT_FOUND');
    cancelled ||= action.kind === 'cancelOrder';
    return accepted(action);
  };
}

/** Loses the answer to one order. */
async function loseOne(bench: Bench): Promise<void> {
  bench.exchange.fault = ({ path }) => (path === '/action' ? { lost: 'reply' } : undefined);
  bench.venue.gateway.submit([place()]);
  await bench.run(100);
  bench.exchange.fault = () => undefined;
  await bench.run(5_000);
}

const ageOf = (bench: Bench, action: WireAction | undefined): number => bench.exchange.now() - (action?.timestamp ?? 0);
const cancels = (bench: Bench): readonly WireAction[] => bench.exchange.orders().filter(({ kind }) => kind === 'cancelOrder');

test('an exchange that accepts 45 s and refuses 75 s gets orders that are 45 s old after the first lost answer', async () => {
  const bench = await connected();
  obey(bench, { window: 60 });
  await bench.submit([cancel()]);
  await bench.submit([place()]);
  expect(ageOf(bench, bench.exchange.orders().at(-1))).toBeLessThanOrEqual(1);
  expect(cancels(bench)).toHaveLength(1);

  await loseOne(bench);
  expect(cancels(bench).map((action) => (action.kind === 'cancelOrder' ? action.orderId : ''))).toEqual(Array(3).fill(cancel().orderId));
  await bench.submit([place()]);
  expect([44, 45]).toContain(ageOf(bench, bench.exchange.orders().at(-1)));
  await bench.submit([place({ fillMode: 'IMMEDIATE_OR_CANCEL' })]);
  expect(ageOf(bench, bench.exchange.orders().at(-1))).toBeLessThanOrEqual(1);
  expect(bench.of('orderRejected')).toEqual([]);
});

test('its requests expire 45 s earlier', async () => {
  const bench = await connected();
  obey(bench, { window: 60 });
  await bench.submit([cancel()]);
  await loseOne(bench);
  await loseOne(bench);
  const [first, second] = bench.of('orderUnknown');
  expect((second?.deadAfter ?? 0) - (first?.deadAfter ?? 0)).toBeLessThan(0);
});

test.each([
  { window: 30, why: 'too short a window' },
  { window: 300, why: 'a window that never ends' },
])('nothing is back-dated with $why', async ({ window }) => {
  const bench = await connected();
  obey(bench, { window });
  await bench.submit([cancel()]);
  await loseOne(bench);
  await bench.submit([place()]);
  expect(ageOf(bench, bench.exchange.orders().at(-1))).toBeLessThanOrEqual(1);
  expect(bench.logged.some((line) => line.includes('75 s ago'))).toBe(window > 75);
});
