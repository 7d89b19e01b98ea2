// What the bot does when something is wrong that it did not do, line by line.
import { describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
  filled
`;

const played = (story: string): Stage => new Stage().play(CALM).play(story);
const alarms = ({ turns }: Stage): string[] => turns.flatMap((turn) => turn.alarms.map(({ name }) => name));

describe('a position that our fills do not explain', () => {
  test('twice in a row: nothing is opened there and what rests stays, until it is explained', () => {
    const stage = played(`
      want bid 99.0@1
      tick       => bid 99.0@1.0 as 1
      opened 1
      account 1
      position 5
      later 2
      account 1
      filled
      info 100
      book 99.5@10 | 100.5@10
      want bid 99.0@1, bid 98.0@1
      account 1  => bid 98.0@1.0 as 2
      opened 2
      filled
      want bid 99.0@1, bid 98.0@1, bid 97.0@1
      account 1 2
      tick
      want bid 99.0@1, bid 98.0@1, ask 101.0@1
      tick       => ask 101.0@1.0 as 3
      traded bid 95.0@5
      opened 3
      account 1 2 3
      want bid 99.0@1, bid 98.0@1, bid 97.0@1, ask 101.0@1
      tick       => bid 97.0@1.0 as 4
    `);
    expect(alarms(stage)).toEqual(['position', 'company']);
  });
});

describe('an order that was said to be gone', () => {
  test('and turns up is cancelled, for nobody wants it', () => {
    const stage = played(`
      want bid 99.0@1
      tick       => bid 99.0@1.0 as 1
      rejected 1 NOT_SENT
      want nothing
      listed 1   => cancel 1
      cancelled 1
      account
      filled
    `);
    expect(alarms(stage)).toEqual(['ghost']);
    expect([stage.world.ghosts, stage.world.settled]).toEqual([0, true]); // a refusal is no proof of absence that was wrong
  });
});

describe('modes', () => {
  test('close-only withdraws what could open and keeps what reduces', () => {
    played(`
      position 1
      want bid 99.0@1, ask 101.0@1
      account    => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      opened 1
      opened 2
      mode close-only => cancel 1
      cancelled 1
      account 2
      tick
    `);
  });

  test('flatten cancels all, waits for the proof, and sells what is held', () => {
    const stage = played(`
      position 1
      want bid 99.0@1, ask 101.0@1
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
      want bid 99.0@1
      tick       => bid 99.0@1.0 as 1
      opened 1
      mode halted
      account 1
      tick
    `);
  });
});
