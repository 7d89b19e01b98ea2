// The inbox of events for the next turn.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../../src/bot/domain/event.ts';
import { Inbox } from '../../../src/bot/run/core/inbox.ts';

const tick = (at: number): Event => ({ kind: 'timerFired', at });
let calls: number;
let inbox: Inbox;
beforeEach(() => {
  calls = 0;
  inbox = new Inbox(() => void calls++);
});

describe('an inbox', () => {
  test('notifies once about new events, until they are taken', () => {
    inbox.open();
    inbox.add(tick(1));
    inbox.add(tick(2));
    expect([calls, inbox.take()]).toEqual([1, [tick(1), tick(2)]]);
    inbox.add(tick(3));
    expect([calls, inbox.take(), inbox.take()]).toEqual([2, [tick(3)], []]);
  });

  test('does not notify until it is opened', () => {
    inbox.add(tick(1));
    inbox.add(tick(2));
    expect(calls).toBe(0);
    inbox.open();
    expect([calls, inbox.take().length]).toEqual([1, 2]);
  });

  test('never lets time go back, within a turn or between turns', () => {
    inbox.open();
    for (const at of [5, 3]) inbox.add(tick(at));
    expect(inbox.take()).toEqual([tick(5), tick(5)]);
    for (const at of [4, 6]) inbox.add(tick(at));
    expect(inbox.take()).toEqual([tick(5), tick(6)]);
  });
});
