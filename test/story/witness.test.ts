// An order that accounts and trades prove absent: the exchange is asked for it before its level is free.
import { describe, expect, test } from 'vitest';
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

/** Two accounts lack order 1, and no trade explains that. */
const OMITTED = `
  account
  later 2
  info 100
  book 99.5@10 | 100.5@10
  account
`;

const played = (script: string): Stage => new Stage({}, { needsWitness: true }).play(RESTING).play(OMITTED).play(script);

describe('an order that two accounts and the trades lack', () => {
  test('is asked for, and its level is free when the exchange cannot find it', () => {
    played(`
      filled    => ask 1
      account
      notFound 1
      account
      book 99.5@10 | 100.5@10
      filled    => bid 99.0@1.0 as 2
    `);
  });

  test('keeps its level, with a finding, if the exchange shows it open', () => {
    const stage = played(`
      filled    => ask 1
      open 1
      tick
      account
      filled
      tick
    `);
    expect(stage.world.orders()).toMatchObject([{ clientOrderId: '1' }]);
    expect(stage.world.accountFault?.reason).toMatch(/lacks order 1, which the exchange shows open/);
    expect(stage.turns.flatMap(({ findings }) => findings)).toContainEqual(expect.objectContaining({ guard: 'data-age' }));
    stage.play('account 1');
    expect(stage.world.accountFault).toBeUndefined();
    expect(stage.world.orders()).toMatchObject([{ status: 'open', missing: undefined }]);
  });

  test('keeps its level while no answer comes, and is asked for again after five seconds', () => {
    played(`
      filled    => ask 1
      noAnswer 1
      filled
      later 4
      info 100
      book 99.5@10 | 100.5@10
      account
      filled
      later 1
      info 100
      book 99.5@10 | 100.5@10
      account
      filled    => ask 1
    `);
  });

  test('is not asked for while the question is in flight', () => {
    played(`
      filled    => ask 1
      later 6
      info 100
      book 99.5@10 | 100.5@10
      account
      filled
    `);
  });

  test('is cancelled while the run stops, and closed by that answer', () => {
    const { world } = played(`
      filled    => ask 1
      noAnswer 1
      stop
      later 5   => cancel 1
      account
      filled
      notFound 1
      filled
      account
      filled
    `);
    expect(world.settled).toBe(true);
  });

  test('is closed by a fill without a question', () => {
    const { world } = played('filled 1 1 => bid 99.0@1.0 as 2');
    expect(world.orders()).toMatchObject([{ clientOrderId: '2' }]);
  });
});

test('an exchange whose accounts cannot be wrong is not asked', () => {
  new Stage().play(RESTING).play(OMITTED).play('filled => bid 99.0@1.0 as 2');
});
