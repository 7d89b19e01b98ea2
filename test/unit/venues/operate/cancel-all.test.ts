// Cancelling all orders of an account that the test controls: what proves that it is empty, and what does not.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import {
  type AccountCanceller,
  type CancelAllEnd,
  type CancelProgress,
  cancelAll,
  type Outstanding,
  type Resting,
} from '../../../../src/venues/operate/cancel-all.ts';

const START = 1_800_000_000_000;
const NOTHING: Outstanding = { deadAfter: [], isOurs: () => true };

const isNamedOurs = ({ orderId }: Resting): boolean => orderId.startsWith('our');

/** An account whose time is that of the clock. */
class Account implements AccountCanceller {
  readonly longestLife = 63;
  readonly clock = new VirtualClock(START);
  readonly orders = new Map<string, Resting>();
  readonly cancels: string[] = [];
  readonly looks: number[] = [];
  /** Throws if a call is to fail. */
  onCall: (name: 'seconds' | 'resting' | 'cancel') => void = () => undefined;

  constructor(...ids: readonly string[]) {
    for (const orderId of ids) this.orders.set(orderId, { orderId });
  }

  async seconds(): Promise<number> {
    this.onCall('seconds');
    return Math.floor(this.clock.now() / 1_000);
  }

  async resting(): Promise<readonly Resting[]> {
    this.onCall('resting');
    this.looks.push(this.clock.now());
    return [...this.orders.values()];
  }

