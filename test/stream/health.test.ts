// A stream's health is said once a change, in words.
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import type { Answer } from '../../src/streams/answer.ts';
import { type HealthOptions, health } from '../../src/streams/health.ts';

type Heard = { readonly at: number; readonly asked?: number } & ({ readonly id: string } | { readonly failure: string });

/** Plays the answers at their times, `asked` 10 ms before by default, and writes down what the health said. */
function said(heard: readonly Heard[], until: number, options: Partial<HealthOptions<string>> = {}): readonly string[] {
  const clock = new VirtualClock(0);
  const answers = new Subject<Answer<string>>();
  const lines: string[] = [];
  answers
    .pipe(health({ clock, what: 'order book', maxAgeMs: 3_000, ...options }))
    .subscribe(({ healthy, reason, at }) => lines.push(`${at} ${healthy ? 'healthy' : 'UNHEALTHY'}: ${reason}`));
  for (const one of heard) {
    clock.advanceTo(one.at);
    const times = { asked: one.asked ?? one.at - 10, at: one.at };
    answers.next(
      'id' in one ? { kind: 'seen', value: one.id, ...times } : { kind: 'failed', reason: one.failure, error: undefined, ...times },
    );
  }
  clock.advanceTo(until);
  return lines;
}

test('healthy with the first good answer, and silent while good ones come', () => {
  const heard = [1_000, 2_000, 3_000, 4_000].map((at) => ({ at, id: `${at}` }));
  expect(said(heard, 5_000)).toEqual(['1000 healthy: order book seen']);
});

test('unhealthy when nothing good has ever come', () => {
  expect(said([], 10_000)).toEqual(['3001 UNHEALTHY: no order book for more than 3 s']);
});

test('the age counts from the start of the request, and the reason is the last failure', () => {
  const heard = [
    { at: 1_000, id: '1' },
    { at: 3_000, failure: 'timeout after 2 s' },
    { at: 3_500, failure: 'the server answered 503' },
  ];
  expect(said(heard, 10_000)).toEqual([
    '1000 healthy: order book seen',
    '3991 UNHEALTHY: no order book for more than 3 s: the server answered 503',
  ]);
});

test('healthy again with the next good answer, and failures alone say nothing', () => {
  const heard = [
    { at: 1_000, id: '1' },
    { at: 5_000, failure: 'no' },
    { at: 6_000, id: '2' },
    { at: 7_000, failure: 'no' },
    { at: 8_000, id: '3' },
  ];
  expect(said(heard, 9_000)).toEqual([
    '1000 healthy: order book seen',
    '3991 UNHEALTHY: no order book for more than 3 s',
    '6000 healthy: order book seen',
  ]);
});

test('a failure from before the last good answer is no reason', () => {
  const heard = [
    { at: 1_000, failure: 'no' },
    { at: 2_000, id: '1' },
  ];
  expect(said(heard, 10_000)).toEqual(['2000 healthy: order book seen', '4991 UNHEALTHY: no order book for more than 3 s']);
});

test('an answer that was too old when it came does not heal', () => {
  expect(said([{ at: 4_000, asked: 900, id: '1' }], 5_000)).toEqual(['3001 UNHEALTHY: no order book for more than 3 s']);
  expect(
    said(
      [
        { at: 1_000, id: '1' },
        { at: 5_000, asked: 1_500, id: '2' },
      ],
      5_500,
    ),
  ).toEqual(['1000 healthy: order book seen', '3991 UNHEALTHY: no order book for more than 3 s']);
});

test('an id that stands still is unhealthy, whatever its arrival, until it moves', () => {
  const heard = Array.from({ length: 9 }, (_, index) => ({ at: 1_000 * (index + 1), id: index < 7 ? 'same' : `${index}` }));
  expect(said(heard, 10_000, { stuck: { idOf: (id) => id, maxMs: 5_000 } })).toEqual([
    '1000 healthy: order book seen',
    '7000 UNHEALTHY: order book has not changed for more than 5 s',
    '8000 healthy: order book seen',
  ]);
});

test('nothing is said after unsubscription', () => {
  const clock = new VirtualClock(0);
  const lines: string[] = [];
  const subscription = new Subject<Answer<string>>()
    .pipe(health({ clock, what: 'order book', maxAgeMs: 3_000 }))
    .subscribe(({ reason }) => lines.push(reason));
  subscription.unsubscribe();
  clock.advanceTo(10_000);
  expect(lines).toEqual([]);
});
