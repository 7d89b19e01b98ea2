// Sessions end at their expiry; if a user has too many, the one that expires first ends.
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, Sessions } from '../../../../src/embedded/server/hosted/sessions.ts';

const publicKey = new Uint8Array(32).fill(7);
const NOW = 1_000_000;

describe('sessions', () => {
  test('a session is found until the second of its expiry', () => {
    const sessions = new Sessions(DEFAULT_LIMITS);
    const { id } = sessions.open({ user: 'ann', publicKey, expiry: NOW + 10, now: NOW });
    expect(sessions.find(id, NOW + 9)).toMatchObject({ user: 'ann', expiry: NOW + 10 });
    expect(sessions.find(id, NOW + 10)).toBeUndefined();
    expect(sessions.of('ann', NOW + 10)).toEqual([]);
  });

  test("at the cap the earliest expiry is removed, but never the new session, and never another user's", () => {
    const sessions = new Sessions({ perUser: 2, longestLife: 100 });
    const open = (user: string, life: number) => sessions.open({ user, publicKey, expiry: NOW + life, now: NOW }).id;
    const [bob, long, short, shortest] = [open('bob', 1), open('ann', 90), open('ann', 50), open('ann', 10)];
    const left = sessions.of('ann', NOW).map(({ id }) => id);
    expect(left).toEqual([long, shortest]);
    expect(sessions.find(short, NOW)).toBeUndefined();
    expect(sessions.find(bob, NOW)).toBeDefined();
  });

  test('an expired session does not count towards the cap', () => {
    const sessions = new Sessions({ perUser: 2, longestLife: 100 });
    const open = (life: number, now: number) => sessions.open({ user: 'ann', publicKey, expiry: NOW + life, now }).id;
    const [, long] = [open(5, NOW), open(90, NOW)];
    const last = open(50, NOW + 20);
    expect(sessions.of('ann', NOW + 20).map(({ id }) => id)).toEqual([long, last]);
  });
});
