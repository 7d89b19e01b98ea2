// Who may act: signatures of both kinds, sessions, the faucet, and the accounts of one user.
import { describe, expect, test } from 'vitest';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import { wholeSeconds } from '../../../../src/embedded/server/hosted/window.ts';
import { BID, DEPOSIT, errorOf, keyOf, openHostedApi, postedId, START, userOf } from './open-api.ts';

const NOW = wholeSeconds(START);
const [ann, bob] = [keyOf(1), keyOf(2)];

describe('who may act', () => {
  test('a session that does not exist or has ended is not found', () => {
    const { trader, exchange, act, openSession } = openHostedApi();
    const { session, sessionId } = trader(1);
    expect(errorOf(act(session, { kind: 'placeOrder', sessionId: '0', ...BID }))).toBe('SESSION_NOT_FOUND');
    expect(errorOf(act(session, { kind: 'cancelOrder', sessionId: '77', orderId: '1' }))).toBe('SESSION_NOT_FOUND');
    exchange.advanceTo(START + 3_601_000);
    expect(errorOf(act(session, { kind: 'placeOrder', sessionId, ...BID }))).toBe('SESSION_NOT_FOUND');
    expect(errorOf(openSession(ann, session, 0))).toBe('EXPIRY_TIMESTAMP_IN_PAST');
    expect(errorOf(openSession(ann, session, -NOW))).toBe('EXPIRY_TIMESTAMP_IN_PAST');
  });

  test('at the cap the session that expires first is evicted', () => {
    const { openSession, act } = openHostedApi({ sessionLimits: { perUser: 2, longestLife: 1000 } });
    const [short, long, newest] = [keyOf(11), keyOf(12), keyOf(13)];
    const lives = [50, 500, 90];
    expect([short, long, newest].map((key, index) => errorOf(openSession(ann, key, lives[index])))).toEqual(
      lives.map(() => 'createSession'),
    );
    const placed = [short, long, newest].map((key, index) =>
      errorOf(act(key, { kind: 'placeOrder', sessionId: String(index + 1), ...BID })),
    );
    expect(placed).toEqual(['SESSION_NOT_FOUND', 'placeOrder', 'placeOrder']);
  });

  test('the user shows its sessions by id, with the expiry that was granted', () => {
    const { openSession, get } = openHostedApi({ sessionLimits: { perUser: 2, longestLife: 15 } });
    openSession(ann, bob, 9e9);
    const expiry = new Date((NOW + 15) * 1000).toISOString();
    expect(get(`/user/${userOf(ann)}`)).toEqual({
      status: 200,
      body: { accountIds: [expect.any(Number)], sessions: { 1: { pubkey: userOf(bob), expiry } } },
    });
  });

  test("a new user is given the faucet's money once; without a faucet it is not found", () => {
    const { openSession, exchange } = openHostedApi();
    for (const session of [keyOf(3), keyOf(4)]) openSession(ann, session);
    const [account = -1, ...more] = exchange.accountsOf(userOf(ann));
    expect(more).toEqual([]);
    expect(exchange.account(account)?.balances).toMatchObject([{ token: 'USDC', amount: DEPOSIT / 1e6 }]);
    const dry = openHostedApi({ faucet: micros(0) });
    expect(errorOf(dry.openSession(ann, bob))).toBe('USER_NOT_FOUND');
    dry.exchange.register(userOf(ann), DEPOSIT);
    expect(errorOf(dry.openSession(ann, bob))).toBe('createSession');
  });
});

describe('sub-accounts', () => {
  test('an order acts for the account that it names, or for the first if it names none', () => {
    const { place, first, second } = withTwo();
    expect(place(BID)).toMatchObject({ posted: { accountId: first } });
    expect(place({ ...BID, senderAccountId: second })).toMatchObject({ posted: { accountId: second } });
  });

  test('an order of another account is not found', () => {
    const { place, cancel, second } = withTwo();
    const orderId = postedId(place({ ...BID, senderAccountId: second }));
    expect(errorOf(cancel(orderId))).toBe('ORDER_NOT_FOUND');
    expect(cancel(orderId, second)).toMatchObject({ kind: 'cancelOrder', orderId, accountId: second });
  });

  test("an account of another user, and account 0, are not the sender's; one that is not there is not found", () => {
    const { place, cancel, foreign } = withTwo();
    expect(errorOf(place({ ...BID, senderAccountId: foreign }))).toBe('ACCOUNT_INVALID_OWNER');
    expect(errorOf(place({ ...BID, senderAccountId: 0 }))).toBe('ACCOUNT_INVALID_OWNER');
    expect(errorOf(cancel('1', foreign))).toBe('ACCOUNT_INVALID_OWNER');
    expect(errorOf(place({ ...BID, senderAccountId: 4_294_967_295 }))).toBe('ACCOUNT_NOT_FOUND');
  });
});

/** A trader with two accounts, both with money, beside another trader. */
function withTwo() {
  const context = openHostedApi();
  const { place, cancel, user, account: first } = context.trader(1);
  const second = context.exchange.openAccount(userOf(user));
  context.exchange.compound.transfer({ from: first, to: second, amount: micros(50_000e6) });
  return { ...context, place, cancel, first, second, foreign: context.trader(2).account };
}
