// The life of a session: opened, reused, renewed, lost, and never opened in a loop.
import { describe, expect, test, vi } from 'vitest';
import { AssertionError } from '../../../../src/base/errors.ts';
import { signerFrom } from '../../../../src/base/wire/ed25519.ts';
import { modeWanted } from '../../../../src/bot/risk/escalation.ts';
import { World } from '../../../../src/bot/world/world.ts';
import { Bench, cancel, place, SESSION_KEY, START, tamper, USER } from './bench.ts';
import type { NetworkFault } from './fake-exchange.ts';

const HOUR = 3_600_000;
const quiet = { orderBookMs: HOUR, accountMs: HOUR, fillsMs: HOUR, tradesMs: HOUR, liveMs: HOUR, timeMs: 5_000, requestsPerSecond: 1_000 };
const live = (bench: Bench, expires: number) => ({
  user: USER,
  publicKey: signerFrom(SESSION_KEY).publicKey,
  expires: bench.exchange.now() + expires,
});
/** The fault of the n-th action, counted from 1. */
const nth = (wanted: number, fault: NetworkFault) => {
  let count = 0;
  return ({ path }: { path: string }): NetworkFault | undefined => (path === '/action' && ++count === wanted ? fault : undefined);
};

describe('opening', () => {
  test('requests a day, uses the wallet key once, and reports the granted life', async () => {
    const bench = new Bench();
    bench.exchange.longestSession = 1_000;
    await bench.connect();
    const now = bench.exchange.now();
    expect(bench.exchange.openings()).toMatchObject([{ timestamp: now, expiry: now + 86_400 }]);
    expect(bench.of('sessionSeen')).toEqual([{ kind: 'sessionSeen', at: bench.clock.now(), opened: now, expires: now + 1_000 }]);
    expect(bench.health('session')).toEqual([true]);
    await bench.submit([place()]);
    expect(bench.walletUses).toBe(1);
  });

  test('reuses the live session of the same key, the longest of several', async () => {
    const bench = new Bench();
    bench.exchange.sessions.set('18446744073709551615', live(bench, 5_000));
    bench.exchange.sessions.set('3', live(bench, 4_000));
    await bench.connect();
    await bench.submit([place()]);
    expect(bench.exchange.openings()).toEqual([]);
    expect(bench.walletUses).toBe(0);
    expect(bench.exchange.orders()).toMatchObject([{ sessionId: '18446744073709551615' }]);
  });

  test('does not reuse an expired one, even if the list still shows it', async () => {
    const bench = new Bench();
    bench.exchange.listsEnded = true;
    bench.exchange.sessions.set('8', live(bench, 0));
    await bench.connect();
    expect(bench.exchange.openings()).toHaveLength(1);
  });

  test("does not reuse another key's, and reports it once, because another program may trade on the account", async () => {
    const bench = new Bench();
    bench.exchange.sessions.set('8', { ...live(bench, 5_000), publicKey: new Uint8Array(32) });
    await bench.connect();
    expect(bench.exchange.openings()).toHaveLength(1);
    const words = /^another session of this user is alive \(8, key .*may trade on this account/;
    expect(bench.logged.filter((line) => line.startsWith('another'))).toEqual([expect.stringMatching(words)]);
    expect(bench.of('healthSeen').filter(({ stream }) => stream === 'sessions')).toMatchObject([
      { healthy: false, reason: expect.stringMatching(words) },
    ]);
  });

  test('reports the session of another program that appears or ends while the run trades', async () => {
    const bench = new Bench();
    await bench.connect({ polling: quiet });
    expect(bench.health('sessions')).toEqual([]);
    bench.exchange.sessions.set('8', { ...live(bench, 50_000), publicKey: new Uint8Array(32) });
    await bench.run(185_000);
    expect(bench.health('sessions')).toEqual([false]);
    await bench.run(HOUR);
    expect(bench.health('sessions')).toEqual([false]);
    bench.exchange.sessions.delete('8');
    await bench.run(185_000);
    expect(bench.health('sessions')).toEqual([false, true]);
    expect(bench.exchange.requests.filter((path) => path.startsWith('/user')).length).toBeLessThan(30);
  });

  test.each([
    ['reply', 1],
    ['request', 2],
  ] as const)('after a lost %s checks whether the session exists, and requests another only if it does not', async (lost, asked) => {
    const bench = new Bench();
    bench.exchange.fault = nth(1, { lost });
    await bench.connect();
    expect(bench.exchange.openings()).toHaveLength(1);
    expect(bench.exchange.requests.filter((path) => path === '/action')).toHaveLength(asked);
    expect(bench.clock.now() - START).toBeLessThan(lost === 'reply' ? 6_000 : 40_000);
  });

  test('trusts the receipt if no list shows the session', async () => {
    const bench = new Bench();
    await bench.connect();
    bench.exchange.fault = ({ path }) => (path.startsWith('/user') ? { reply: { body: '{"accountIds":[7],"sessions":{}}' } } : undefined);
    const other = new Bench();
    other.exchange.fault = bench.exchange.fault;
    await other.connect();
    expect(other.of('sessionSeen')).toMatchObject([{ expires: expect.closeTo(other.exchange.now() + 86_400, -1) }]);
    expect(other.logged.join()).toContain("is not in the user's list of sessions");
  });

  test('assumes that a session which no list shows lives as long as the last one, which the exchange had shortened', async () => {
    const bench = new Bench();
    bench.exchange.longestSession = 1_000;
    await bench.connect({ polling: quiet });
    bench.exchange.fault = ({ path }) => (path.startsWith('/user') ? { reply: { body: '{"accountIds":[7],"sessions":{}}' } } : undefined);
    await bench.run(820_000);
    const [, second] = bench.of('sessionSeen');
    expect(second).toMatchObject({ expires: (bench.exchange.openings()[1]?.timestamp ?? 0) + 1_000 });
  });
});

describe('renewal', () => {
  test('comes at four fifths of the life, early enough for orders to continue', async () => {
    const bench = new Bench();
    await bench.connect({ polling: quiet, sessionSeconds: 10_000 });
    await bench.run(7_900_000);
    expect(bench.exchange.openings()).toHaveLength(1);
    await bench.run(200_000);
    expect(bench.exchange.openings()).toHaveLength(2);
    expect(bench.of('sessionSeen')).toHaveLength(2);
    await bench.submit([place()]);
    expect(bench.exchange.orders()).toMatchObject([{ sessionId: '2' }]);
    expect(bench.health('session')).toEqual([true]);
  });

  test('comes within seconds after engine time has jumped past the end, so that orders can be cancelled', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 }, sessionSeconds: 120 });
    await bench.run(10_000);
    bench.exchange.offsetSeconds += 200;
    await bench.run(5_000);
    expect(bench.exchange.openings()).toHaveLength(2);
  });

  test('is fast enough for sessions that live 15 s whatever was requested: no order is refused', async () => {
    const bench = new Bench();
    bench.exchange.longestSession = 15;
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    for (let second = 0; second < 120; second++) await bench.submit([place()], 1_000);
    expect(bench.of('orderOpened')).toHaveLength(120);
    expect(bench.exchange.openings().length).toBeLessThanOrEqual(13);
    expect(bench.health('session')).toEqual([true]);
  });

  test.each([50, 100, 250])('of a session that lives %i s is early enough for an exchange that takes seconds to show one', async (life) => {
    const bench = new Bench();
    bench.exchange.longestSession = life;
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    bench.exchange.fault = ({ path }) => (path.startsWith('/user') ? { lateMs: 2_000 } : undefined);
    for (let second = 0; second < 4 * life; second++) await bench.submit([place()], 1_000);
    expect(bench.of('orderRejected')).toEqual([]);
    expect(bench.exchange.openings().length).toBeGreaterThan(4);
    expect(bench.health('session')).toEqual([true]);
  });

  test('of sessions that live 3 s waits longer each time, because so short a life counts as a failure', async () => {
    const bench = new Bench();
    bench.exchange.longestSession = 3;
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    await bench.run(60_000);
    const openings = bench.exchange.openings().length - 1;
    expect(openings).toBeGreaterThan(4);
    expect(openings).toBeLessThan(12); // without longer pauses 20, the limit per hour
  });

  test('that fails at its first requests is tried again soon and without the key, for any time', async () => {
    const bench = new Bench();
    await bench.connect({ polling: quiet, sessionSeconds: 1_000 });
    bench.exchange.fault = ({ path }) => (path.startsWith('/user') ? { refused: true } : undefined);
    await bench.run(3 * HOUR);
    expect([bench.health('session'), bench.walletUses]).toEqual([[true, false], 1]);
    bench.exchange.fault = () => undefined;
    await bench.run(5_000);
    expect([bench.health('session'), bench.walletUses]).toEqual([[true, false, true], 2]);
  });

  test('that fails is tried again, with growing pauses, and no order is sent near the end of the session', async () => {
    const bench = new Bench();
    await bench.connect({ polling: quiet, sessionSeconds: 1_000 });
    bench.exchange.fault = ({ path }) => (path === '/action' ? { refused: true } : undefined);
    await bench.run(700_000);
    expect(bench.health('session')).toEqual([true]);
    await bench.run(400_000);
    expect(bench.health('session')).toEqual([true, false]);
    await bench.submit([place(), cancel()]);
    expect(bench.of('orderRejected')).toMatchObject([{ error: 'NOT_SENT' }]);
    await bench.run(4 * HOUR);
    const tried = bench.exchange.requests.filter((path) => path === '/action').length;
    expect(tried).toBeGreaterThan(20);
    expect(tried).toBeLessThan(5 * 20);
    bench.exchange.fault = () => undefined;
    await bench.run(HOUR);
    expect(bench.health('session')).toEqual([true, false, true]);
  });
});

