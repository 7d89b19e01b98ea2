// The same refusal again and again: reported in the health of the run, then an alarm.
import { beforeEach, expect, test } from 'vitest';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';

let builder: WorldBuilder;
let orders: number;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
  orders = 0;
});

function refused(times: number, error = 'INVALID_SIGNATURE'): void {
  for (let n = 0; n < times; n++) {
    orders += 1;
    builder
      .after(1_000)
      .pending({ side: 'bid', price: 59_000, size: 1, id: `r${orders}` })
      .rejected(`r${orders}`, error);
  }
}
const found = (): string[] => [...builder.world.unhealthy()].map(({ stream, reason }) => `${stream}: ${reason}`);
const alarms = (): string[] => builder.world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);

test('is reported from the fifth on, and raises one alarm at the twentieth', () => {
  refused(4);
  expect(found()).toEqual([]);
  refused(1);
  expect(found()).toEqual(['actions: the exchange has refused 5 actions in a row with INVALID_SIGNATURE, and accepted none in between']);
  refused(14);
  expect(alarms()).toEqual([]);
  refused(70);
  expect(alarms()).toEqual([
    expect.stringMatching(/^refusals: the exchange has refused 20 actions in a row with INVALID_SIGNATURE,.*check key/),
  ]);
});

test('ends with an action that is accepted, and begins anew with another error', () => {
  refused(6);
  builder.placed({ side: 'bid', price: 58_000, size: 1, id: 'a' });
  expect(found()).toEqual([]);
  refused(19);
  refused(1, 'INSUFFICIENT_FUNDS');
  refused(19);
  expect(alarms()).toEqual([]);
});

test('ends with an action that is accepted, also if another error came in between', () => {
  refused(6);
  refused(1, 'INSUFFICIENT_FUNDS');
  builder.placed({ side: 'bid', price: 58_000, size: 1, id: 'a' });
  expect(found()).toEqual([]);
});

test('counts refused cancels too, but not what was never sent, nor one batch', () => {
  builder.placed({ side: 'bid', price: 58_000, size: 1, id: 'a' });
  for (let n = 0; n < 5; n++)
    builder
      .cancelling('a')
      .apply((at) => ({ kind: 'cancelAnswered', at, clientOrderId: 'a', outcome: 'refused', reason: 'INVALID_SIGNATURE' }));
  expect(found()).toHaveLength(1);
  refused(90, 'NOT_SENT');
  expect(found()).toEqual([expect.stringContaining('refused 5 actions')]);
  expect(alarms()).toEqual([]);
  for (let n = 0; n < 40; n++)
    builder.pending({ side: 'bid', price: 59_000, size: 1, id: `b${n}` }).rejected(`b${n}`, 'INSUFFICIENT_FUNDS');
  expect(alarms()).toEqual([]);
});

test('is no longer reported when nothing was refused for a minute, because what holds now is not known', () => {
  refused(6);
  builder.after(58_000).account({});
  expect(found()).toHaveLength(1);
  builder.after(2_000).account({});
  expect(found()).toEqual([]);
});
