// What a cancel and its answer prove.
import { beforeEach, describe, expect, test } from 'vitest';
import { LAG } from '../../../src/world/orders/proof.ts';
import { calmWorld, START, type WorldBuilder } from '../world-builder.ts';
import { maker } from './trades.ts';
import { changes, reported } from './world-lines.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;

let is: WorldBuilder;
beforeEach(() => {
  is = calmWorld({ bid: 59_999, ask: 60_001 });
});

describe('a cancel', () => {
  beforeEach(() => {
    is.placed(BID).account().cancelling('1');
    changes(is.world);
  });

  test('leaves the order counted until an account lacks it', () => {
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    is.cancelAnswered('1', 'cancelled');
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    is.account({}, ['1']).round();
    expect(changes(is.world)).toEqual(['1 cancelled 1.0000: cancelled by us']);
  });

  test('that is confirmed proves nothing while the account does not change, and that account is stale', () => {
    is.cancelAnswered('1', 'cancelled').account({ still: true });
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    expect(is.world.accountFault?.reason).toMatch(/is stuck/);
  });

  test('in flight stays so although an account still lists the order', () => {
    is.account();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that was answered stays so although an account that was requested before the answer lists the order', () => {
    const sent = is.world.now;
    is.after(100).cancelAnswered('1', 'notFound').account({ asked: sent });
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test.each(['notFound', 'refused', 'unknown'] as const)(
    'that failed (%s) leaves the order open if a later account lists it',
    (outcome) => {
      is.cancelAnswered('1', outcome).account();
      expect(reported(is.world)).toEqual(['1 open 1.0000']);
      expect(changes(is.world)).toEqual([]);
    },
  );

  test.each(['notFound', 'refused', 'unknown'] as const)('that failed (%s) can be sent again if no account comes', (outcome) => {
    is.cancelAnswered('1', outcome).after(1_900).timer();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    is.after(200).timer();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    expect(changes(is.world)).toEqual([]);
  });

  test.each(['cancelled', 'queued'] as const)('that is %s is not sent again', (outcome) => {
    is.cancelAnswered('1', outcome).after(10_000).timer();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('in flight is not sent again', () => {
    is.after(10_000).timer();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that found nothing is no proof; its fills are', () => {
    is.cancelAnswered('1', 'notFound');
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    is.account({}, ['1']).round([maker({ orderId: 'exchange-1', size: 1 })]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('with a fill in flight ends as the fills show', () => {
    is.round().cancelAnswered('1', 'cancelled').account({ position: 0.4 }, ['1']);
    is.round([maker({ orderId: 'exchange-1', size: 0.4 })]);
    expect(changes(is.world)).toEqual(['1 cancelled 0.6000: cancelled by us']);
  });

  test('that is sent again is not answered by the answer to the first', () => {
    is.cancelAnswered('1', 'cancelled').account().cancelling('1').account({ still: true });
    expect(is.world.accountFault).toBeUndefined();
  });
});

describe('an account that was requested while the cancel was in flight', () => {
  test('proves gone an order that was listed before, without a further change of the account', () => {
    is.placed(BID).account().cancelling('1').after(100);
    const beforeTheAnswer = is.world.now;
    is.cancelAnswered('1', 'cancelled').account({ asked: beforeTheAnswer }, ['1']).account({ still: true }, ['1']).round();
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
    expect([is.world.settled, is.world.accountFault]).toEqual([true, undefined]);
  });

  test('proves gone an order that its receipt reported and no account has listed', () => {
    is.placed(BID).after(LAG).cancelling('1');
    const beforeTheAnswer = is.world.now + LAG;
    is.cancelAnswered('1', 'unknown')
      .account({ asked: beforeTheAnswer }, ['1'])
      .after(2 * LAG)
      .account({ still: true }, ['1'])
      .round();
    expect(is.world.settled).toBe(true);
  });

  test('proves nothing if its update id is not beyond that of the account which listed the order', () => {
    is.placed(BID).account();
    is.account({ still: true }, ['1']).cancelling('1').account({ still: true }, ['1']).round();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });
});

test('that lags does not lower the update id that must be passed', () => {
  const account = is.world.account!.value;
  const old = (updateId: string) =>
    is.apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account, updateId, orders: [] } }));
  is.account().placed(BID);
  old('1');
  old('2');
  expect(reported(is.world)).toEqual(['1 open 1.0000']);
  is.after(LAG).lookedTwice({}, ['1']);
  expect(reported(is.world)).toEqual([]);
});

test('proves gone an order that ended before its cancel, although the cancel did not change the account', () => {
  // The account was requested before the receipt came, and shows already that the order was filled. It cannot prove that, and it never changes again.
  is.pending(BID)
    .after(100)
    .opened('1')
    .account({ asked: START + 50 }, ['1']);
  is.cancelling('1').account({ still: true }, ['1']);
  expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  is.cancelAnswered('1', 'notFound').account({ still: true }, ['1']);
  expect(reported(is.world)).toEqual(['1 cancelling 1.0000']); // it may lag behind the answer, and be older than the order
  is.after(2 * LAG)
    .account({ still: true }, ['1'])
    .after(LAG)
    .account({ still: true }, ['1'])
    .round();
  expect(reported(is.world)).toEqual([]);
});

describe('an account that lists nothing, once, although the order rests', () => {
  beforeEach(() => {
    is.placed(BID).account().after(LAG);
  });

  test('does not end an open order, nor does a poll of fills after it', () => {
    is.account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.account().round();
    expect([reported(is.world), changes(is.world).at(-1)]).toEqual([['1 open 1.0000'], '1 open 1.0000']);
  });

  test('counts for nothing if a later one lists the order: then two others must lack it', () => {
    is.account({}, ['1']).after(LAG).account().account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.after(LAG).account({}, ['1']).round();
    expect(reported(is.world)).toEqual([]);
  });

  test.each(['notFound', 'refused', 'unknown', 'queued'] as const)('does not end an order whose cancel was answered with %s', (outcome) => {
    is.cancelling('1')
      .cancelAnswered('1', outcome)
      .after(2 * LAG)
      .account({}, ['1'])
      .round();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('does not end an order whose cancel is in flight', () => {
    is.cancelling('1').account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });
});

describe('two accounts that lack an order', () => {
  beforeEach(() => {
    is.placed(BID).account().after(LAG);
  });

  test('prove nothing if their requests are closer together than the lag', () => {
    is.account({}, ['1'])
      .after(LAG - 10)
      .account({}, ['1'])
      .round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
  });

  test('prove nothing before a poll of fills that was requested after both', () => {
    is.account({}, ['1']).after(LAG);
    const before = is.world.now;
    is.account({}, ['1']).round([], before);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.round();
    expect(reported(is.world)).toEqual([]);
  });

  test('are enough if the exchange has queued a cancel, and free the level at once', () => {
    is.cancelling('1').cancelAnswered('1', 'queued');
    is.account({}, ['1']).after(LAG).account({}, ['1']);
    expect(reported(is.world)).toEqual([]);
    is.round();
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
  });
});

test('end repeated cancels that find nothing, if they were requested while the next cancel was in flight', () => {
  is.placed(BID).account();
  for (let count = 0; count < 4; count++)
    is.cancelling('1').after(150).account({ still: true }, ['1']).after(400).cancelAnswered('1', 'notFound').after(2_450).timer();
  is.round();
  expect(reported(is.world)).toEqual([]);
});
