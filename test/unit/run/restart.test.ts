// A run that ends in any way and is started again: its orders are adopted and not placed twice, its ids are new, and its totals continue.
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { JournalLine, Line, OrderLine } from '../../../src/bot/accounting/lines.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { startTrading, stopAfter, type Trading } from '../../../src/bot/run/core/trading.ts';
import { readHeader } from '../../../src/bot/run/state/turn-recording.ts';
import { memoryState } from '../../memory-state.ts';
import { replay } from '../../replay/replayed.ts';
import { START } from '../world-builder.ts';
import { type FakeVenue, SmallExchange } from './fake-venue.ts';

const level = (price: number) => [{ price: ticks(price), size: lots(100) }];
const QUOTE: Intent = { kind: 'quote', market: 0, bids: level(590_000), asks: level(610_000), slack: ticks(0), fillMode: 'POST_ONLY' };
const RESTING = ['ask 61000.0@0.0100', 'bid 59000.0@0.0100'];
const limits = limitsSchema.parse({});

let clock: VirtualClock;
let smallExchange: SmallExchange;
let lines: readonly JournalLine[];
let recording: readonly string[];
beforeEach(() => {
  clock = new VirtualClock(START);
  smallExchange = new SmallExchange(clock);
  lines = [];
  recording = [];
});

interface Process {
  readonly trading: Trading;
  readonly venue: FakeVenue;
  /** Ends without notice, with only what it had written. */
  readonly die: () => void;
}

/** The next process of the same run, with what the last one has written. */
function start(wants: () => readonly Intent[] = () => [QUOTE]): Process {
  const state = memoryState(lines);
  const venue = smallExchange.venue();
  const name = { run: 'r', strategy: 's', exchange: 'fake' };
  const trading = startTrading({ clock, venue, state, decide: wants, limits, params: {}, seed: 'seed', name });
  const die = (): void => {
    smallExchange.disconnect();
    [lines, recording] = [state.lines, state.recording];
  };
  return { trading, venue, die };
}
const pass = (span: number): Promise<void> => clock.drive(clock.now() + span);

async function stopped({ trading, die }: Process): Promise<void> {
  trading.run.stop('enough');
  await pass(5_000);
  expect(await trading.run.done).toEqual({ kind: 'settled' });
  die();
}
const placedIds = (): string[] => smallExchange.placed.map(({ clientOrderId }) => clientOrderId);
const statuses = (id: string): OrderLine['status'][] =>
  lines.flatMap((line) => (line.kind === 'order' && line.clientOrderId === id ? [line.status] : []));

describe('a run', () => {
  test('places what is wanted, and leaves no order at its end', async () => {
    const process = start();
    await pass(2_000);
    expect(smallExchange.resting).toEqual(RESTING);
    await stopped(process);
    expect(smallExchange.resting).toEqual([]);
    expect(process.trading.summary().orders).toEqual({ placed: 2, cancelled: 2, rejected: 0, unknown: 0, openAtExit: 0 });
  });

  test('continues without its recording if a turn cannot be written as JSON', async () => {
    const state = memoryState();
    const interrupted: string[] = [];
    state.interruptRecording = (reason) => void interrupted.push(reason);
    const venue = smallExchange.venue();
    const name = { run: 'r', strategy: 's', exchange: 'fake' };
    const trading = startTrading({ clock, venue, state, decide: () => [QUOTE], limits, params: {}, seed: 'seed', name });
    await pass(2_000);
    const circle: Record<string, unknown> = {};
    circle['itself'] = circle;
    venue.report({ kind: 'inputSeen', asked: clock.now(), name: 'news', value: circle as never });
    await pass(2_000);
    expect(interrupted).toEqual([expect.stringContaining('a turn cannot be written as JSON')]);
    expect(smallExchange.resting).toEqual(RESTING);
    expect(trading.run.world.stopping).toBeUndefined();
    trading.run.stop('enough');
    await pass(5_000);
    expect(await trading.run.done).toEqual({ kind: 'settled' });
  });

  test('reports its status', async () => {
    const { trading } = start();
    expect(trading.status()).toMatchObject({ kind: 'status', pnl: '0.00', openOrders: 0, equity: undefined, dataAgeMs: undefined });
    await pass(2_000);
    smallExchange.fill('bid');
    await pass(1_400);
    expect(trading.status()).toEqual({
      kind: 'status',
      at: new Date(clock.now()).toISOString(),
      equity: '100000.00',
      pnl: '9.999',
      positions: { BTCUSDC: '0.0100' },
      margins: { omf: '100000.00', mf: '100000.00', imf: '0.00', cmf: '0.00', mmf: '0.00', pon: '0.00', pn: '0.00' },
      openOrders: 2,
      dataAgeMs: expect.any(Number),
    });
    expect(trading.status().dataAgeMs).toBeLessThanOrEqual(500);
  });

  test('ends by itself after a time', async () => {
    const { trading } = start();
    stopAfter(trading.run, { clock, spanMs: 10_000 });
    await pass(9_999);
    expect(trading.run.world.stopping).toBeUndefined();
    await pass(5_000);
    expect(await trading.run.done).toEqual({ kind: 'settled' });
    expect(trading.run.world.stopping).toBe('the time of 10 s is over');
  });

  test('emits its lines as they happen, and none after its end', async () => {
    const shown: Line[] = [];
    let complete = false;
    const process = start();
    process.trading.lines.subscribe({ next: (line) => shown.push(line), complete: () => (complete = true) });
    await pass(2_000);
    await stopped(process);
    expect(shown).toEqual(lines);
    expect(complete).toBe(true);
  });
});

