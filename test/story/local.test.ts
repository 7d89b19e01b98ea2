// What the bot does about an exchange that queues its cancels, and whose record of fills names no orders.
import { describe, expect, test } from 'vitest';
import type { OrderChange } from '../../src/domain/turn.ts';
import { Stage } from './stage.ts';

const RESTING = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
  want bid 99.0@1
  tick      => bid 99.0@1.0 as 1
  opened 1
  account 1
`;

const played = (story: string): Stage => new Stage().play(RESTING).play(story);

describe('a cancel that was queued', () => {
  test('is waited for: the order is listed for a while, and is not cancelled twice', () => {
    const { world } = played(`
      want nothing
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

  test('is done when two accounts asked for after the answer, and far enough apart, lack the order', () => {
    played(`
      want nothing
      tick      => cancel 1
      queued 1
      want bid 99.0@1
      account 1
      tick
      account
      later 2
      book 99.5@10 | 100.5@10
      account   => bid 99.0@1.0 as 2
    `);
  });

  test('is forgotten when the order is still listed after ten seconds: it is open again, and cancelled again', () => {
    played(`
      want nothing
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

const ending = (story: string): OrderChange | undefined =>
  played(story)
    .turns.flatMap(({ changes }) => changes)
    .at(-1);

describe('a fill that names no order', () => {
  test('is of the order that left on its terms', () => {
    const last = ending(`
      want nothing
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
  ])('and is %s, is not', (_, fill) => {
    const last = ending(`
      want nothing
      traded ${fill} => cancel 1
      queued 1
      account
      later 2
      account
      filled
    `);
    expect(last).toMatchObject({ status: 'cancelled', reason: 'cancelled by us' });
  });

  test('leaves what rests as the account shows it: others trade on the same account', () => {
    const { world } = played('traded bid 99.0@1\naccount 1');
    expect(world.orders()).toMatchObject([{ status: 'open', remaining: 10 }]);
  });
});