  async cancel({ orderId }: Resting): Promise<boolean> {
    this.cancels.push(orderId);
    this.onCall('cancel');
    return this.orders.delete(orderId);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Runs an action at this number of milliseconds after the start. */
  at(ms: number, happens: () => void): this {
    this.clock.at(START + ms, happens);
    return this;
  }
}

interface Played {
  readonly end: CancelAllEnd;
  readonly reported: readonly CancelProgress[];
  /** Milliseconds. */
  readonly took: number;
}

async function played(
  account: Account,
  options: { outstanding?: () => Outstanding; isSuperseded?: () => boolean; forMs?: number } = {},
): Promise<Played> {
  const reported: CancelProgress[] = [];
  const { outstanding = () => NOTHING, forMs = 300_000, isSuperseded } = options;
  let outcome: { end?: CancelAllEnd; error?: unknown } | undefined;
  const over = cancelAll({
    clock: account.clock,
    canceller: account,
    outstanding,
    forMs,
    isSuperseded,
    onProgress: (progress) => reported.push(progress),
  });
  over.then(
    (end) => (outcome = { end }),
    (error: unknown) => (outcome = { error }),
  );
  await account.clock.drive(START + forMs + 60_000, () => outcome !== undefined);
  const end = await over;
  return { end, reported, took: account.clock.now() - START };
}

describe('an account is proved empty', () => {
  test('by two lists, two seconds apart', async () => {
    const account = new Account();
    const { end, took } = await played(account);
    expect([end.kind, end.cancelled, took]).toEqual(['empty', 0, 2_000]);
    expect(account.looks.map((at) => at - START)).toEqual([0, 1_000, 2_000]);
  });

  test('after all resting orders, including foreign ones, are cancelled and counted', async () => {
    const { end } = await played(new Account('our1', 'our2', 'their1'), { outstanding: () => ({ deadAfter: [], isOurs: isNamedOurs }) });
    expect(end).toMatchObject({ kind: 'empty', cancelled: 3, foreign: 1, resting: 0 });
  });

  test('not by lists between which an order appeared and was cancelled: the proof starts again', async () => {
    const account = new Account('a').at(1_500, () => account.orders.set('late', { orderId: 'late' }));
    const { end, took } = await played(account);
    expect(account.cancels).toEqual(['a', 'late']);
    expect(end).toMatchObject({ kind: 'empty', cancelled: 2 });
    expect(took).toBeGreaterThanOrEqual(4_000);
  });

  test("not before every order without an answer has expired by the exchange's time", async () => {
    const dead = START / 1_000 + 40;
    const account = new Account();
    const { end, reported } = await played(account, { outstanding: () => ({ ...NOTHING, deadAfter: [dead, dead - 20] }) });
    expect(reported[0]?.mayArrive).toEqual({ count: 2, seconds: 41 });
    expect(reported.some(({ mayArrive }) => mayArrive.count === 1)).toBe(true);
    const counting = account.looks.filter((at) => at / 1_000 > dead);
    expect(counting.length).toBeGreaterThanOrEqual(2);
    expect([end.kind, (account.looks.at(-1) ?? 0) - (counting[0] ?? 0) >= 2_000]).toEqual(['empty', true]);
  });

  test('by a time of the exchange that is ahead: as much of our own time passes as it could live', async () => {
    const account = new Account();
    const dead = START / 1_000 - 100;
    const signed = [{ at: START - 3_000 }, { at: START + 9_000, life: 18_000 }];
    const { end, took } = await played(account, { outstanding: () => ({ ...NOTHING, deadAfter: [dead, dead], signed }) });
    expect(end?.kind).toBe('empty');
    expect(account.looks.filter((at) => at >= START + 60_000).length).toBeGreaterThanOrEqual(2);
    expect(took).toBeGreaterThanOrEqual(62_000);
    expect(took).toBeLessThan(70_000);
  });

  test('earlier if the run reports meanwhile how it ended', async () => {
    let deadAfter = [START / 1_000 + 40];
    const account = new Account().at(5_000, () => {
      deadAfter = [];
    });
    expect((await played(account, { outstanding: () => ({ ...NOTHING, deadAfter }) })).took).toBeLessThan(9_000);
  });

  test('if the journal cannot be read, after the life of any request that may have been sent', async () => {
    const { took } = await played(new Account(), { outstanding: () => ({ ...NOTHING, deadAfter: undefined }) });
    expect(took).toBeGreaterThan(63_000);
    expect(took).toBeLessThan(70_000);
  });
});

/** The result of a journal in which these orders rested. */
const known = (...ids: readonly string[]): (() => Outstanding) => {
  return () => ({ ...NOTHING, open: ids.map((orderId) => ({ orderId })) });
};

/** Lists no orders for this number of reads. */
function forgetful(account: Account, looks: number): Account {
  const resting = account.resting.bind(account);
  let left = looks;
  account.resting = async () => {
    const listed = await resting();
    return left-- > 0 ? [] : listed;
  };
  return account;
}

describe('an account that lists no order by mistake', () => {
  test.each([1, 2])('%i times: it is not proved empty, and the order is cancelled when it is listed again', async (looks) => {
    const account = forgetful(new Account('our1'), looks);
    const { end, took } = await played(account);
    expect([account.orders.size, end.kind, end.cancelled]).toEqual([0, 'empty', 1]);
    expect(took).toBeGreaterThanOrEqual(2_000);
  });

  test('always: an order that is known to have rested is cancelled by its id', async () => {
    const account = forgetful(new Account('our1', 'our2'), Infinity);
    const { end } = await played(account, { outstanding: known('our1', 'our2', 'filled') });
    expect([account.orders.size, end.kind, end.cancelled]).toEqual([0, 'empty', 2]);
    expect(account.cancels).toEqual(['our1', 'our2', 'filled']);
  });

  test('and whose orders cannot be read by id: it must be empty for longer', async () => {
    const account = forgetful(new Account('our1'), 4);
    account.onCall = (call) => {
      if (call === 'cancel' && account.clock.now() < START + 3_500) throw new Error('no session');
    };
    const { end } = await played(account, { outstanding: known('our1') });
    expect([account.orders.size, end.kind]).toEqual([0, 'empty']);
    const empty = new Account();
    empty.onCall = (call) => {
      if (call === 'cancel') throw new Error('no session');
    };
    expect((await played(empty, { outstanding: known('gone') })).took).toBe(10_000);
  });
});

test("the exchange's time fails for a minute: resting orders are cancelled at once, and proved gone when the time is available", async () => {
  const account = new Account('a', 'b');
  account.onCall = (call) => {
    if (call === 'seconds' && account.clock.now() < START + 60_000) throw new Error('GET /timestamp: 503');
  };
  let gone: number | undefined;
  account.at(500, () => (gone = account.orders.size));
  const { end, reported, took } = await played(account);
  expect([gone, end.kind, end.cancelled]).toEqual([0, 'empty', 2]);
  expect(reported.map(({ failure }) => failure)).toContain('GET /timestamp: 503');
  expect(took).toBeGreaterThan(60_000);
});

describe('a failure proves nothing', () => {
  test.each(['seconds', 'resting'] as const)('of %s: the proof starts again', async (name) => {
    const account = new Account();
    let fails = false;
    account.onCall = (call) => {
      if (fails && call === name) throw new Error('no reply within 3 s');
    };
    account.at(900, () => void (fails = true)).at(1_900, () => void (fails = false));
    const { end, reported, took } = await played(account);
    expect(reported.map(({ failure }) => failure)).toContain('no reply within 3 s');
    expect([end.kind, end.failure, took]).toEqual(['empty', undefined, 4_000]);
  });

  test('of a cancel: it is tried again, and the others are still cancelled', async () => {
    const account = new Account('a', 'b', 'c');
    let failed = 0;
    account.onCall = (call) => {
      if (call === 'cancel' && account.cancels.at(-1) === 'b' && failed++ < 2) throw new Error('refused');
    };
    const { end } = await played(account);
    expect(end).toMatchObject({ kind: 'empty', cancelled: 3 });
    expect(account.cancels).toEqual(['a', 'b', 'c', 'b', 'b']);
  });

  test('for a long time: retries become rarer, but at least every five seconds', async () => {
    const account = new Account();
    const tries: number[] = [];
    account.onCall = (call) => {
      if (call === 'seconds') tries.push((account.clock.now() - START) / 1_000);
      throw new Error('nothing answers');
    };
    await played(account, { forMs: 30_000 });
    expect(tries).toEqual([0, 1, 3, 7, 12, 17, 22, 27]);
  });

  test('permanently: it gives up in time, with the reason', async () => {
    const account = new Account();
    account.onCall = () => {
      throw new Error('nothing answers');
    };
    const { end, took } = await played(account, { forMs: 10_000 });
    expect(end).toMatchObject({ kind: 'late', failure: 'nothing answers' });
    expect(took).toBeLessThanOrEqual(10_000);
  });

  test('that a retry cannot fix ends it', async () => {
    const account = new Account('a');
    account.onCall = (call) => {
      if (call === 'cancel') throw new UserError({ code: 'account', message: 'wrong' });
    };
    await expect(played(account)).rejects.toThrow('wrong');
  });

  test('a missing key is requested again: it may be put back, or a living bot cancels by itself', async () => {
    const account = new Account('a').at(20_000, () => account.orders.clear());
    account.onCall = (call) => {
      if (call === 'cancel') throw new UserError({ code: 'key', message: 'the key file is gone' });
    };
    const { end, reported } = await played(account);
    expect(reported.map(({ failure }) => failure)).toContain('the key file is gone');
    expect(end).toMatchObject({ kind: 'empty', cancelled: 0 });
  });

  test('a refused session is requested again', async () => {
    const account = new Account('a');
    account.onCall = (call) => {
      if (call === 'cancel' && account.cancels.length < 3) throw new UserError({ code: 'session', message: 'MAINTENANCE' });
    };
    expect((await played(account)).end).toMatchObject({ kind: 'empty', cancelled: 1 });
  });
});

test('a process that adopts the orders ends it at once', async () => {
  let isSuperseded = false;
  const account = new Account('a').at(700, () => void (isSuperseded = true));
  account.onCall = (call) => {
    if (call === 'cancel') throw new Error('busy');
  };
  const { end, took } = await played(account, { isSuperseded: () => isSuperseded });
  expect([end.kind, took]).toEqual(['superseded', 1_000]);
});
