// The largest possible position: everything that can still fill is counted, and nothing twice.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots } from '../../../src/bot/domain/numbers.ts';
import { type Exposure, reduces, withOrder, worstPosition, worstWith } from '../../../src/bot/world/exposure.ts';
import { ACCEPTED_AFTER, LAG } from '../../../src/bot/world/orders/proof.ts';
import { BTC, calmWorld, START, WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';
import { exposed } from './world-lines.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
const ASK = { side: 'ask', price: 61_000, size: 2, id: '2' } as const;

let builder: WorldBuilder;
const now = (): string => exposed(builder.world.exposure(0));
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).showingActions();
});

describe('orders', () => {
  test('count on their side from the moment they are sent', () => {
    builder.pending(BID).pending(ASK);
    expect(now()).toBe('0.0..0.0 bids 1.0 asks 2.0');
    builder.opened('1').opened('2');
    expect(now()).toBe('0.0..0.0 bids 1.0 asks 2.0');
  });

  test('count while they are being cancelled, until an account lacks them', () => {
    builder.placed(BID).account().cancelling('1').cancelAnswered('1', 'cancelled');
    expect(now()).toBe('0.0..0.0 bids 1.0 asks 0.0');
    builder.account({}, ['1']);
    expect(now()).toBe('0.0..0.0 bids 0.0 asks 0.0');
  });

  test('without an answer count once, filled or not', () => {
    builder.pending(BID).pending(ASK).unknown('1', 9e9).unknown('2', 9e9);
    expect(now()).toBe('-2.0..1.0 bids 0.0 asks 0.0');
  });

  test('of others on the account count as well', () => {
    const theirs = { orderId: 'foreign', market: 0, side: 'ask', price: 610_000, size: 5_000, originalSize: 9_000 } as never;
    builder.placed(ASK).account({ position: 1, others: [theirs] });
    expect(now()).toBe('1.0..1.0 bids 0.0 asks 2.5');
  });

  test('do not count in another market', () => {
    builder.pending(BID);
    expect(exposed(builder.world.exposure(1))).toBe('0.0..0.0 bids 0.0 asks 0.0');
  });
});

/** A fill that was reported 2 × LAG ago, and an account that lacks it. */
const lagging = () =>
  builder
    .account()
    .round()
    .account()
    .round()
    .placed(BID)
    .account()
    .filled('1', 0.4)
    .after(2 * LAG)
    .account({ position: 0 })
    .round();

