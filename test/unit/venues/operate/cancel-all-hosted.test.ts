// Cancelling all orders at a hosted exchange: with the run's own session while it lives, with the wallet only when it has ended, and without a loop of sessions.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { messageOf } from '../../../../src/base/errors.ts';
import { type Wallet, walletOnDemand } from '../../../../src/base/keys/wallet.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { publicKeyOf, sessionMessage } from '../../../../src/base/wire/ed25519.ts';
import { type HostedCancellerOptions, hostedCanceller } from '../../../../src/venues/hosted/canceller.ts';
import type { AccountCanceller } from '../../../../src/venues/operate/cancel-all.ts';
import { bundledSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { accountPage, SESSION_KEY, START, USER, walletSigner } from '../hosted/bench.ts';
import { FakeExchange } from '../hosted/fake-exchange.ts';

class CancellerBench {
  readonly clock = new VirtualClock(START);
  readonly exchange = new FakeExchange(this.clock);
  walletUses = 0;
  readonly canceller: AccountCanceller;

  constructor({
    accountId,
    accounts = [7],
    ...more
  }: { accountId?: number; accounts?: readonly number[] } & Pick<Partial<HostedCancellerOptions>, 'trusted' | 'hasTraded'> = {}) {
    this.exchange.users.set(USER, accounts);
    for (const account of accounts)
      this.exchange.pages.set(`/account/${account}`, () => accountPage(1, { orders: [order('77', account)] }));
    const wallet: Wallet = {
      publicKey: walletSigner.publicKey,
      signSession: async (framed) => {
        this.walletUses += 1;
        return walletSigner.sign(sessionMessage(framed));
      },
    };
    const log = { info: () => undefined, warn: () => undefined };
    const rng = rngFrom('desk');
    const parts = { clock: this.clock, rng, transport: this.exchange, schema: bundledSchema(), sessionKey: SESSION_KEY };
    this.canceller = hostedCanceller({ trusted: true, ...more, ...parts, wallet, accountId, log, firstNonce: 2 ** 32 - 1 });
  }

  /** The session that the run opened. */
  live(id: bigint, seconds = 3_600): this {
    this.exchange.sessions.set(String(id), { user: USER, publicKey: publicKeyOf(SESSION_KEY), expires: this.exchange.now() + seconds });
    this.exchange.nextSessionId = id + 1n;
    return this;
  }

  serves(schema: string): void {
    this.exchange.fault = ({ path }) => (path === '/schema.proto' ? { reply: { body: schema } } : undefined);
  }

  async settle<T>(asked: Promise<T>): Promise<T> {
    let over = false;
    const done = (): void => void (over = true);
    asked.then(done, done);
    await this.clock.drive(this.clock.now() + 60_000, () => over);
    return asked;
  }

  get sessionsAsked(): number {
    return this.exchange.actions.filter(({ kind }) => kind === 'createSession').length;
  }
}

const order = (orderId: string, account: number) => ({
  orderId,
  marketId: 0,
  side: 'bid',
  price: 100,
  size: 1,
  originalOrderSize: 1,
  clientOrderId: String(account),
});

describe('cancels', () => {
  test("uses the run's own session while it lives: the wallet is not touched", async () => {
    const bench = new CancellerBench().live(5n);
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.resting())).toEqual([{ orderId: '77', clientOrderId: '7' }]);
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
    expect(bench.exchange.actions).toMatchObject([{ kind: 'cancelOrder', orderId: '77', sessionId: '5', timestamp: bench.exchange.now() }]);
    expect(bench.walletUses).toBe(0);
  });

  test('opens one new session for all waiting cancels if the old one has ended', async () => {
    const bench = new CancellerBench();
    await bench.settle(bench.canceller.seconds());
    await bench.settle(Promise.all(['1', '2', '3'].map((orderId) => bench.canceller.cancel({ orderId }))));
    expect([bench.walletUses, bench.sessionsAsked]).toEqual([1, 1]);
    expect(bench.exchange.actions.filter(({ kind }) => kind === 'cancelOrder')).toHaveLength(3);
  });

  test('replaces a session that ends meanwhile', async () => {
    const bench = new CancellerBench().live(5n);
    await bench.settle(bench.canceller.seconds());
    await bench.settle(bench.canceller.cancel({ orderId: '1' }));
    bench.exchange.sessions.clear();
    await expect(bench.settle(bench.canceller.cancel({ orderId: '2' }))).rejects.toThrow('SESSION_NOT_FOUND');
    expect(await bench.settle(bench.canceller.cancel({ orderId: '2' }))).toBe(true);
    expect(bench.walletUses).toBe(1);
  });

  test('takes an order that is no longer there as cancelled by somebody else', async () => {
    const bench = new CancellerBench().live(5n);
    bench.exchange.answer = () => ({ kind: 'err', actionId: '1', error: 'ORDER_NOT_FOUND', code: 0 });
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(false);
  });

  test('names the account for orders of another account of the user', async () => {
    const bench = new CancellerBench({ accounts: [7, 9], accountId: 9 }).live(5n);
    bench.exchange.answer = () => ({ kind: 'cancelOrder', actionId: '9', orderId: '77', accountId: 9 });
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.resting())).toMatchObject([{ clientOrderId: '9' }]);
    await bench.settle(bench.canceller.cancel({ orderId: '77' }));
    expect(bench.exchange.actions[0]).toMatchObject({ senderAccountId: 9 });
  });

  test('counts its own nonces, all different', async () => {
    const bench = new CancellerBench().live(5n);
    await bench.settle(bench.canceller.seconds());
    for (const orderId of ['1', '2', '3']) await bench.settle(bench.canceller.cancel({ orderId }));
    expect(bench.exchange.actions.map(({ nonce }) => nonce)).toEqual([2 ** 32 - 1, 0, 1]);
  });
});

