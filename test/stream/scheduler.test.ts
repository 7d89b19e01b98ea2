// RxJS operators run on the given clock only.
import { interval, map, take, timer } from 'rxjs';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { schedulerFrom } from '../../src/base/streams/scheduler.ts';

test('an interval ticks with the clock and has its timestamps', () => {
  const clock = new VirtualClock(1_000);
  const scheduler = schedulerFrom(clock);
  const seen: string[] = [];
  interval(100, scheduler)
    .pipe(
      map((index) => `${index} at ${scheduler.now()}`),
      take(3),
    )
    .subscribe((text) => seen.push(text));
  clock.advanceTo(10_000);
  expect(seen).toEqual(['0 at 1100', '1 at 1200', '2 at 1300']);
});

test('work without delay runs after its caller has returned', () => {
  const clock = new VirtualClock(0);
  const seen: string[] = [];
  schedulerFrom(clock).schedule(() => seen.push('work'));
  seen.push('caller');
  clock.advanceTo(0);
  expect(seen).toEqual(['caller', 'work']);
});

test('cancelled work does not run', () => {
  const clock = new VirtualClock(0);
  const seen: number[] = [];
  const subscription = timer(100, schedulerFrom(clock)).subscribe((value) => seen.push(value));
  clock.advanceTo(99);
  subscription.unsubscribe();
  clock.advanceTo(1_000);
  expect(seen).toEqual([]);
});
