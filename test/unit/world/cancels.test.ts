// A cancel and what it proves: by itself, nothing.
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

  test('that is confirmed proves nothing while the account stands still, and the account cannot be current', () => {
    is.cancelAnswered('1', 'cancelled').account({ still: true });
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    expect(is.world.accountFault?.reason).toMatch(/is stuck/);
  });

  test('that is under way is not undone by an account that still lists the order', () => {
    is.account();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that was answered is not undone by an account that was asked for before the answer', () => {
    const sent = is.world.now;
    is.after(100).cancelAnswered('1', 'notFound').account({ asked: sent });
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test.each(['notFound', 'refused', 'unknown'] as const)(
    'that came to nothing (%s) leaves the order open where a later account lists it',
    (outcome) => {
      is.cancelAnswered('1', outcome).account();
      expect(reported(is.world)).toEqual(['1 open 1.0000']);
      expect(changes(is.world)).toEqual([]);
    },
  );

  test.each(['notFound', 'refused', 'unknown'] as const)(
    'that came to nothing (%s) can be sent again where no account comes',
    (outcome) => {
      is.cancelAnswered('1', outcome).after(1_900).timer();
      expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
      is.after(200).timer();
      expect(reported(is.world)).toEqual(['1 open 1.0000']);
      expect(changes(is.world)).toEqual([]);
    },
  );

  test.each(['cancelled', 'queued'] as const)('that is %s is not sent again', (outcome) => {
    is.cancelAnswered('1', outcome).after(10_000).timer();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that is under way is not sent again', () => {
    is.after(10_000).timer();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('that found nothing is no proof; its fills are', () => {
    is.cancelAnswered('1', 'notFound');
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
    is.account({}, ['1']).round([maker({ orderId: 'exchange-1', size: 1 })]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('with a fill on its way ends as what the fills say', () => {
    is.round().cancelAnswered('1', 'cancelled').account({ position: 0.4 }, ['1']);
    is.round([maker({ orderId: 'exchange-1', size: 0.4 })]);
    expect(changes(is.world)).toEqual(['1 cancelled 0.6000: cancelled by us']);
  });

  test('tried again is not taken for answered by the answer to the first', () => {
    is.cancelAnswered('1', 'cancelled').account().cancelling('1').account({ still: true });
    expect(is.world.accountFault).toBeUndefined();
  });
});

describe('an account that was asked for while the cancel was on its way', () => {
  test('proves gone what was listed before it; nothing has to move again', () => {
    is.placed(BID).account().cancelling('1').after(100);
    const beforeTheAnswer = is.world.now;
    is.cancelAnswered('1', 'cancelled').account({ asked: beforeTheAnswer }, ['1']).account({ still: true }, ['1']).round();
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
    expect([is.world.settled, is.world.accountFault]).toEqual([true, undefined]);
  });

  test('proves gone what its receipt had reported before, and no account has listed', () => {
    is.placed(BID).after(LAG).cancelling('1');
    const beforeTheAnswer = is.world.now + LAG;
    is.cancelAnswered('1', 'unknown')
      .account({ asked: beforeTheAnswer }, ['1'])
      .after(2 * LAG)
      .account({ still: true }, ['1'])
      .round();
    expect(is.world.settled).toBe(true);
  });

  test('proves nothing by a number that is not past the one that listed the order', () => {
    is.placed(BID).account();
    is.account({ still: true }, ['1']).cancelling('1').account({ still: true }, ['1']).round();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });
});

test('an account that lags behind does not lower the number that has to be passed', () => {
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

test('an order that was gone before its cancel is proved gone by an account that the cancel did not move', () => {
  // Asked for before the receipt came, the account showed already that the order was filled: it cannot prove it, and it never moves again.
  is.pending(BID)
    .after(100)
    .opened('1')
    .account({ asked: START + 50 }, ['1']);
  is.cancelling('1').account({ still: true }, ['1']);
  expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  is.cancelAnswered('1', 'notFound').account({ still: true }, ['1']);
  expect(reported(is.world)).toEqual(['1 cancelling 1.0000']); // it may lag behind the answer, and be of the time before the order
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

  test('does not end an order that is open, nor a round of trades after it', () => {
    is.account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.account().round();
    expect([reported(is.world), changes(is.world).at(-1)]).toEqual([['1 open 1.0000'], '1 open 1.0000']);
  });

  test('counts for nothing when a later one lists the order: two others must lack it then', () => {
    is.account({}, ['1']).after(LAG).account().account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.after(LAG).account({}, ['1']).round();
    expect(reported(is.world)).toEqual([]);
  });

  test.each(['notFound', 'refused', 'unknown', 'queued'] as const)('does not end one whose cancel was answered with %s', (outcome) => {
    is.cancelling('1')
      .cancelAnswered('1', outcome)
      .after(2 * LAG)
      .account({}, ['1'])
      .round();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });

  test('does not end one whose cancel is on its way', () => {
    is.cancelling('1').account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 cancelling 1.0000']);
  });
});

describe('two accounts that lack an order', () => {
  beforeEach(() => {
    is.placed(BID).account().after(LAG);
  });

  test('prove nothing where they were asked for less than the lag apart', () => {
    is.account({}, ['1'])
      .after(LAG - 10)
      .account({}, ['1'])
      .round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
  });

  test('prove nothing before a round of trades that was asked for after both', () => {
    is.account({}, ['1']).after(LAG);
    const before = is.world.now;
    is.account({}, ['1']).round([], before);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.round();
    expect(reported(is.world)).toEqual([]);
  });

  test('are enough where the exchange has taken on a cancel, and free the level at once', () => {
    is.cancelling('1').cancelAnswered('1', 'queued');
    is.account({}, ['1']).after(LAG).account({}, ['1']);
    expect(reported(is.world)).toEqual([]);
    is.round();
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
  });
});

test('cancels that find nothing, again and again, end with accounts that were requested while the next one was under way', () => {
  is.placed(BID).account();
  for (let count = 0; count < 4; count++)
    is.cancelling('1').after(150).account({ still: true }, ['1']).after(400).cancelAnswered('1', 'notFound').after(2_450).timer();
  is.round();
  expect(reported(is.world)).toEqual([]);
});