/** An exchange whose /timestamp is wrong by that many seconds, while its engine's clock is right. */
const wrong = (by: number): CancellerBench => {
  const bench = new CancellerBench();
  bench.exchange.windowSeconds = 60;
  bench.exchange.pages.set('/timestamp', () => bench.exchange.now() + by);
  return bench;
};
const cancels = ({ exchange }: CancellerBench) => exchange.actions.filter(({ kind }) => kind === 'cancelOrder');

describe('while /timestamp is wrong', () => {
  test.each([600, -100, 7_200])('by %i s, cancels are signed with our own time, the second one at once', async (by) => {
    const bench = wrong(by).live(5n, 86_400);
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
    expect(await bench.settle(bench.canceller.cancel({ orderId: '78' }))).toBe(true);
    expect([cancels(bench).length, bench.sessionsAsked]).toEqual([3, 0]);
    expect(await bench.settle(bench.canceller.seconds())).toBe(bench.exchange.now() + by); // the proof goes by the time heard
  });

  test('with our own clock wrong too, the newest trade has the time', async () => {
    const bench = wrong(600).live(5n, 200_000);
    bench.exchange.offsetSeconds = 86_400;
    const time = new Date(bench.exchange.now() * 1_000).toISOString();
    const trade = { actionId: 1, tradeId: 2, takerId: 1, takerSide: 'bid', makerId: 2, marketId: 0, orderId: 3, price: 100, baseSize: 1 };
    bench.exchange.pages.set('/trades', () => ({ items: [{ ...trade, time }], nextStartInclusive: null }));
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
    expect(cancels(bench)).toHaveLength(3);
  });

  test.each([600, -100, 7_200])('by %i s, a lost session is opened with our own time, and its cancels follow', async (by) => {
    const bench = wrong(by);
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
    expect(bench.exchange.actions.map(({ kind }) => kind)).toEqual(['createSession', 'createSession', 'cancelOrder']);
    expect(bench.exchange.sessions.size).toBe(1);
  });
});

/** The session of the run belongs to somebody else now, and the list does not show it. */
const taken = (): CancellerBench => {
  const bench = new CancellerBench().live(5n);
  bench.exchange.sessions.set('5', { user: 'somebody', publicKey: new Uint8Array(32), expires: bench.exchange.now() + 3_600 });
  bench.exchange.nextSessionId = 6n;
  bench.exchange.listed.set('5', { user: USER, publicKey: publicKeyOf(SESSION_KEY), expires: bench.exchange.now() + 3_600 });
  return bench;
};
async function attempts(bench: CancellerBench, count: number): Promise<string[]> {
  const done: string[] = [];
  for (let n = 0; n < count; n++) {
    const attempt = bench.canceller.cancel({ orderId: '77' }).then(String, (error: unknown) => messageOf(error));
    done.push(await bench.settle(attempt));
    await bench.clock.drive(bench.clock.now() + 1_000);
  }
  return done;
}

describe('a session whose signatures are refused', () => {
  test('is replaced after three refusals, and everything is cancelled', async () => {
    const bench = taken();
    await bench.settle(bench.canceller.seconds());
    expect(await attempts(bench, 4)).toEqual([...Array(3).fill('the exchange refuses a cancel: INVALID_SIGNATURE'), 'true']);
    expect(bench.sessionsAsked).toBe(1);
  });

  test('is replaced once: then the key or the schema is wrong, cancels go on in the new one, and the text says so', async () => {
    const bench = taken();
    bench.exchange.answer = () => bench.exchange.error('SIGNATURE_VERIFICATION');
    await bench.settle(bench.canceller.seconds());
    const texts = await attempts(bench, 30);
    expect(bench.sessionsAsked).toBe(1);
    expect(texts.at(-1)).toContain('the action schema is wrong');
    expect(bench.exchange.actions).toHaveLength(31);
  });
});