describe('a trade that the account may or may not contain', () => {
  test('counts both ways until an account that was requested after its report', () => {
    builder.placed(BID).after(100).filled('1', 0.4);
    expect(now()).toBe('0.0..0.4 bids 0.6 asks 0.0');
    builder.account({ position: 0, asked: START + 50 });
    expect(now()).toBe('0.0..0.4 bids 0.6 asks 0.0');
    builder.account({ position: 0.4 });
    expect(now()).toBe('0.4..0.4 bids 0.6 asks 0.0');
  });

  test('is contained in an account whose position has an equal or newer action id, whenever it was requested', () => {
    builder.placed(BID).account().after(100);
    const fill = maker({ orderId: 'exchange-1', size: 0.4, actionId: '3' }); // the account has a newer action
    builder.round([fill]);
    builder.account({ position: 0.4, asked: START + 50 });
    expect(now()).toBe('0.4..0.4 bids 0.6 asks 0.0');
  });

  test('is contained in the newest account if it is reported late', () => {
    builder
      .placed(BID)
      .account({ position: 0.4 })
      .round([maker({ orderId: 'exchange-1', size: 0.4, actionId: '1' })]);
    expect(now()).toBe('0.4..0.4 bids 0.6 asks 0.0');
  });

  test('is not contained in an account that does not change', () => {
    builder.placed(BID).account().round().round().filled('1', 0.4).account({ still: true });
    expect(now()).toBe('0.0..0.4 bids 0.6 asks 0.0');
  });

  test('stops counting if the account that contains it came before it, is flat, and does not change again', () => {
    builder
      .placed(ASK)
      .round([maker({ orderId: 'earlier', size: 2 })])
      .after(LAG)
      .account({ position: 2 })
      .round()
      .round();
    builder.account({ position: 0 }, ['2']).round([{ ...maker({ orderId: 'exchange-2', size: 2 }), side: 'ask' }]);
    expect(now()).toBe('-2.0..0.0 bids 0.0 asks 0.0');
    builder.account({ still: true });
    expect(now()).toBe('-2.0..0.0 bids 0.0 asks 0.0'); // it may lag
    builder.after(LAG).account({ still: true });
    expect(now()).toBe('0.0..0.0 bids 0.0 asks 0.0');
  });

  describe('a fill that an account lacks counts', () => {
    test('for any time after its report, until an account shows it', () => {
      lagging();
      expect(now()).toBe('0.0..0.4 bids 0.6 asks 0.0');
      builder.after(LAG).account({ position: 0 }).round();
      expect(now()).toBe('0.0..0.4 bids 0.6 asks 0.0');
      builder.after(LAG).account({ position: 0.4 }).round();
      expect(now()).toBe('0.4..0.4 bids 0.6 asks 0.0');
    });

    test('after an account that showed it, if a later one is older', () => {
      lagging().account({ position: 0.4 }).round().after(LAG).account({ position: 0 });
      expect(now()).toBe('0.0..0.4 bids 0.6 asks 0.0');
    });

    test('but not for longer than an account can lag', () => {
      lagging();
      for (let second = 0; second < ACCEPTED_AFTER / 1_000 + 2; second++) builder.after(1_000).account({ position: 0 }).round();
      expect(now()).toBe('0.0..0.0 bids 0.6 asks 0.0');
    });
  });

  test('and is not netted with an opposite fill', () => {
    builder.placed(BID).placed(ASK);
    builder.filled('1', 0.4).filled('2', 0.5);
    expect(now()).toBe('-0.5..0.4 bids 0.6 asks 1.5');
  });
});

describe('an immediate fill', () => {
  const TAKE = { ...BID, price: 60_001, fillMode: 'IMMEDIATE_OR_CANCEL' } as const;
  const took = (taken: number) => builder.pending(TAKE).opened('1', { actionId: '50', taken: [[60_001, taken]], resting: 0 });

  test('counts from its receipt', () => {
    took(1);
    expect(now()).toBe('0.0..1.0 bids 0.0 asks 0.0');
  });

  test('counts from its receipt, although an account has already shown what rests', () => {
    builder.pending(BID).account();
    expect(now()).toBe('0.0..0.0 bids 1.0 asks 0.0');
    builder.opened('1', { taken: [[58_990, 0.4]], resting: 0.6 });
    expect(now()).toBe('0.0..0.4 bids 1.0 asks 0.0');
  });

  test('counts once when its trades are reported', () => {
    took(1).round([taker({ actionId: '50', size: 0.6 }), taker({ actionId: '50', size: 0.4 })]);
    expect(now()).toBe('0.0..1.0 bids 0.0 asks 0.0');
  });

  test('counts whole while only some of its trades are reported', () => {
    took(1).round([taker({ actionId: '50', size: 0.6 })]);
    expect(now()).toBe('0.0..1.0 bids 0.0 asks 0.0');
  });

  test('counts once when its trades are reported before its receipt', () => {
    builder
      .pending(TAKE)
      .round([taker({ actionId: '50', size: 1 })])
      .opened('1', { actionId: '50', taken: [[60_001, 1]], resting: 0 });
    expect(now()).toBe('0.0..1.0 bids 0.0 asks 0.0');
  });

  test('counts once if the account contains it before its receipt', () => {
    builder.pending(TAKE).account({ position: 1 }, ['1']);
    builder.opened('1', { actionId: '3', taken: [[60_001, 1]], resting: 0 });
    expect(now()).toBe('1.0..1.0 bids 0.0 asks 0.0');
  });

  test('counts as the whole order if the receipt does not say its size', () => {
    builder.pending(TAKE).openedBare('1');
    expect(now()).toBe('0.0..1.0 bids 0.0 asks 0.0');
    builder.account({ position: 0.5 }, ['1']);
    expect(now()).toBe('0.5..0.5 bids 0.0 asks 0.0');
  });

  test('counts beside the resting part', () => {
    builder.pending({ ...TAKE, fillMode: 'LIMIT' }).opened('1', { taken: [[60_001, 0.3]], resting: 0.7 });
    expect(now()).toBe('0.0..0.3 bids 0.7 asks 0.0');
    builder.account({ position: 0.3 });
    expect(now()).toBe('0.3..0.3 bids 0.7 asks 0.0');
  });
});

