// Every refusal by its name; a refusal changes nothing and consumes no action id.
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { errorOf, QuietExchange, START } from './quiet-exchange.ts';

function setup() {
  const quiet = new QuietExchange();
  const [alice, bob] = [quiet.user('alice', 10_000), quiet.user('bob', 1_000_000)];
  return { quiet, alice, bob };
}

describe('a refused order', () => {
  test.each([
    ['ask 0.1 BTCUSDC LIMIT', 'ORDER_EXECUTION_MISSING_PRICE'],
    ['ask 0 BTCUSDC @ 60000', 'ORDER_SIZE_ZERO'],
    ['bid 0.1 BTCUSDC @ 60100 POST_ONLY', 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS'],
    ['ask 0.1 BTCUSDC @ 60000 IMMEDIATE_OR_CANCEL', 'IMMEDIATE_ORDER_GOT_NO_FILLS'],
    ['bid 3 BTCUSDC FILL_OR_KILL', 'ORDER_EXECUTION_FILL_OR_KILL'],
    ['bid 0.1 BTCUSDC @ 72000.1', 'ORDER_EXECUTION_LIMIT_PRICE'],
    ['ask 0.1 BTCUSDC @ 47999.9', 'ORDER_EXECUTION_LIMIT_PRICE'],
    ['bid 9000 BTCUSDC @ 60000', 'ORDER_EXECUTION_SIZE_LIMIT'],
    ['bid 4 BTCUSDC @ 50000', 'INSUFFICIENT_FUNDS'],
    ['bid 1 SOLUSDC-SPOT @ 100 FILL_OR_KILL', 'ORDER_EXECUTION_FILL_OR_KILL'],
    ['ask 1 SOLUSDC-SPOT @ 200', 'INSUFFICIENT_FUNDS'],
    ['bid 100 SOLUSDC-SPOT @ 100', 'INSUFFICIENT_FUNDS'],
  ])('%s: %s', (line, error) => {
    const { quiet, alice, bob } = setup();
    quiet.placed(bob, 'ask 2 BTCUSDC @ 60100');
    const [before, book] = [quiet.state(alice), quiet.exchange.book(0)];
    const outcome = quiet.place(alice, line);
    expect(errorOf(outcome)).toBe(error);
    expect(outcome.actionId).toBe(String(Number(before.updateId) + 1));
    expect(quiet.state(alice)).toEqual(before);
    expect(quiet.exchange.book(0)).toEqual(book);
    expect(quiet.placed(bob, 'bid 0.1 BTCUSDC @ 50000').actionId).toBe(outcome.actionId);
  });

  test('names an unknown market or account', () => {
    const { quiet, alice } = setup();
    const order = { side: 'bid', fillMode: 'LIMIT', price: 600_000, size: 1 } as never as Parameters<typeof quiet.exchange.place>[0];
    expect(errorOf(quiet.exchange.place({ ...order, account: alice, market: 9 }))).toBe('MARKET_NOT_FOUND');
    expect(errorOf(quiet.exchange.place({ ...order, account: 999, market: 0 }))).toBe('ACCOUNT_NOT_FOUND');
  });

  test('has too many significant figures, or is worth too little', () => {
    const [btc] = LISTED_MARKETS;
    const markets = [{ ...btc!, spec: { ...btc!.spec, priceFigures: 5, minNotional: 10 } }];
    const quiet = new QuietExchange(new Exchange({ seed: 'quiet', start: START, flow: false, markets }));
    const alice = quiet.user('alice', 10_000);
    const order = { account: alice, market: 0, side: 'bid', fillMode: 'LIMIT' } as const;
    expect(errorOf(quiet.exchange.place({ ...order, price: ticks(595_005), size: lots(100) }))).toBe('ORDER_EXECUTION_LIMIT_PRICE');
    expect(errorOf(quiet.exchange.place({ ...order, price: ticks(595_000), size: lots(1) }))).toBe('ORDER_EXECUTION_SIZE_LIMIT');
    expect(errorOf(quiet.exchange.place({ ...order, price: ticks(595_000), size: lots(2) }))).toBeUndefined();
  });

  test('is one too many', () => {
    const { quiet, bob } = setup();
    for (let count = 0; count < 250; count++) quiet.placed(bob, 'bid 0.0001 BTCUSDC @ 50000');
    expect(quiet.refusal(bob, 'bid 0.0001 BTCUSDC @ 50000')).toBe('TOO_MANY_OPEN_ORDERS');
    quiet.exchange.cancel({ account: bob, orderId: quiet.state(bob).orders[0]!.orderId });
    expect(quiet.refusal(bob, 'bid 0.0001 BTCUSDC @ 50000')).toBeUndefined();
  });

  test('would make a position too large to count', () => {
    const quiet = new QuietExchange();
    const whale = quiet.user('whale', 900e6);
    quiet.placed(whale, 'bid 8000 BTCUSDC @ 60000');
    expect(quiet.refusal(whale, 'bid 400 BTCUSDC @ 60000')).toBe('POSITION_SIZE_LIMIT');
  });
});

describe('a frozen market', () => {
  test('accepts no orders, accepts cancels, and resumes', () => {
    const { quiet, bob } = setup();
    const { posted } = quiet.placed(bob, 'ask 2 BTCUSDC @ 60100');
    quiet.exchange.freeze(0, true);
    expect(quiet.exchange.live(0)?.frozen).toBe(true);
    expect(quiet.refusal(bob, 'ask 2 BTCUSDC @ 60100')).toBe('MARKET_FROZEN');
    expect(errorOf(quiet.exchange.cancel({ account: bob, orderId: posted!.orderId }))).toBeUndefined();
    quiet.exchange.freeze(0, false);
    expect(quiet.refusal(bob, 'ask 2 BTCUSDC @ 60100')).toBeUndefined();
  });
});

describe('a refused cancel', () => {
  test('names an order that is not there, is finished, or is another account’s', () => {
    const { quiet, alice, bob } = setup();
    const { posted } = quiet.placed(bob, 'ask 2 BTCUSDC @ 60100');
    const cancel = (account: number, orderId: string) => errorOf(quiet.exchange.cancel({ account, orderId }));
    expect(cancel(bob, '12345')).toBe('ORDER_NOT_FOUND');
    expect(cancel(alice, posted!.orderId)).toBe('ORDER_NOT_FOUND');
    expect(cancel(999, posted!.orderId)).toBe('ACCOUNT_NOT_FOUND');
    expect(cancel(bob, posted!.orderId)).toBeUndefined();
    expect(cancel(bob, posted!.orderId)).toBe('ORDER_NOT_FOUND');
  });
});