test("sends cancels with the local clock's time to an exchange whose time cannot be read", async () => {
  const bench = new CancellerBench().live(5n);
  bench.exchange.fault = ({ path }) => (path === '/timestamp' ? { refused: true } : undefined);
  await expect(bench.settle(bench.canceller.seconds())).rejects.toThrow();
  expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
  const [cancel] = bench.exchange.actions;
  expect(bench.exchange.now() - Number(cancel?.kind === 'cancelOrder' && cancel.timestamp)).toBeLessThan(20);
});

test('requests refused sessions less and less often', async () => {
  const bench = new CancellerBench();
  await bench.settle(bench.canceller.seconds());
  await bench.settle(bench.canceller.resting());
  bench.exchange.users.clear();
  for (let second = 0; second < 120; second++) {
    await expect(bench.settle(bench.canceller.cancel({ orderId: '1' }))).rejects.toThrow();
    await bench.clock.drive(bench.clock.now() + 1_000);
  }
  expect(bench.sessionsAsked).toBeGreaterThan(2);
  expect(bench.sessionsAsked).toBeLessThanOrEqual(10);
});

test('retries soon at an exchange that does not answer, for any time', async () => {
  const bench = new CancellerBench();
  await bench.settle(bench.canceller.seconds());
  bench.exchange.fault = () => ({ refused: true });
  const cancelled = (): Promise<boolean> => bench.settle(bench.canceller.cancel({ orderId: '1' }));
  for (let second = 0; second < 300; second++) {
    await expect(cancelled()).rejects.toThrow();
    await bench.clock.drive(bench.clock.now() + 1_000);
  }
  bench.exchange.fault = () => undefined;
  await bench.settle(bench.canceller.seconds()); // what it knew of the time is too old to sign with
  await bench.clock.drive(bench.clock.now() + 2_000);
  expect(await cancelled()).toBe(true);
  expect(bench.sessionsAsked).toBe(1);
});

test('requests a session that could not be requested again every two seconds', async () => {
  const bench = new CancellerBench();
  await bench.settle(bench.canceller.seconds());
  const tries: number[] = [];
  bench.exchange.fault = ({ method }) => {
    if (method !== 'POST') return undefined;
    tries.push(bench.clock.now());
    return { refused: true };
  };
  for (const start = bench.clock.now(); bench.clock.now() < start + 120_000; await bench.clock.drive(bench.clock.now() + 500))
    await bench.settle(bench.canceller.cancel({ orderId: '1' })).catch(() => undefined);
  const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? at));
  expect(Math.max(...pauses)).toBeLessThan(4_000);
  expect(tries.length).toBeGreaterThan(30);
});

test('takes a user without an account, whose run has traded, as an error of the exchange that proves nothing', async () => {
  const bench = new CancellerBench({ hasTraded: true });
  bench.exchange.users.clear();
  await expect(bench.settle(bench.canceller.resting())).rejects.toThrow('has no account of this user');
});

describe('if the schema of the run is unknown', () => {
  test('nothing is signed for an exchange that reads actions differently', async () => {
    const bench = new CancellerBench({ trusted: false }).live(5n);
    bench.serves(bundledSchema().text.replace(/(order_id\s*=\s*)\d+/g, '$1 77'));
    await bench.settle(bench.canceller.seconds());
    await expect(bench.settle(bench.canceller.cancel({ orderId: '77' }))).rejects.toThrow('another action schema');
    expect(bench.exchange.actions).toEqual([]);
  });

  test('nothing is signed while the schema of the exchange cannot be read, and the text says what helps', async () => {
    const bench = new CancellerBench({ trusted: false }).live(5n);
    bench.exchange.fault = ({ path }) => (path === '/schema.proto' ? { reply: { status: 500, body: '' } } : undefined);
    await bench.settle(bench.canceller.seconds());
    await expect(bench.settle(bench.canceller.cancel({ orderId: '77' }))).rejects.toThrow('answered 500; no cancel is signed before');
    expect(bench.exchange.actions).toEqual([]);
  });

  test('the bundled schema signs for an exchange that reads it', async () => {
    const bench = new CancellerBench({ trusted: false }).live(5n);
    bench.serves(bundledSchema().text);
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
  });

  test('the bundled schema signs for an exchange with one more field, because the bytes of a cancel mean the same', async () => {
    const bench = new CancellerBench({ trusted: false }).live(5n);
    bench.serves(bundledSchema().text.replace('message PlaceOrder {', 'message PlaceOrder {\n    optional bool is_hidden = 77;'));
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
  });
});

