// When another session may be requested because the exchange refuses our signatures.
import { expect, test } from 'vitest';
import { SessionRefusals, TooManySessions } from '../../../../src/venues/hosted/session/session-refusals.ts';
import type { Receipt } from '../../../../src/venues/wire/codec.ts';

const REFUSED = { kind: 'err', error: 'INVALID_SIGNATURE' } as Receipt;
const MINUTE = 60_000;

/** Three refusals of this session, each on another connection. */
function refuse(refusals: SessionRefusals, id: string): void {
  for (let count = 0; count < 3; count++) refusals.observe({ id, connection: refusals.connection }, REFUSED, 0);
}

test('a request that opened no session may be repeated after a minute, and one that did after ten', () => {
  const refusals = new SessionRefusals();
  refuse(refusals, '1');
  refusals.requesting(0);
  expect(() => refusals.requesting(MINUTE - 1)).toThrow(TooManySessions);
  refusals.requesting(MINUTE);
  refusals.replaced();
  refusals.observe({ id: '2', connection: 0 }, { kind: 'cancelOrder' } as Receipt, 0);
  refuse(refusals, '2');
  expect(() => refusals.requesting(11 * MINUTE - 1)).toThrow(TooManySessions);
  expect(() => refusals.requesting(11 * MINUTE)).not.toThrow();
});

test('while signatures are refused, one cancel in five seconds is sent, until one is accepted or another session is in use', () => {
  const refusals = new SessionRefusals();
  expect(refusals.holdsBack(0)).toBe(false);
  refuse(refusals, '1');
  expect([1, 4_999, 5_000, 5_001].map((now) => refusals.holdsBack(now))).toEqual([true, true, false, true]);
  refusals.observe({ id: '1', connection: 0 }, { kind: 'cancelOrder' } as Receipt, 5_002);
  expect(refusals.holdsBack(5_003)).toBe(false);
  refuse(refusals, '1');
  expect(refusals.holdsBack(1)).toBe(true);
  refusals.replaced();
  expect(refusals.holdsBack(2)).toBe(false);
});
