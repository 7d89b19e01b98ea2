// The faults of starts, accounts, connections, state and strategies: each does what its plan says, and no more.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../../src/base/transport/transport.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { SESSION_KEY, StateLosses } from '../../../src/research/simulation/environment/disk/state-losses.ts';
import { ShiftedConnection } from '../../../src/research/simulation/environment/network/shifted-connection.ts';
import { ShortAccounts } from '../../../src/research/simulation/environment/network/short-accounts.ts';
import { faultyStrategy, isPlannedError } from '../../../src/research/simulation/environment/processes/strategy-faults.ts';
import type { Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { endings } from '../../../src/research/simulation/invariants/endings.ts';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import type { InjectedFault } from '../../../src/research/simulation/plan/faults.ts';
import { defaultStrategyFor } from '../../../src/research/simulation/plan/subjects.ts';
import { testTools } from '../../../src/research/testing/tools.ts';

const replyOf = (value: unknown): HttpReply => ({ status: 200, contentType: '', body: new TextEncoder().encode(JSON.stringify(value)) });
const textOf = ({ body }: HttpReply): string => new TextDecoder().decode(body);

function boxAt(plan: readonly InjectedFault[]): { time: { now: number }; faults: FaultBox } {
  const time = { now: 0 };
  return { time, faults: new FaultBox({ plan, seed: 's', now: () => time.now, onStruck: () => undefined }) };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const processWith = (status: string): Process =>
  ({ number: 1, life: { alive: true }, trading: { run: { world: { orders: () => [{ status }] } } } }) as unknown as Process;

function ended(after: number, open: readonly string[], failed = true): readonly string[] {
  const complaints: string[] = [];
  let now = 0;
  const scene = {
    venue: { truth: { open: () => open } },
    reached: () => undefined,
    fail: (invariant: string) => complaints.push(invariant),
  };
  const check = endings(scene as unknown as Scene);
  const process = { number: 1, life: { clock: { now: () => now }, monotonic: () => now } } as unknown as Process;
  if (failed) check.strategyFailed?.(process);
  now = after;
  check.ended?.(process, { kind: 'settled' });
  return complaints;
}

function decided(
  kind: InjectedFault['kind'],
  status: string,
): { readonly decide: () => unknown; readonly uncaught: unknown[]; readonly reported: number[] } {
  const { faults } = boxAt([{ id: 'a', kind, from: 0, until: 1_000 }]);
  const [uncaught, reported]: [unknown[], number[]] = [[], []];
  const strategy = { name: 's', defaults: {}, create: () => () => [] } as unknown as Strategy<Params>;
  const faulty = faultyStrategy(strategy, {
    scene: { faults },
    checks: [{ strategyFailed: ({ number }) => reported.push(number) }],
    process: processWith(status),
    onUncaught: (thrown) => uncaught.push(thrown),
  });
  const decide = faulty.create({}, testTools('s'));
  return { decide: () => decide({} as never), uncaught, reported };
}

function lost(detail: string): readonly (readonly [string, string])[] {
  const disk = new SimDisk();
  disk.create(SESSION_KEY, bytes('key'));
  disk.create('journal-000001.log', bytes('first\nsecond\nthird\n'));
  const losses = new StateLosses(disk);
  const fault: InjectedFault = { id: 'a', kind: 'stateLost', from: 0, until: 0, detail };
  losses.keep(fault);
  disk.append('journal-000001.log', bytes('fourth\n'));
  disk.create('latch', bytes('flatten'));
  losses.lose(fault, { rng: rngFrom('s'), freshKey: () => bytes('fresh') });
  return disk.list().map((name) => [name, new TextDecoder().decode(disk.read(name))] as const);
}

const short = (detail: string, more: Partial<InjectedFault> = {}): InjectedFault => ({
  id: detail,
  kind: 'shortAccount',
  from: 0,
  until: 60_000,
  amount: 0,
  detail,
  ...more,
});

describe('an account reply that lacks a part', () => {
  const WHOLE = { updateId: 7, balances: [{}], positions: [{}], orders: [{ orderId: 1 }, { orderId: 2 }, { orderId: 3 }] };
  const request: HttpRequest = { method: 'GET', path: '/account/3' };
  test.each<[string, object]>([
    ['orders', { orders: [] }],
    ['halfOfOrders', { orders: [{ orderId: 2 }] }],
    ['positions', { positions: [] }],
    ['balances', { balances: [] }],
    ['everything', { orders: [], positions: [], balances: [] }],
  ])('lacks %s', (detail, lacking) => {
    const { time, faults } = boxAt([short(detail)]);
    const shown = new ShortAccounts(faults, () => time.now).shown(request, replyOf(WHOLE));
    expect(JSON.parse(textOf(shown))).toEqual({ ...WHOLE, ...lacking });
  });

  test.each([
    ['was received', true, [true, false, false, true, false, false]],
    ['was not received', false, [true, false, false, false, false, false]],
  ])('comes once; another one comes 20 s later if a complete one %s', (_name, isReceived, expected) => {
    const { time, faults } = boxAt([short('orders'), short('positions')]);
    const accounts = new ShortAccounts(faults, () => time.now);
    const isShort = [0, 1, 19_999, 20_000, 20_001, 59_000].map((now) => {
      time.now = now;
      const lacks = accounts.isShort(accounts.shown(request, replyOf(WHOLE)));
      if (isReceived && !lacks) accounts.received(now);
      return lacks;
    });
    expect(isShort).toEqual(expected);
  });

  test('is never the reply to another request', () => {
    const { time, faults } = boxAt([short('orders')]);
    const reply = replyOf(WHOLE);
    expect(new ShortAccounts(faults, () => time.now).shown({ method: 'GET', path: '/account/3/orders' }, reply)).toBe(reply);
  });
});

test('a connection that is out of step answers with the previous reply, for actions and reads separately', () => {
  const { time, faults } = boxAt([{ id: 'a', kind: 'shifted', from: 1_000, until: 2_000, path: 'all' }]);
  const connection = new ShiftedConnection(faults);
  const received = (method: 'GET' | 'POST', path: string, answer: string): unknown => {
    const { reply, altered } = connection.receives({ request: { method, path }, reply: replyOf(answer), altered: false });
    return [textOf(reply), altered];
  };
  expect(received('GET', '/timestamp', 'time 1')).toEqual(['"time 1"', false]);
  expect(received('POST', '/action', 'receipt 1')).toEqual(['"receipt 1"', false]);
  time.now = 1_000;
  expect(received('GET', '/account/3', 'account 1')).toEqual(['"time 1"', true]);
  expect(received('GET', '/account/3', 'account 2')).toEqual(['"account 1"', false]); // as a cache would answer
  expect(received('POST', '/action', 'receipt 2')).toEqual(['"receipt 1"', true]);
  time.now = 2_000;
  expect(received('POST', '/action', 'receipt 3')).toEqual(['"receipt 3"', false]);
});

describe('a state directory that is lost', () => {
  test('is gone, with its key', () => expect(lost('gone')).toEqual([[SESSION_KEY, 'fresh']]));

  test('is as it was before', () =>
    expect(lost('old')).toEqual([
      ['journal-000001.log', 'first\nsecond\nthird\n'],
      [SESSION_KEY, 'key'],
    ]));

  test('is cut short after the first line of the journal', () => {
    const found = new Map(lost('truncated'));
    expect('first\nsecond\nthird\nfourth\n'.startsWith(found.get('journal-000001.log') ?? 'nothing')).toBe(true);
    expect(found.get('journal-000001.log')).toMatch(/^first\n/);
    expect([...found.keys()].sort()).toEqual(['journal-000001.log', 'latch', SESSION_KEY].sort());
  });
});

describe('a strategy with faults', () => {
  test('throws once, while an order is in flight', () => {
    const { decide, reported } = decided('throws', 'pending');
    expect(decide).toThrow(/as planned/);
    expect([decide(), reported]).toEqual([[], [1]]);
    expect(decided('throws', 'open').decide()).toEqual([]);
  });

  test('leaves two rejections in one turn', async () => {
    const { decide, uncaught } = decided('rejects', 'pending');
    expect(decide()).toEqual([]);
    await Promise.resolve();
    expect(uncaught.map(isPlannedError)).toEqual([true, true]);
  });
});

describe('V25: a run whose strategy has failed', () => {
  test('must not end soon while orders rest', () => {
    expect(ended(2_000, ['7'])).toEqual(['V25']);
    expect([ended(2_000, []), ended(90_000, ['7']), ended(2_000, ['7'], false)]).toEqual([[], [], []]);
  });
});

test('a tenth of the seeds with many faults trade a spot market if no strategy is given', () => {
  const drawn = Array.from({ length: 500 }, (_, seed) => defaultStrategyFor(String(seed), { profile: 'swarm' }));
  const share = drawn.filter((name) => name !== 'grid').length / drawn.length;
  expect(new Set(drawn)).toEqual(new Set(['grid', 'spot-target', 'spot-carry']));
  expect([share > 0.06, share < 0.2]).toEqual([true, true]);
  expect(defaultStrategyFor('1', { profile: 'smoke' })).toBe('grid');
});