describe('another process', () => {
  test('adopts resting orders, and places nothing twice', async () => {
    const first = start();
    await pass(2_000);
    first.die();
    const placed = smallExchange.placed.length;
    const { trading } = start();
    await pass(5_000);
    expect(smallExchange.placed.length).toBe(placed);
    expect(smallExchange.resting).toEqual(RESTING);
    expect(trading.run.world.orders().map(({ status }) => status)).toEqual(['open', 'open']);
  });

  test('cancels resting orders that are no longer wanted', async () => {
    const first = start();
    await pass(2_000);
    first.die();
    start(() => []);
    await pass(5_000);
    expect(smallExchange.resting).toEqual([]);
  });

  test('finds an order that was sent without an answer, and does not send another', async () => {
    const first = start();
    await pass(2);
    expect(first.trading.run.world.orders().map(({ status }) => status)).toEqual(['pending', 'pending']);
    first.die(); // both arrive after that
    const second = start();
    await pass(5_000);
    expect(smallExchange.resting).toEqual(RESTING);
    expect(smallExchange.placed.length).toBe(2);
    second.die();
    expect(statuses(placedIds()[0] ?? '')).toEqual(['placed', 'open']);
  });

  test('places an order that never arrived again, after its request has expired', async () => {
    const first = start();
    first.venue.onSubmit = () => undefined; // lost
    await pass(2);
    first.die();
    const second = start();
    await pass(60_000);
    expect(smallExchange.placed).toEqual([]);
    await pass(10_000);
    expect(smallExchange.resting).toEqual(RESTING);
    second.die();
    const lost = lines.find((line) => line.kind === 'order');
    expect(statuses(lost?.kind === 'order' ? lost.clientOrderId : '')).toEqual(['placed', 'cancelled']);
  });

  test('learns of a fill that no process has seen', async () => {
    const first = start();
    await pass(2_000);
    first.die();
    const ids = placedIds();
    smallExchange.fill('bid');
    const second = start(() => [{ ...QUOTE, bids: [] }]);
    await pass(5_000);
    expect(smallExchange.placed.length).toBe(2);
    expect(second.trading.summary()).toMatchObject({ fills: 1, positions: { BTCUSDC: '0.0100' } });
    second.die();
    expect(statuses(ids[0] ?? '')).toEqual(['placed', 'open', 'filled']);
  });

  test('never reuses a client order id, however soon it starts', async () => {
    for (let process = 0; process < 5; process++) {
      const one = start();
      await pass(300);
      await stopped(one);
      clock = new VirtualClock(START); // the machine's clock went back
      smallExchange = Object.assign(new SmallExchange(clock), { placed: smallExchange.placed });
    }
    const ids = placedIds();
    expect(ids.length).toBe(10);
    expect(new Set(ids).size).toBe(10);
    expect(ids.map(Number).every(Number.isSafeInteger)).toBe(true);
    expect(ids).toEqual([...ids].sort((a, b) => Number(a) - Number(b)));
  });

  test('continues the totals', async () => {
    const first = start();
    await pass(2_000);
    smallExchange.fill('bid');
    await pass(2_000);
    await stopped(first);
    const before = first.trading.summary();
    expect(before).toMatchObject({ fills: 1, volume: '590.00', fees: '0.001', pnl: '9.999', positions: { BTCUSDC: '0.0100' } });
    const second = start();
    expect(second.trading.summary()).toMatchObject({
      orders: before.orders,
      fills: 1,
      volume: '590.00',
      fees: '0.001',
      findings: before.findings,
    });
    await pass(2_000);
    smallExchange.fill('ask');
    await pass(2_000);
    await stopped(second);
    expect(second.trading.summary()).toMatchObject({ fills: 2, volume: '1200.00', fees: '0.002', pnl: '19.998', positions: {} });
    const { placed } = second.trading.summary().orders;
    expect(placed).toBe(smallExchange.placed.length);
  });
});

describe('a recording', () => {
  test('of a process that adopted orders replays byte for byte', async () => {
    const first = start();
    await pass(2_000);
    first.die();
    smallExchange.fill('ask');
    const second = start();
    await pass(5_000);
    await stopped(second);
    const [head = '', ...turns] = recording;
    const header = readHeader(head);
    expect(header.history.orders.length).toBe(2);
    expect(turns.length).toBeGreaterThan(20);
    expect([...replay(turns, { header, decide: () => [QUOTE], rules: rulesFrom(header.limits as Record<string, unknown>) })]).toEqual(
      turns,
    );
  });

  test('of another version is refused', () => {
    expect(() => readHeader('{"kind":"recording","version":2}')).toThrow('not a recording of version 5');
    expect(() => readHeader('{"kind":"order"}')).toThrow('not a recording of version 5');
  });
});
