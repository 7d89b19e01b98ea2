// Random atomic actions and orders with a quote limit among other traders: all parts or none, one action id, total money unchanged.
import { expect, test } from 'vitest';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { lots, micros, ticks } from '../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import type { AtomicRequest, LimitedOrder } from '../../src/embedded/exchange/commands.ts';
import { Exchange } from '../../src/embedded/exchange/exchange.ts';

const START = Date.UTC(2026, 0, 15, 12);
const ROUNDS = 1_500;
const MODES: readonly FillMode[] = ['LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'];
const FEES = { makerPpm: 100, takerPpm: 350 };

const oneOf = <T>(rng: Rng, choices: readonly T[]): T => choices[rng.below(choices.length)]!;

/** Returns an order near the book, sometimes crossing it. Each limit may be absent. */
function orderIn(exchange: Exchange, rng: Rng): LimitedOrder {
  const market = rng.below(exchange.markets.length);
  const { bids = [], asks = [] } = exchange.book(market) ?? {};
  const middle = ((bids[0]?.price ?? 1_000) + (asks[0]?.price ?? 1_000)) / 2;
  const price = ticks(Math.max(1, Math.round(middle * (1 + (rng.next() - 0.5) / oneOf(rng, [100, 3_000])))));
  const size = lots(1 + rng.below(oneOf(rng, [5, 200, 20_000])));
  const quote = BigInt(1 + rng.below(1_000)) * BigInt(price);
  return {
    market,
    side: oneOf(rng, ['bid', 'ask']),
    fillMode: oneOf(rng, MODES),
    price: rng.next() < 0.8 ? price : undefined,
    size: rng.next() < 0.8 ? size : undefined,
    quote: rng.next() < 0.2 ? quote : undefined,
    reduceOnly: rng.next() < 0.2 ? true : undefined,
  };
}

function requestIn(exchange: Exchange, account: number, rng: Rng): AtomicRequest {
  const orders = exchange.account(account)?.orders ?? [];
  const parts = Array.from({ length: 1 + rng.below(4) }, () =>
    orders.length > 0 && rng.next() < 0.4 ? { cancel: oneOf(rng, orders).orderId } : { order: orderIn(exchange, rng) },
  );
  return { account, parts: rng.next() < 0.8 ? [...parts].sort((a, b) => rankOf(a) - rankOf(b)) : parts };
}

const rankOf = (part: AtomicRequest['parts'][number]): number =>
  'cancel' in part ? 0 : part.order.fillMode === 'LIMIT' || part.order.fillMode === 'POST_ONLY' ? 2 : 1;

test('all parts are executed under one id, or none and nothing changes', () => {
  const rng = rngFrom('atomic');
  const exchange = new Exchange({ seed: 'atomic', start: START, fees: FEES });
  exchange.advanceTo(START + 10_000);
  const accounts = ['ann', 'bob'].map((user) => exchange.register(user, micros(50_000e6)));
  const shown = (): string =>
    JSON.stringify([
      accounts.map((id) => exchange.account(id)),
      exchange.markets.map(({ id }) => [exchange.book(id), exchange.live(id)]),
      exchange.trades({ pageSize: 1 }),
    ]);
  const refusals = new Map<string, number>();
  let [accepted, several] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    if (rng.next() < 0.2) exchange.advanceTo(exchange.now() + 100);
    const request = requestIn(exchange, oneOf(rng, accounts), rng);
    const [before, id] = [shown(), Number(exchange.lastActionId())];
    const outcome = exchange.compound.atomic(request);
    if (outcome.kind === 'refused') {
      refusals.set(outcome.error, (refusals.get(outcome.error) ?? 0) + 1);
      expect([round, shown() === before, exchange.lastActionId()]).toEqual([round, true, String(id)]);
      continue;
    }
    accepted += 1;
    if (request.parts.length > 1) several += 1;
    expect([round, outcome.actionId, exchange.lastActionId()]).toEqual([round, String(id + 1), String(id + 1)]);
    expect(outcome.results).toHaveLength(request.parts.length);
    request.parts.forEach((part, index) => {
      const result = outcome.results[index]!;
      if ('cancel' in part) expect(result).toMatchObject({ orderId: part.cancel });
      else if ('fills' in result && part.order.size !== undefined) {
        const filled = result.fills.reduce((sum, { size }) => sum + size, 0);
        expect(filled + (result.posted?.size ?? 0)).toBeLessThanOrEqual(part.order.size);
      }
    });
  }
  expect(several).toBeGreaterThan(50);
  expect(accepted).toBeGreaterThan(200);
  for (const name of ['INSUFFICIENT_FUNDS', 'NOT_IMPLEMENTED', 'POSITION_NOT_FOUND', 'ORDER_EXECUTION_MISSING_LIMITS'])
    expect([name, refusals.get(name) ?? 0]).not.toEqual([name, 0]);
});
