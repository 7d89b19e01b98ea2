// A world and its engine: what an earlier process left behind is held against this one's clock.
import { expect, test } from 'vitest';
import type { AccountSeen } from '../../../src/domain/event.ts';
import { lots, ticks } from '../../../src/domain/numbers.ts';
import { limitsSchema, rulesFrom } from '../../../src/risk/rules.ts';
import { assemble } from '../../../src/run/assemble.ts';
import { NO_HISTORY } from '../../../src/run/history.ts';
import { BTC, calmWorld, START } from '../world-builder.ts';

const RESTING = {
  orderId: 'x',
  clientOrderId: '1',
  market: 0,
  side: 'bid',
  price: ticks(590_000),
  size: lots(10_000),
  originalSize: lots(10_000),
} as const;
const ORDER = { ...RESTING, remaining: RESTING.size, fillMode: 'LIMIT', status: 'open', sentAt: START, touchedAt: START } as const;

test('an order that ended before the clock was set back, and that is listed once more, is ours again at once', () => {
  const end = { order: ORDER, said: 'cancelled: cancelled by us', denied: false, at: START + 3_600_000 };
  const history = { ...NO_HISTORY, ended: [end] };
  const { world } = assemble({ markets: [BTC], history, startedAt: START, decide: () => [], rules: rulesFrom(limitsSchema.parse({})) });
  const account = { ...calmWorld({ bid: 1, ask: 2 }).account().world.account?.value, orders: [RESTING] } as AccountSeen['account'];
  world.apply({ kind: 'accountSeen', at: START + 10, asked: START + 10, account: { ...account, updateId: '900' } });
  expect(world.orders()).toMatchObject([{ clientOrderId: '1', status: 'open' }]);
  expect(world.takeAlarms()).toMatchObject([{ name: 'ghost' }]);
});
