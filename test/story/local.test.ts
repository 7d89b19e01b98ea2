// The bot at an exchange with queued cancels and with fills that name no order.
import { describe, expect, test } from 'vitest';
import type { OrderChange } from '../../src/bot/domain/turn.ts';
import { Stage } from './stage.ts';

const RESTING = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
  quote bid 99.0@1
  tick      => bid 99.0@1.0 as 1
  opened 1
  account 1
`;

const played = (script: string): Stage => new Stage().play(RESTING).play(script);

describe('a queued cancel', () => {
  test('is awaited while the order is still listed, without a second cancel', () => {
    const { world } = played(`
      quote nothing
      tick      => cancel 1
      queued 1
      account 1
      later 3
      account 1
      tick
    `);
    expect(world.orders()).toMatchObject([{ status: 'cancelling' }]);
    expect(world.exposure(0).bids).toBe(10);
  });

  test('is done when two accounts, requested after the answer and far enough apart, lack the order', () => {
    played(`
      quote nothing
      tick      => cancel 1
      queued 1
      quote bid 99.0@1
      account 1
      tick
      account
      later 2
      book 99.5@10 | 100.5@10
      account   => bid 99.0@1.0 as 2
    `);
  });

  test('counts as failed if the order is still listed after ten seconds, and is sent again', () => {
    played(`
      quote nothing
      tick      => cancel 1
      queued 1
      later 9.5
      info 100
      book 99.5@10 | 100.5@10
      account 1
      later 1
      account 1 => cancel 1
      queued 1
      account 1
    `);
  });
});

const ending = (script: string): OrderChange | undefined =>
  played(script)
    .turns.flatMap(({ changes }) => changes)
    .at(-1);

describe('a fill that names no order', () => {
  test('is assigned to the order with its price and side', () => {
    const last = ending(`
      quote nothing
      tick      => cancel 1
      position 1
      traded bid 99.0@1
      account
      later 2
      account
      filled
    `);
    expect(last).toMatchObject({ status: 'filled', order: { clientOrderId: '1' } });
  });

  test.each([
    ['at another price', 'bid 98.9@1'],
    ['on the other side', 'ask 99.0@1'],
    ['larger than the order', 'bid 99.0@1.1'],
  ])('that is %s is not assigned', (_, fill) => {
    const last = ending(`
      quote nothing
      traded ${fill} => cancel 1
      queued 1
      account
      later 2
      account
      filled
    `);
    expect(last).toMatchObject({ status: 'cancelled', reason: 'cancelled by us' });
  });

  test('does not change the resting size of the account, because others may trade on it', () => {
    const { world } = played('traded bid 99.0@1\naccount 1');
    expect(world.orders()).toMatchObject([{ status: 'open', remaining: 10 }]);
  });
});
