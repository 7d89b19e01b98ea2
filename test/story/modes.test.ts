// Positions, orders and modes that the bot did not cause, line by line.
import { describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
  filled
`;

const played = (script: string): Stage => new Stage().play(CALM).play(script);
const alarms = ({ turns }: Stage): string[] => turns.flatMap((turn) => turn.alarms.map(({ name }) => name));

describe('a position that the fills do not explain', () => {
  test('twice in a row blocks new exposure and keeps resting orders until it is explained', () => {
    const stage = played(`
      quote bid 99.0@1
      tick       => bid 99.0@1.0 as 1
      opened 1
      account 1
      position 5
      later 2
      account 1
      filled
      info 100
      book 99.5@10 | 100.5@10
      quote bid 99.0@1, bid 98.0@1
      account 1  => bid 98.0@1.0 as 2
      opened 2
      filled
      quote bid 99.0@1, bid 98.0@1, bid 97.0@1
      account 1 2
      tick
      quote bid 99.0@1, bid 98.0@1, ask 101.0@1
      tick       => ask 101.0@1.0 as 3
      traded bid 95.0@5
      opened 3
      account 1 2 3
      quote bid 99.0@1, bid 98.0@1, bid 97.0@1, ask 101.0@1
      tick       => bid 97.0@1.0 as 4
    `);
    expect(alarms(stage)).toEqual(['position', 'company']);
  });
});

describe('an order that was reported as gone', () => {
  test('and reappears is cancelled', () => {
    const stage = played(`
      quote bid 99.0@1
      tick       => bid 99.0@1.0 as 1
      rejected 1 NOT_SENT
      quote nothing
      listed 1   => cancel 1
      cancelled 1
      account
      filled
    `);
    expect(alarms(stage)).toEqual(['ghost']);
    expect([stage.world.ghosts, stage.world.settled]).toEqual([0, true]); // a refusal is not a wrong proof of absence
  });
});

describe('modes', () => {
  test('close-only cancels orders that could increase the position and keeps reducing ones', () => {
    played(`
      position 1
      quote bid 99.0@1, ask 101.0@1
      account    => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      opened 1
      opened 2
      mode close-only => cancel 1
      cancelled 1
      account 2
      tick
    `);
  });

  test('flatten cancels all orders, waits for the proof and closes the position', () => {
    const stage = played(`
      position 1
      quote bid 99.0@1, ask 101.0@1
      account    => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      opened 1
      opened 2
      mode flatten => cancel 1, cancel 2
      cancelled 1
      cancelled 2
      later 2
      account    => take ask 99.4@1.0 as 3
      tick
      took 3 99.5@1
      position 0
      later 2
      account
      tick
    `);
    expect(alarms(stage)).toContain('mode');
  });

  test('halted sends nothing, not even cancels', () => {
    played(`
      quote bid 99.0@1
      tick       => bid 99.0@1.0 as 1
      opened 1
      mode halted
      account 1
      tick
    `);
  });
});
