// Atomic actions over two markets: the rehearsal knows every order that an earlier part placed.
import { expect, test } from 'vitest';
import { lots, type Ticks } from '../../../src/bot/domain/numbers.ts';
import type { LimitedOrder } from '../../../src/embedded/exchange/commands.ts';
import { QuietExchange } from './quiet-exchange.ts';

test('an order that meets one placed before a cancel and another order is refused', () => {
  const quiet = new QuietExchange();
  const { exchange } = quiet;
  const account = quiet.user('ann', 1_000_000);
  const [first, second] = [exchange.markets[0]!, exchange.markets[1]!];
  const price = (of: typeof first, factor: number): Ticks => of.ticksNear(of.price(exchange.live(of.id)!.mark!) * factor)!;
  exchange.place({ account, market: first.id, side: 'bid', fillMode: 'LIMIT', price: price(first, 0.99), size: lots(10) });
  const [resting] = exchange.account(account)!.orders;
  const order = (side: LimitedOrder['side'], factor: number): { order: LimitedOrder } => ({
    order: { market: second.id, side, fillMode: 'LIMIT', price: price(second, factor), size: lots(10) },
  });
  const parts = [order('ask', 1), { cancel: resting!.orderId }, order('ask', 1.01), order('bid', 1)];
  expect(exchange.compound.atomic({ account, parts })).toMatchObject({ kind: 'refused', error: 'NOT_IMPLEMENTED' });
});
