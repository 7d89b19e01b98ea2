// The time after which an order without an answer counts as dead is elapsed time, whatever the clock shows.
import { expect, test } from 'vitest';
import { MachineClock, VirtualClock } from '../../../../src/base/clock.ts';
import { CountedTime } from '../../../../src/bot/exchange/kit/streams/market-streams.ts';
import { deadAfter, ORDER_LIFE } from '../../../../src/venues/local/rules.ts';
import { SleepingMachine } from '../../../sleeping-machine.ts';

const START = 1_700_000_000_000;

test('a wall clock that is set forward does not end the life of an order; the elapsed life does', () => {
  const world = new VirtualClock(START);
  const machine = new SleepingMachine(world);
  const clock = new MachineClock(machine);
  const time = new CountedTime(clock, ORDER_LIFE);
  const dead = deadAfter(clock.now());
  expect(time.seconds()).toBe(START / 1_000);
  machine.setWallClock(3_600_000);
  for (let waited = 0; waited < ORDER_LIFE; waited += 1_000) {
    expect(time.seconds()).toBe((START + waited) / 1_000);
    world.advanceTo(START + waited + 1_000);
  }
  expect(time.seconds()).toBe((START + ORDER_LIFE + 3_600_000) / 1_000);
  expect(time.seconds()).toBeGreaterThanOrEqual(dead);
});

test('two jumps count as one longer jump', () => {
  const world = new VirtualClock(START);
  const machine = new SleepingMachine(world);
  const time = new CountedTime(new MachineClock(machine), ORDER_LIFE);
  machine.setWallClock(60_000);
  time.seconds();
  world.advanceTo(START + 10_000);
  machine.setWallClock(60_000);
  expect(time.seconds()).toBe((START + 10_000) / 1_000);
});
