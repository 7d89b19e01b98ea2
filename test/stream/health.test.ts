// The health of a stream is reported once per change, as text.
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import type { Answer } from '../../src/base/streams/answer.ts';
import { type HealthOptions, health } from '../../src/base/streams/health.ts';

type TimedAnswer = { readonly at: number; readonly asked?: number } & ({ readonly id: string } | { readonly failure: string });

/** Plays the answers at their times, requested 10 ms earlier by default, and returns the health reports. */
function healthReports(
  timedAnswers: readonly TimedAnswer[],
  until: number,
  options: Partial<HealthOptions<string>> = {},
): readonly string[] {
  const clock = new VirtualClock(0);
  const answers = new Subject<Answer<string>>();
  const lines: string[] = [];
  answers
    .pipe(health({ clock, what: 'order book', maxAgeMs: 3_000, ...options }))
    .subscribe(({ healthy, reason, at }) => lines.push(`${at} ${healthy ? 'healthy' : 'UNHEALTHY'}: ${reason}`));
  for (const one of timedAnswers) {
    clock.advanceTo(one.at);
    const times = { asked: one.asked ?? one.at - 10, at: one.at };
    answers.next(
      'id' in one ? { kind: 'seen', value: one.id, ...times } : { kind: 'failed', reason: one.failure, error: undefined, ...times },
    );
  }
  clock.advanceTo(until);
  return lines;
}

test('the first good answer reports healthy, further ones nothing', () => {
  const timedAnswers = [1_000, 2_000, 3_000, 4_000].map((at) => ({ at, id: `${at}` }));
  expect(healthReports(timedAnswers, 5_000)).toEqual(['1000 healthy: order book seen']);
});

test('a stream without any good answer becomes unhealthy', () => {
  expect(healthReports([], 10_000)).toEqual(['3001 UNHEALTHY: no order book for more than 3 s']);
});

test('the age counts from the start of the request, and the reason is the last failure', () => {
  const timedAnswers = [
    { at: 1_000, id: '1' },
    { at: 3_000, failure: 'timeout after 2 s' },
    { at: 3_500, failure: 'the server answered 503' },
  ];
  expect(healthReports(timedAnswers, 10_000)).toEqual([
    '1000 healthy: order book seen',
    '3991 UNHEALTHY: no order book for more than 3 s: the server answered 503',
  ]);
});

test('the next good answer reports healthy again, failures alone report nothing', () => {
  const timedAnswers = [
    { at: 1_000, id: '1' },
    { at: 5_000, failure: 'no' },
    { at: 6_000, id: '2' },
    { at: 7_000, failure: 'no' },
    { at: 8_000, id: '3' },
  ];
  expect(healthReports(timedAnswers, 9_000)).toEqual([
    '1000 healthy: order book seen',
    '3991 UNHEALTHY: no order book for more than 3 s',
    '6000 healthy: order book seen',
  ]);
});

test('a failure before the last good answer is not the reason', () => {
  const timedAnswers = [
    { at: 1_000, failure: 'no' },
    { at: 2_000, id: '1' },
  ];
  expect(healthReports(timedAnswers, 10_000)).toEqual(['2000 healthy: order book seen', '4991 UNHEALTHY: no order book for more than 3 s']);
});

test('an answer that is too old on arrival does not restore health', () => {
  expect(healthReports([{ at: 4_000, asked: 900, id: '1' }], 5_000)).toEqual(['3001 UNHEALTHY: no order book for more than 3 s']);
  expect(
    healthReports(
      [
        { at: 1_000, id: '1' },
        { at: 5_000, asked: 1_500, id: '2' },
      ],
      5_500,
    ),
  ).toEqual(['1000 healthy: order book seen', '3991 UNHEALTHY: no order book for more than 3 s']);
});

test('an unchanged id becomes unhealthy until it changes', () => {
  const timedAnswers = Array.from({ length: 9 }, (_, index) => ({ at: 1_000 * (index + 1), id: index < 7 ? 'same' : `${index}` }));
  expect(healthReports(timedAnswers, 10_000, { stuck: { idOf: (id) => id, maxMs: 5_000 } })).toEqual([
    '1000 healthy: order book seen',
    '7000 UNHEALTHY: order book has not changed for more than 5 s',
    '8000 healthy: order book seen',
  ]);
});

test('nothing is reported after unsubscription', () => {
  const clock = new VirtualClock(0);
  const lines: string[] = [];
  const subscription = new Subject<Answer<string>>()
    .pipe(health({ clock, what: 'order book', maxAgeMs: 3_000 }))
    .subscribe(({ reason }) => lines.push(reason));
  subscription.unsubscribe();
  clock.advanceTo(10_000);
  expect(lines).toEqual([]);
});
