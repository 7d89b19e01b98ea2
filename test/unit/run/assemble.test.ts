// A process whose clock is behind that of the last process adopts its orders.
import { expect, test } from 'vitest';
import type { Account } from '../../../src/bot/domain/account.ts';
import { lots, type Micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Order } from '../../../src/bot/domain/order.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { assemble } from '../../../src/bot/run/core/assemble.ts';
import { NO_HISTORY } from '../../../src/bot/run/state/history.ts';
import { BTC, START } from '../world-builder.ts';

const HOUR = 3_600_000;
const TERMS = { market: 0, side: 'bid', price: ticks(590_000), size: lots(100) } as const;
const ZERO = 0 as Micros;
const MARGINS = { omf: ZERO, mf: ZERO, imf: ZERO, cmf: ZERO, mmf: ZERO, pon: ZERO, pn: ZERO, bankruptcy: false };

test('an order that ended while the clock was an hour ahead is ours again when an account of this process lists it', () => {
  const order: Order = {
    ...TERMS,
    clientOrderId: '1',
    orderId: '5',
    remaining: lots(100),
    fillMode: 'POST_ONLY',
    status: 'open',
    sentAt: START + HOUR,
    touchedAt: START + HOUR,
  };
  const ended = [{ order, reportedAs: 'cancelled: cancelled by us', neverPlaced: false, at: START + HOUR }];
  const history = { ...NO_HISTORY, ended };
  const rules = rulesFrom(limitsSchema.parse({}));
  const { world } = assemble({ markets: [BTC], history, startedAt: START, decide: () => [], rules });
  const resting = { ...TERMS, orderId: '5', originalSize: lots(100), clientOrderId: '1' };
  const account: Account = { id: 7, updateId: '9', balances: [], positions: [], orders: [resting], margins: MARGINS };
  world.apply({ kind: 'accountSeen', asked: START + 2_000, at: START + 2_100, account });
  expect(world.orders().map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([['1', 'open']]);
  expect(world.takeAlarms()).toMatchObject([{ name: 'ghost' }]);
});