const of = (low: number, high: number, bids: number, asks: number): Exposure => ({
  low: lots(low),
  high: lots(high),
  bids: lots(bids),
  asks: lots(asks),
});

describe('an exposure', () => {
  test.each([
    [of(0, 0, 3, 5), 5],
    [of(-1, 4, 3, 5), 7],
    [of(-4, 1, 3, 5), 9],
    [of(4, 4, 0, 1), 4],
  ])('%o has the worst position %i', (exposure, worst) => expect(worstPosition(exposure)).toBe(worst));

  test("grows by another order on that order's side", () => {
    expect(withOrder(of(0, 1, 2, 3), { side: 'bid', size: lots(4) })).toEqual(of(0, 1, 6, 3));
    expect(withOrder(of(0, 1, 2, 3), { side: 'ask', size: lots(4) })).toEqual(of(0, 1, 2, 7));
    expect(worstWith(of(0, 1, 2, 3), { side: 'bid', size: lots(4) })).toBe(worstPosition(of(0, 1, 6, 3)));
    expect(worstWith(of(0, 1, 2, 3), { side: 'ask', size: lots(4) })).toBe(worstPosition(of(0, 1, 2, 7)));
  });

  test.each([
    ['ask', of(5, 5, 0, 0), 5, true],
    ['ask', of(5, 5, 0, 0), 6, false],
    ['ask', of(5, 5, 0, 3), 3, false],
    ['ask', of(4, 6, 9, 0), 5, false],
    ['ask', of(0, 6, 0, 0), 1, false],
    ['ask', of(-5, -5, 0, 0), 1, false],
    ['bid', of(-5, -5, 0, 0), 5, true],
    ['bid', of(-5, -5, 1, 0), 5, false],
    ['bid', of(-5, 1, 0, 0), 1, false],
    ['bid', of(5, 5, 0, 0), 1, false],
  ] as const)('an %s beside %o of %i reduces: %s', (side, exposure, size, expected) => {
    expect(reduces(exposure, { side, size: lots(size) })).toBe(expected);
  });
});

describe('where an account may be wrong', () => {
  beforeEach(() => {
    builder = new WorldBuilder([BTC], { bindsAccounts: true }).info({ price: 60_000 }).time(1_700_000_000);
  });

  test('what is gone of an order has traded, also if neither the position nor a list shows it', () => {
    builder.account().after(5_000).round().placed(ASK).account().round();
    builder.account({ left: { 2: 0.5 } });
    expect(now()).toBe('-1.5..0.0 bids 0.0 asks 0.5');
    builder.filled('2', 1.5);
    expect(now()).toBe('-1.5..0.0 bids 0.0 asks 0.5'); // not twice
  });

  test('the first position that differs does not undo the one before it', () => {
    builder.account().placed(ASK).account({ position: 2 }); // not yet compared with a list of trades
    expect(now()).toBe('0.0..2.0 bids 0.0 asks 2.0');
  });

  test('an account from before an order does not include its trade', () => {
    builder.account().placed(ASK).account({ position: 0 }).filled('2', 2).round();
    builder.after(5_000).account({ position: 0 }).round();
    expect(now()).toBe('-2.0..0.0 bids 0.0 asks 0.0');
    expect(builder.world.baselines().get(0)).toBe(0);
  });
});
