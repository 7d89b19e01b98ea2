// What a cancel and its answer prove.
import { beforeEach, describe, expect, test } from 'vitest';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import { calmWorld, START, type WorldBuilder } from '../world-builder.ts';
import { maker } from './trades.ts';
import { changes, reported } from './world-lines.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

describe('a cancel', () => {
  beforeEach(() => {
    builder.placed(BID).account().cancelling('1');
    changes(builder.world);
  });

  test('leaves the order counted until an account lacks it', () => {
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
    builder.cancelAnswered('1', 'cancelled');
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
    builder.account({}, ['1']).round();
    expect(changes(builder.world)).toEqual(['1 cancelled 1.0000: cancelled by us']);
  });

  test('that is confirmed proves nothing while the account does not change, and that account is stale', () => {
    builder.cancelAnswered('1', 'cancelled').account({ still: true });
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
    expect(builder.world.accountFault?.reason).toMatch(/is stuck/);
  });

  test('in flight stays so although an account still lists the order', () => {
    builder.account();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that was answered stays so although an account that was requested before the answer lists the order', () => {
    const sent = builder.world.now;
    builder.after(100).cancelAnswered('1', 'notFound').account({ asked: sent });
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });

  test.each(['notFound', 'refused', 'unknown'] as const)(
    'that failed (%s) leaves the order open if a later account lists it',
    (outcome) => {
      builder.cancelAnswered('1', outcome).account();
      expect(reported(builder.world)).toEqual(['1 open 1.0000']);
      expect(changes(builder.world)).toEqual([]);
    },
  );

  test.each(['notFound', 'refused', 'unknown'] as const)('that failed (%s) can be sent again if no account comes', (outcome) => {
    builder.cancelAnswered('1', outcome).after(1_900).timer();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
    builder.after(200).timer();
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(changes(builder.world)).toEqual([]);
  });

  test.each(['cancelled', 'queued'] as const)('that is %s is not sent again', (outcome) => {
    builder.cancelAnswered('1', outcome).after(10_000).timer();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('in flight is not sent again', () => {
    builder.after(10_000).timer();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that found nothing is no proof; its fills are', () => {
    builder.cancelAnswered('1', 'notFound');
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
    builder.account({}, ['1']).round([maker({ orderId: 'exchange-1', size: 1 })]);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
  });

  test('with a fill in flight ends as the fills show', () => {
    builder.round().cancelAnswered('1', 'cancelled').account({ position: 0.4 }, ['1']);
    builder.round([maker({ orderId: 'exchange-1', size: 0.4 })]);
    expect(changes(builder.world)).toEqual(['1 cancelled 0.6000: cancelled by us']);
  });

  test('that is sent again is not answered by the answer to the first', () => {
    builder.cancelAnswered('1', 'cancelled').account().cancelling('1').account({ still: true });
    expect(builder.world.accountFault).toBeUndefined();
  });
});

describe('an account that was requested while the cancel was in flight', () => {
  test('proves gone an order that was listed before, without a further change of the account', () => {
    builder.placed(BID).account().cancelling('1').after(100);
    const beforeTheAnswer = builder.world.now;
    builder.cancelAnswered('1', 'cancelled').account({ asked: beforeTheAnswer }, ['1']).account({ still: true }, ['1']).round();
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
    expect([builder.world.settled, builder.world.accountFault]).toEqual([true, undefined]);
  });

  test('proves gone an order that its receipt reported and no account has listed', () => {
    builder.placed(BID).after(LAG).cancelling('1');
    const beforeTheAnswer = builder.world.now + LAG;
    builder
      .cancelAnswered('1', 'unknown')
      .account({ asked: beforeTheAnswer }, ['1'])
      .after(2 * LAG)
      .account({ still: true }, ['1'])
      .round();
    expect(builder.world.settled).toBe(true);
  });

  test('proves nothing if its update id is not beyond that of the account which listed the order', () => {
    builder.placed(BID).account();
    builder.account({ still: true }, ['1']).cancelling('1').account({ still: true }, ['1']).round();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });
});

test('that lags does not lower the update id that must be passed', () => {
  const account = builder.world.account!.value;
  const old = (updateId: string) =>
    builder.apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account, updateId, orders: [] } }));
  builder.account().placed(BID);
  old('1');
  old('2');
  expect(reported(builder.world)).toEqual(['1 open 1.0000']);
  builder.after(LAG).lookedTwice({}, ['1']);
  expect(reported(builder.world)).toEqual([]);
});

test('proves gone an order that ended before its cancel, although the cancel did not change the account', () => {
  // The account was requested before the receipt came, and shows already that the order was filled. It cannot prove that, and it never changes again.
  builder
    .pending(BID)
    .after(100)
    .opened('1')
    .account({ asked: START + 50 }, ['1']);
  builder.cancelling('1').account({ still: true }, ['1']);
  expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  builder.cancelAnswered('1', 'notFound').account({ still: true }, ['1']);
  expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']); // it may lag behind the answer, and be older than the order
  builder
    .after(2 * LAG)
    .account({ still: true }, ['1'])
    .after(LAG)
    .account({ still: true }, ['1'])
    .round();
  expect(reported(builder.world)).toEqual([]);
});

describe('an account that lists nothing, once, although the order rests', () => {
  beforeEach(() => {
    builder.placed(BID).account().after(LAG);
  });

  test('does not end an open order, nor does a poll of fills after it', () => {
    builder.account({}, ['1']).round();
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    builder.account().round();
    expect([reported(builder.world), changes(builder.world).at(-1)]).toEqual([['1 open 1.0000'], '1 open 1.0000']);
  });

  test('counts for nothing if a later one lists the order: then two others must lack it', () => {
    builder.account({}, ['1']).after(LAG).account().account({}, ['1']).round();
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    builder.after(LAG).account({}, ['1']).round();
    expect(reported(builder.world)).toEqual([]);
  });

  test.each(['notFound', 'refused', 'unknown', 'queued'] as const)('does not end an order whose cancel was answered with %s', (outcome) => {
    builder
      .cancelling('1')
      .cancelAnswered('1', outcome)
      .after(2 * LAG)
      .account({}, ['1'])
      .round();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('does not end an order whose cancel is in flight', () => {
    builder.cancelling('1').account({}, ['1']).round();
    expect(reported(builder.world)).toEqual(['1 cancelling 1.0000']);
  });
});

describe('two accounts that lack an order', () => {
  beforeEach(() => {
    builder.placed(BID).account().after(LAG);
  });

  test('prove nothing if their requests are closer together than the lag', () => {
    builder
      .account({}, ['1'])
      .after(LAG - 10)
      .account({}, ['1'])
      .round();
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
  });

  test('prove nothing before a poll of fills that was requested after both', () => {
    builder.account({}, ['1']).after(LAG);
    const before = builder.world.now;
    builder.account({}, ['1']).round([], before);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    builder.round();
    expect(reported(builder.world)).toEqual([]);
  });

  test('are enough if the exchange has queued a cancel, and free the level at once', () => {
    builder.cancelling('1').cancelAnswered('1', 'queued');
    builder.account({}, ['1']).after(LAG).account({}, ['1']);
    expect(reported(builder.world)).toEqual([]);
    builder.round();
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
  });
});

test('end repeated cancels that find nothing, if they were requested while the next cancel was in flight', () => {
  builder.placed(BID).account();
  for (let count = 0; count < 4; count++)
    builder.cancelling('1').after(150).account({ still: true }, ['1']).after(400).cancelAnswered('1', 'notFound').after(2_450).timer();
  builder.round();
  expect(reported(builder.world)).toEqual([]);
});
