// Other living sessions of the user: those of the start are reported, one that appears later raises an alarm.
import { expect, test } from 'vitest';
import { calmWorld } from '../world-builder.ts';

test('a session that is alive at the start is reported, and one that appears later raises an alarm', () => {
  const builder = calmWorld({ bid: 59_999, ask: 60_001 });
  const seen = (healthy: boolean, reason: string): void => {
    builder.apply((at) => ({ kind: 'healthSeen', at, stream: 'sessions', healthy, reason }));
  };
  const alarms = (): string[] => builder.world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);
  seen(false, 'another session, 8');
  expect([[...builder.world.unhealthy()].map(({ reason }) => reason), alarms()]).toEqual([['another session, 8'], []]);
  seen(true, 'none');
  expect([[...builder.world.unhealthy()], alarms()]).toEqual([[], []]);
  seen(false, 'another session, 9');
  expect(alarms()).toEqual(['session: another session, 9']);
});