describe('if the schema of the run is known', () => {
  const { text } = bundledSchema();

  test.each([
    ['lacks reduce-only', text.replace('bool is_reduce_only = 36;', '')],
    ['has another field on its number', text.replace('bool is_reduce_only = 36;', 'uint32 slippage_bps = 36;')],
    ['cannot be read', '<html>Log in</html>'],
  ])('a cancel is sent although the schema of the exchange %s', async (_, served) => {
    const bench = new CancellerBench().live(5n);
    bench.serves(served);
    await bench.settle(bench.canceller.seconds());
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
  });

  test('an exchange that never answers for its schema delays the cancels once, however many they are', async () => {
    const bench = new CancellerBench().live(5n);
    const reads = (): number => bench.exchange.requests.filter((path) => path === '/schema.proto').length;
    bench.exchange.fault = ({ path }) => (path === '/schema.proto' ? { lost: 'reply' } : undefined);
    await bench.settle(bench.canceller.seconds());
    const begun = bench.clock.now();
    for (let n = 0; n < 30; n++) await bench.settle(bench.canceller.cancel({ orderId: String(n) }));
    expect([reads(), bench.exchange.actions.length]).toEqual([1, 30]);
    expect(bench.clock.now() - begun).toBeLessThan(10_000);
    bench.serves(text.replace('uint64 order_id = 2; // [document]', 'uint64 order_id = 3;'));
    await bench.clock.drive(bench.clock.now() + 30_000);
    await expect(bench.settle(bench.canceller.cancel({ orderId: '77' }))).rejects.toThrow('another action schema');
  });

  test.each([
    ['the order', text.replace('uint64 order_id = 2; // [document]', 'uint64 order_id = 3;'), 'orderId: 2 became 3'],
    [
      'the account',
      text.replace('optional uint32 sender_account_id = 33;', 'uint32 scope = 33;'),
      'senderAccountId: 33 became uint32 scope',
    ],
  ])('no cancel is signed while the exchange reads %s otherwise', async (_, served, difference) => {
    const bench = new CancellerBench().live(5n);
    bench.serves(served);
    await bench.settle(bench.canceller.seconds());
    await expect(bench.settle(bench.canceller.cancel({ orderId: '77' }))).rejects.toThrow(difference);
    expect(bench.exchange.actions).toEqual([]);
    bench.serves(text);
    await bench.clock.drive(bench.clock.now() + 5_000);
    expect(await bench.settle(bench.canceller.cancel({ orderId: '77' }))).toBe(true);
  });
});

test('a user without an account has no orders', async () => {
  const bench = new CancellerBench();
  bench.exchange.users.clear();
  expect(await bench.settle(bench.canceller.resting())).toEqual([]);
});

test('a key file that now contains another key signs nothing', async () => {
  let signed = 0;
  const other: Wallet = { publicKey: publicKeyOf(SESSION_KEY), signSession: async () => new Uint8Array(++signed) };
  const wallet = walletOnDemand(walletSigner.publicKey, () => Promise.resolve(other));
  await expect(wallet.signSession(new Uint8Array())).rejects.toThrow('another key');
  expect(signed).toBe(0);
});

describe('its session, which is the one of a run', () => {
  test('is renewed before it ends, without a cancel that asks for it, until the canceller is closed', async () => {
    const bench = new CancellerBench();
    await bench.settle(bench.canceller.seconds());
    await bench.settle(bench.canceller.cancel({ orderId: '77' }));
    await bench.clock.drive(bench.clock.now() + 3_500_000);
    expect(bench.sessionsAsked).toBe(2);
    await bench.settle(bench.canceller.close());
    await bench.clock.drive(bench.clock.now() + 7_200_000);
    expect(bench.sessionsAsked).toBe(2);
  });

  test('takes a receipt of another order as no answer', async () => {
    const bench = new CancellerBench().live(5n);
    bench.exchange.answer = () => ({ kind: 'cancelOrder', actionId: '9', orderId: '78', accountId: 7 });
    await bench.settle(bench.canceller.seconds());
    await expect(bench.settle(bench.canceller.cancel({ orderId: '77' }))).rejects.toThrow('order 78 was cancelled, not 77');
  });

  test('is not requested for a user without an account', async () => {
    const bench = new CancellerBench();
    bench.exchange.users.clear();
    await bench.settle(bench.canceller.seconds());
    await expect(bench.settle(bench.canceller.cancel({ orderId: '77' }))).rejects.toThrow('no account of this user');
    expect(bench.sessionsAsked).toBe(0);
  });
});
