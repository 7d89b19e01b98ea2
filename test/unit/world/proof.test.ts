// What accounts and a poll of fills prove about an order: each condition, with a case that lacks only that one.
import { expect, test } from 'vitest';
import type { Account } from '../../../src/bot/domain/account.ts';
import type { AccountSeen } from '../../../src/bot/domain/event.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Order, OrderStatus } from '../../../src/bot/domain/order.ts';
import { type Absence, couldList, LAG, provedAbsent, provedCancelled } from '../../../src/bot/world/orders/proof.ts';

const AT = 10_000;
const order = (status: OrderStatus): Order => ({
  clientOrderId: '1',
  market: 0,
  side: 'bid',
  price: ticks(1),
  size: lots(1),
  remaining: lots(1),
  fillMode: 'POST_ONLY',
  status,
  sentAt: AT,
  touchedAt: AT,
  accountThen: '5',
});
const account = (asked: number, updateId: string): AccountSeen => ({
  kind: 'accountSeen',
  at: asked + 100,
  asked,
  account: { updateId } as Account,
});
const ONE: Absence = { since: AT };
const TWO: Absence = { since: AT, again: { asked: AT + LAG, at: AT + LAG + 100 } };

test.each([
  ['two accounts and a poll after both', 'open', TWO, AT + LAG + 100, undefined, true],
  ['one account', 'open', ONE, AT + 10 * LAG, AT + 10 * LAG, false],
  ['a poll that was requested before the second account came', 'open', TWO, AT + LAG + 99, AT + 10 * LAG, false],
  ['the same for an order that is being cancelled', 'cancelling', TWO, AT + LAG + 99, AT + 10 * LAG, false],
  ['an unknown order, and a position that is explained', 'unknown', TWO, AT + LAG + 100, AT + LAG, true],
  ['an unknown order, and one account', 'unknown', ONE, AT + 10 * LAG, AT + 10 * LAG, false],
  ['an unknown order, and a poll that was requested too early', 'unknown', TWO, AT + LAG + 99, AT + LAG, false],
  ['an unknown order, and a position that is not explained', 'unknown', TWO, AT + LAG + 100, undefined, false],
  ['an unknown order, and a position that was explained before the second account', 'unknown', TWO, AT + LAG + 100, AT + LAG - 1, false],
] as const)('absence by %s', (_, status, lacking, asked, agreedAsOf, proved) => {
  expect(provedAbsent(order(status), lacking, { asked, agreedAsOf })).toBe(proved);
});

test.each([
  ['cancelled', ONE, true],
  ['queued', ONE, false],
  ['queued', TWO, true],
  [undefined, TWO, false],
] as const)('accounts that lack an order whose cancel was answered with %s', (cancel, lacking, proved) => {
  expect(provedCancelled(lacking, cancel)).toBe(proved);
});

const THERE = { at: AT, shownFrom: AT + LAG, updateId: '6' };
test.each([
  ['rested, later and beyond that update id', 'open', account(AT + LAG, '7'), THERE, 0, true],
  ['rested, requested too early', 'open', account(AT + LAG - 1, '7'), THERE, 0, false],
  ['rested, by an update id that is not beyond that one', 'open', account(AT + LAG, '6'), THERE, 0, false],
  ['is not found, long after that answer', 'cancelling', account(AT + LAG, '6'), undefined, 0, true],
  ['is not found, soon after that answer', 'cancelling', account(AT + LAG - 1, '6'), undefined, 0, false],
  ['is not found, by an account that does not change', 'cancelling', account(AT + LAG, '5'), undefined, 0, false],
  ['is in flight', 'pending', account(AT + 10 * LAG, '9'), undefined, 0, false],
  ['is unknown, after its request expired', 'unknown', account(AT, '5'), undefined, AT, true],
  ['is unknown, before its request expired', 'unknown', account(AT - 1, '9'), undefined, AT, false],
] as const)('an account could list an order that %s', (_, status, seen, presence, dead, could) => {
  expect(couldList(order(status), seen, { presence, dead })).toBe(could);
});