describe('the safety margin', () => {
  test.each([
    ['a minute of a long session', 10_000, 60],
    ['a fifth of a short one', 100, 20],
  ])('is %s', async (_, life, margin) => {
    const bench = new Bench();
    await bench.connect({ polling: quiet, sessionSeconds: life });
    bench.exchange.fault = ({ path }) => (path.startsWith('/user') ? { lost: 'request' } : undefined);
    await bench.run((life - margin - 1) * 1_000);
    await bench.submit([place()], 500);
    expect(bench.of('orderOpened')).toHaveLength(1);
    await bench.run(1_000);
    await bench.submit([place()]);
    expect(bench.of('orderRejected')).toMatchObject([{ error: 'NOT_SENT' }]);
    expect(bench.exchange.orders()).toHaveLength(1);
    await bench.submit([cancel()]);
    expect(bench.of('cancelAnswered')).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

describe('a session that the exchange no longer knows', () => {
  test('costs its orders, and is replaced once however many orders report it', async () => {
    const bench = new Bench();
    await bench.connect();
    bench.exchange.sessions.clear();
    await bench.submit([place(), place(), place()], 11);
    await bench.submit([place()], 5);
    expect(bench.of('orderRejected').map(({ error }) => error)).toEqual([...Array(3).fill('SESSION_NOT_FOUND'), 'NOT_SENT']);
    await bench.run(500);
    expect(bench.exchange.openings()).toHaveLength(2);
    expect(bench.health('session')).toEqual([true, false, true]);
    await bench.submit([place()]);
    expect(bench.of('orderOpened')).toHaveLength(1);
  });

  test('during its renewal is replaced by that renewal', async () => {
    const bench = new Bench();
    await bench.connect({ polling: quiet, sessionSeconds: 1_000 });
    bench.exchange.fault = nth(1, { lateMs: 20_000 });
    await bench.run(799_000);
    expect(bench.exchange.openings()).toHaveLength(2);
    bench.exchange.sessions.delete('1');
    await bench.submit([place()], 30_000);
    expect(bench.of('orderRejected')).toMatchObject([{ error: 'SESSION_NOT_FOUND' }]);
    expect(bench.exchange.openings()).toHaveLength(2);
    expect(bench.health('session')).toEqual([true, false, true]);
  });

  test('is replaced at once again if the one before it has lived until its renewal', async () => {
    const bench = new Bench();
    bench.exchange.longestSession = 15;
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    const { answer } = bench.exchange;
    bench.exchange.answer = () => bench.exchange.error('SESSION_NOT_FOUND');
    for (let second = 0; second < 20; second++) await bench.submit([place()], 1_000);
    const openings = bench.exchange.openings().length;
    expect(openings).toBeGreaterThan(4); // the next pause would be 8 s or more
    bench.exchange.answer = answer;
    await bench.run(40_000);
    bench.exchange.answer = () => bench.exchange.error('SESSION_NOT_FOUND');
    const before = bench.exchange.openings().length;
    await bench.submit([place()], 500);
    expect(bench.exchange.openings().length).toBe(before + 1);
  });

  test('is not reused even if the list still shows it', async () => {
    const bench = new Bench();
    await bench.connect();
    bench.exchange.answer = (action) =>
      action.kind === 'placeOrder' && action.sessionId === '1'
        ? bench.exchange.error('SESSION_NOT_FOUND')
        : { kind: 'nothing', actionId: '1', name: undefined };
    await bench.submit([place()], 500);
    expect(bench.exchange.openings()).toHaveLength(2);
  });

  test('never leads to a loop: the pauses grow, and the number per hour is limited', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    bench.exchange.answer = () => bench.exchange.error('SESSION_NOT_FOUND');
    for (let second = 0; second < 3_600; second++) await bench.submit([place()], 1_000);
    const openings = bench.exchange.openings().length - 1;
    expect(openings).toBeGreaterThan(8);
    expect(openings).toBeLessThanOrEqual(20);
  });
});

/** From now on the id belongs to somebody else, as after a rollback of the exchange; with `listed`, the list still shows it as ours. */
const taken = (bench: Bench, id: string, { listed = false } = {}): void => {
  if (listed) bench.exchange.listed.set(id, live(bench, 50_000));
  bench.exchange.sessions.set(id, { ...live(bench, 50_000), user: 'somebody', publicKey: new Uint8Array(32) });
};
const refuse = (bench: Bench, error: string): void => {
  bench.exchange.answer = () => bench.exchange.error(error);
};
const alarms = (bench: Bench): string[] => bench.of('healthSeen').flatMap(({ stream, alarm }) => (alarm === true ? stream : []));
const seconds = async (bench: Bench, count: number): Promise<void> => {
  for (let second = 0; second < count; second++) await bench.submit([place(), cancel()], 1_000);
};

describe('a session whose signatures are refused', () => {
  test.each([{ listed: false }, { listed: true }])('is replaced after three refusals in a row: $listed', async (given) => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    taken(bench, '1', given);
    for (let n = 0; n < 3; n++) await bench.submit([cancel()], 1_000);
    await bench.submit([place()]);
    expect(bench.of('cancelAnswered').map(({ reason }) => reason)).toEqual(Array(3).fill('INVALID_SIGNATURE'));
    expect(bench.of('orderOpened')).toHaveLength(1);
    expect([bench.exchange.openings().length, bench.health('session'), alarms(bench)]).toEqual([2, [true, false, true], []]);
  });

  test('is replaced by another of our key in the list, without a new one, if the receipt had named a wrong id', async () => {
    const bench = new Bench();
    bench.exchange.nextSessionId = 7n;
    const { createSession } = { createSession: bench.exchange.codec.encodeReceipt.bind(bench.exchange.codec) };
    vi.spyOn(bench.exchange.codec, 'encodeReceipt').mockImplementation((receipt) =>
      createSession(receipt.kind === 'createSession' ? { ...receipt, sessionId: '4' } : receipt),
    );
    taken(bench, '4');
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    for (let n = 0; n < 3; n++) await bench.submit([cancel()], 1_000);
    await bench.submit([place()]);
    expect(bench.exchange.orders().map((action) => 'sessionId' in action && action.sessionId)).toEqual(['4', '4', '4', '7']);
    expect(bench.exchange.openings()).toHaveLength(1);
    vi.restoreAllMocks();
  });

  test('is kept if all refusals came on one connection, or others were accepted between them', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    const { answer } = bench.exchange;
    refuse(bench, 'INVALID_SIGNATURE');
    await bench.submit(
      Array.from({ length: 5 }, (_, n) => cancel({ clientOrderId: `${n}`, orderId: `${n}` })),
      8,
    );
    bench.exchange.answer = answer;
    await bench.submit([cancel()], 1_000);
    for (let n = 0; n < 10; n++) {
      refuse(bench, 'SIGNATURE_VERIFICATION');
      await bench.submit([cancel()], 500);
      await bench.submit([cancel()], 500);
      bench.exchange.answer = answer;
      await bench.submit([cancel()], 500);
    }
    expect(bench.exchange.openings()).toHaveLength(1);
  });

  test('that is refused again in a new session is the fault of key or schema: no third session, the alarm, and cancels go on', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    const { answer } = bench.exchange;
    refuse(bench, 'INVALID_SIGNATURE');
    await seconds(bench, 3_600);
    expect([bench.exchange.openings().length, alarms(bench)]).toEqual([2, ['key']]);
    expect(bench.exchange.orders().slice(-2)).toMatchObject([{ sessionId: '2' }, { sessionId: '2' }]);
    bench.exchange.answer = answer;
    await seconds(bench, 5);
    await bench.submit([cancel()]);
    expect(bench.health('key')).toEqual([false, true]);
  });

  test('is replaced no more than once in ten minutes; until then it signs cancels alone, with the alarm', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    const begun = bench.clock.now();
    for (let n = 0; n < 3_600; n++) {
      const newest = String(bench.exchange.nextSessionId - 1n);
      if (n % 60 === 59) taken(bench, newest);
      await bench.submit([cancel()], 1_000);
    }
    const pauses = bench.exchange.openings().map(({ timestamp }, index, all) => timestamp - (all[index - 1]?.timestamp ?? begun / 1_000));
    expect(Math.min(...pauses.slice(2))).toBeGreaterThanOrEqual(600);
    expect(pauses.length).toBeGreaterThan(5);
    expect(new Set(alarms(bench))).toEqual(new Set(['session']));
    const unsent = bench.of('cancelAnswered').flatMap(({ reason }) => (reason?.startsWith('NOT_SENT') ? [reason] : []));
    expect(new Set(unsent)).toEqual(new Set(['NOT_SENT: the exchange refuses our signatures; one cancel is sent every few seconds']));
    const times = bench.exchange.orders().map(({ timestamp }) => timestamp);
    expect(Math.max(...times.map((at, index) => at - (times[index - 1] ?? at)))).toBeLessThanOrEqual(6);
  });

  test('closes the run to new positions if a new one did not help', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...quiet, timeMs: 1_000 } });
    refuse(bench, 'INVALID_SIGNATURE');
    await seconds(bench, 20);
    const world = new World(bench.venue.feed.markets);
    world.apply(...bench.events);
    expect(modeWanted(world)).toMatchObject({ mode: 'close-only', reason: expect.stringContaining('check --key and --schema') });
  });
});

test('a session with a wrong signature stops the run', async () => {
  const bench = new Bench();
  await bench.connect({ polling: quiet, sessionSeconds: 100 });
  tamper((action) => (action.kind === 'createSession' ? { ...action, expiry: action.expiry + 1 } : action));
  await bench.run(90_000);
  vi.restoreAllMocks();
  expect(bench.failure).toBeInstanceOf(AssertionError);
});
