// An exchange restored to an earlier state shows that state in full, and nothing later.
import { expect, test } from 'vitest';
import { lots, type Micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { Rewindable } from '../../../src/research/simulation/environment/exchange/rewindable.ts';
import { thinMarket } from '../../../src/research/simulation/environment/exchange/thin-market.ts';
import { Truth } from '../../../src/research/simulation/record/truth.ts';

const made = () =>
  new Rewindable({
    seed: 'again',
    start: 0,
    markets: LISTED_MARKETS.slice(0, 1),
    flow: thinMarket({ every: 10, volatility: 2, takes: 0.5 }),
  });
const FUNDS = 1e11 as Micros;
const shown = (exchange: Exchange) => [exchange.now(), exchange.lastActionId(), exchange.account(3), exchange.book(0), exchange.trades({})];

test('advancing in steps, or restoring an earlier state, gives the same result', () => {
  const exchange = made();
  const account = exchange.register('us', FUNDS);
  exchange.advanceTo(5_000);
  const price = ticks((exchange.live(0)?.index ?? 0) - 10);
  exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price, size: lots(83) });
  for (let at = 5_500; at <= 30_000; at += 500) exchange.advanceTo(at);
  const before = shown(exchange);
  exchange.advanceTo(30_500);
  exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price: ticks(price - 500), size: lots(7) });
  exchange.setFees({ makerPpm: 0, takerPpm: 0 });
  exchange.advanceTo(40_000);
  const back = exchange.asOf(30_000);
  expect(shown(back)).not.toEqual(shown(exchange));
  expect(shown(back)).toEqual(before);
  back.advanceTo(40_000); // and it can be rewound in its turn
  expect(shown(back.asOf(30_000))).toEqual(before);
});

test('orders whose size follows from their limits are repeated', () => {
  const exchange = made();
  const account = exchange.register('us', FUNDS);
  exchange.advanceTo(5_000);
  const price = ticks((exchange.live(0)?.index ?? 0) - 10);
  const outcome = exchange.compound.placeWithin({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price, size: lots(83) });
  expect(outcome.kind).toBe('accepted');
  exchange.advanceTo(10_000);
  const before = shown(exchange);
  exchange.advanceTo(20_000);
  expect(shown(exchange.asOf(10_000))).toEqual(before);
});

test('an action that was not recorded makes a rollback fail', () => {
  const exchange = made();
  const account = exchange.register('us', FUNDS);
  exchange.advanceTo(5_000);
  const price = ticks((exchange.live(0)?.index ?? 0) - 100);
  const order = { account, market: 0, side: 'bid', fillMode: 'LIMIT', price, size: lots(83) } as const;
  Exchange.prototype.place.call(exchange, order);
  exchange.place(order);
  expect(() => exchange.asOf(5_000)).toThrow('was not recorded: the exchange cannot be rolled back');
});

test('the exchange’s record after a rollback lacks the undone orders and fills, and names them', () => {
  const exchange = made();
  const account = exchange.register('us', FUNDS);
  exchange.advanceTo(5_000);
  const truth = new Truth(exchange, account);
  const price = ticks((exchange.live(0)?.index ?? 0) + 400);
  const body = new TextEncoder().encode('signed');
  const action = { kind: 'placeOrder', clientOrderId: '7' } as never;
  truth.sent(body, { action, at: 5_000, process: 1 });
  const outcome = exchange.place({ account, market: 0, side: 'bid', fillMode: 'IMMEDIATE_OR_CANCEL', price, size: lots(5) });
  if (outcome.kind !== 'accepted') throw new Error('refused');
  truth.executed(body, { kind: 'placeOrder', actionId: outcome.actionId, posted: undefined, fills: [], clientOrderId: '7' }, 5_000);
  exchange.advanceTo(8_000);
  expect([truth.executions('7'), truth.position(0)]).toEqual([1, 5]);
  const undone = truth.rolledBack(exchange.asOf(4_000));
  expect([truth.executions('7'), truth.position(0), [...undone.orders], undone.fills > 0]).toEqual([0, 0, ['7'], true]);
});

test('an order whose cancel was undone is named, and rests again', () => {
  const exchange = made();
  const account = exchange.register('us', FUNDS);
  const truth = new Truth(exchange, account);
  const [placing, cancelling] = ['placed', 'cancelled'].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  const outcome = exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price: ticks(1_000), size: lots(5) });
  if (outcome.kind !== 'accepted' || outcome.posted === undefined) throw new Error('refused');
  const { orderId } = outcome.posted;
  truth.sent(placing, { action: { kind: 'placeOrder', clientOrderId: '7' } as never, at: 0, process: 1 });
  truth.executed(
    placing,
    { kind: 'placeOrder', actionId: outcome.actionId, posted: { orderId }, fills: [], clientOrderId: '7' } as never,
    0,
  );
  exchange.advanceTo(5_000);
  truth.sent(cancelling, { action: { kind: 'cancelOrder', orderId } as never, at: 5_000, process: 1 });
  const { actionId } = exchange.cancel({ account, orderId });
  truth.executed(cancelling, { kind: 'cancelOrder', actionId, orderId } as never, 5_000);
  expect(truth.restingPlacement('7')).toBeUndefined();
  expect([...truth.rolledBack(exchange.asOf(4_000)).orders]).toEqual(['7']);
  expect(truth.restingPlacement('7')).toBeDefined();
  expect([...truth.rolledBack(exchange.asOf(4_500)).orders]).toEqual([]);
});
