// Actions arrive once, cancels first, and their outcomes are reported.

import { describe, expect, test } from 'vitest';
import { AssertionError } from '../../../../src/base/errors.ts';
import { lots } from '../../../../src/bot/domain/numbers.ts';
import { HOSTED_RULES } from '../../../../src/venues/hosted/rules.ts';
import { START } from '../../embedded/quiet-exchange.ts';
import { Bench, bid, cancel } from './bench.ts';

const SLOW = { orderBookMs: 60_000, accountMs: 60_000, fillsMs: 500, tradesMs: 60_000, liveMs: 60_000, timeMs: 60_000 };

function bench(ways = [{ there: 10, back: 20 }]): Bench {
  const made = new Bench({ polling: SLOW, ways });
  made.listen();
  made.until(100);
  return made;
}

test('an order arrives after the outward latency, and its receipt after the return latency', () => {
  const { quiet, us, ...made } = bench();
  const { clock, venue, events } = made;
  venue.gateway.submit([bid(1, 590_000)]);
  clock.advanceTo(START + 109);
  expect(quiet.exchange.account(us)?.orders).toEqual([]);
  clock.advanceTo(START + 110);
  expect(quiet.exchange.account(us)?.orders).toMatchObject([{ clientOrderId: '1', price: 590_000, size: 100 }]);
  clock.advanceTo(START + 129);
  expect(events.some(({ kind }) => kind === 'orderOpened')).toBe(false);
  clock.advanceTo(START + 130);
  const [resting] = quiet.exchange.account(us)?.orders ?? [];
  expect(events.filter(({ kind }) => kind === 'orderOpened')).toEqual([
    {
      kind: 'orderOpened',
      at: START + 130,
      clientOrderId: '1',
      actionId: quiet.exchange.lastActionId(),
      orderId: resting?.orderId,
      taken: [],
      resting: lots(100),
    },
  ]);
});

test('an order without latency is answered after submit has returned', () => {
  const made = bench([{ there: 0, back: 0 }]);
  made.submit(bid(1, 590_000));
  expect(made.of('orderOpened')).toEqual([]);
  made.until(100);
  expect(made.of('orderOpened')).toHaveLength(1);
});

describe('a batch', () => {
  test('has all its cancels answered before its first placement is sent', () => {
    const made = bench();
    made.submit(bid(1, 590_000), bid(2, 589_000));
    made.until(200);
    const ids = made.of('orderOpened').map(({ orderId = '' }) => orderId);
    made.submit(bid(3, 588_000), cancel(1, ids[0]!), cancel(2, ids[1]!));
    made.until(300);
    expect(made.times('cancelAnswered')).toEqual(['230', '230']);
    expect(made.of('orderOpened').map(({ at, clientOrderId }) => [at - START, clientOrderId])).toEqual([
      [130, '1'],
      [130, '2'],
      [260, '3'],
    ]);
  });

  test('of many orders has at most eight in flight, and sends the next when one is answered', () => {
    const made = bench();
    made.submit(...Array.from({ length: 18 }, (_, index) => bid(index, 590_000 - index)));
    made.until(500);
    const counts = new Map<number, number>();
    for (const { at } of made.of('orderOpened')) counts.set(at - START, (counts.get(at - START) ?? 0) + 1);
    expect([...counts]).toEqual([
      [130, 8],
      [160, 8],
      [190, 2],
    ]);
  });
});

test('an immediate order reports its fills, and that nothing rests', () => {
  const made = bench();
  made.quiet.placed(made.other, 'ask 0.004 BTCUSDC @ 60000');
  made.quiet.placed(made.other, 'ask 0.009 BTCUSDC @ 60001');
  made.submit(bid(1, 600_010, { fillMode: 'IMMEDIATE_OR_CANCEL' }));
  made.until(700);
  expect(made.of('orderOpened')).toMatchObject([
    {
      taken: [
        { price: 600_000, size: 40 },
        { price: 600_010, size: 60 },
      ],
      resting: 0,
    },
  ]);
  expect(made.of('orderOpened')[0]).not.toHaveProperty('orderId');
  const fills = made.of('fillsSeen').flatMap((round) => round.fills);
  expect(fills).toMatchObject([
    { role: 'taker', side: 'bid', price: 600_000, size: 40, actionId: made.of('orderOpened')[0]?.actionId },
    { role: 'taker', side: 'bid', price: 600_010, size: 60 },
  ]);
  expect(fills.every(({ fee = 0 }) => fee > 0)).toBe(true);
});

test('a fill of a resting order is reported as ours, by its order id, in the next poll', () => {
  const made = bench();
  made.submit(bid(1, 600_000));
  made.until(200);
  made.quiet.placed(made.other, 'ask 0.004 BTCUSDC @ 60000');
  made.until(1_200);
  const rounds = made.of('fillsSeen').map(({ asked, fills }) => [asked + HOSTED_RULES.listingLagMs - START, fills.length]);
  expect(rounds).toEqual([
    [0, 0],
    [500, 1],
    [1_000, 0],
  ]);
  const [fill] = made.of('fillsSeen')[1]!.fills;
  expect(fill).toMatchObject({ role: 'maker', side: 'bid', size: 40, orderId: made.of('orderOpened')[0]?.orderId });
});

test.each([
  ['a post-only order that crosses', bid(1, 600_000, { fillMode: 'POST_ONLY' }), 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS'],
  ['an immediate order without a match', bid(1, 590_000, { fillMode: 'IMMEDIATE_OR_CANCEL' }), 'IMMEDIATE_ORDER_GOT_NO_FILLS'],
  ['an order above the margin of the account', bid(1, 590_000, { size: lots(10_000_000) }), 'INSUFFICIENT_FUNDS'],
])('%s is rejected with the exchange’s error name', (_, order, error) => {
  const made = bench();
  made.quiet.placed(made.other, 'ask 1 BTCUSDC @ 60000');
  made.submit(order);
  made.until(200);
  expect(made.of('orderRejected')).toEqual([{ kind: 'orderRejected', at: START + 130, clientOrderId: '1', error }]);
});

test('a refusal because of a frozen market is marked in its event', () => {
  const made = bench();
  made.quiet.exchange.freeze(0, true);
  made.submit(bid(1, 590_000));
  made.until(200);
  expect(made.of('orderRejected')).toMatchObject([{ error: 'MARKET_FROZEN', frozen: true }]);
});

test('a cancel reports its outcome', () => {
  const made = bench();
  made.submit(bid(1, 590_000));
  made.until(200);
  const { orderId = '' } = made.of('orderOpened')[0]!;
  made.submit(cancel(1, orderId));
  made.until(300);
  made.submit(cancel(1, orderId));
  made.until(400);
  expect(made.of('cancelAnswered').map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['cancelled', undefined],
    ['notFound', 'ORDER_NOT_FOUND'],
  ]);
});

test('a closed gateway sends nothing more, and answers to earlier actions are dropped', async () => {
  const made = bench();
  made.submit(bid(1, 590_000));
  await made.venue.gateway.close();
  made.until(1_000);
  expect(made.of('orderOpened')).toEqual([]);
  expect(made.quiet.exchange.account(made.us)?.orders).toHaveLength(1);
  expect(() => made.submit(bid(2, 590_000))).toThrow(AssertionError);
});
