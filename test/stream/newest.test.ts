// An older answer never follows a newer one.
import { TestScheduler } from 'rxjs/testing';
import { expect, test } from 'vitest';
import { type Answer, newest } from '../../src/base/streams/answer.ts';
import { compareIds } from '../../src/bot/domain/ids.ts';

const seen = (id: string): Answer<string> => ({ kind: 'seen', value: id, asked: 0, at: 0 });
const failed: Answer<string> = { kind: 'failed', reason: 'no', error: undefined, asked: 0, at: 0 };
const answers = { a: seen('9'), b: seen('10'), c: seen('18446744073709551615'), d: seen('18446744073709551614'), x: failed };

const marbles = (run: (scheduler: Parameters<Parameters<TestScheduler['run']>[0]>[0]) => void): void =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);

test('older answers are dropped; equal ones and failures pass', () => {
  marbles(({ cold, expectObservable }) => {
    const polled = cold('     a-b-a-x-b-c-d-c|', answers);
    const expected = '        a-b---x-b-c---c|';
    expectObservable(polled.pipe(newest({ idOf: (id) => id, compare: compareIds }))).toBe(expected, answers);
  });
});

test('each subscription starts without history', () => {
  marbles(({ cold, expectObservable }) => {
    const polled = cold('     b-a|', answers).pipe(newest({ idOf: (id) => id, compare: compareIds }));
    expectObservable(polled).toBe('b--|', answers);
    expectObservable(polled, '----^').toBe('----b--|', answers);
  });
});
