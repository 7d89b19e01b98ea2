// A poll sends one request at a time, times out, and backs off after failures.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { AssertionError } from '../../src/base/errors.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { Budget } from '../../src/base/streams/budget.ts';
import { type PollOptions, poll } from '../../src/base/streams/poll.ts';
import { constantRng, line, type Reply, scripted } from './scripted-server.ts';

interface Reported {
  readonly lines: readonly string[];
  readonly asked: readonly number[];
  readonly mostInFlight: number;
}

async function reported(replies: readonly Reply[], until: number, options: Partial<PollOptions<string>> = {}): Promise<Reported> {
  const clock = new VirtualClock(0);
  const { ask, asked, mostInFlight } = scripted(clock, replies);
  const lines: string[] = [];
  const stream = poll({ clock, rng: constantRng(0.5), everyMs: 100, timeoutMs: 1_000, ask, ...options });
  const subscription = stream.subscribe((answer) => lines.push(line(answer)));
  await clock.drive(until);
  subscription.unsubscribe();
  return { lines, asked, mostInFlight: mostInFlight() };
}

const fails = (message: string, after = 0): Reply => ({ after, error: new Error(message) });

test('the interval runs from the start of one request to the start of the next', async () => {
  const { lines } = await reported([{ after: 30, value: 'a' }], 250);
  expect(lines).toEqual(['0→30 a', '100→130 a', '200→230 a']);
});

test('after an answer slower than the interval the next request follows at once', async () => {
  const { lines, mostInFlight } = await reported(
    [
      { after: 250, value: 'slow' },
      { after: 10, value: 'b' },
    ],
    380,
  );
  expect(lines).toEqual(['0→250 slow', '250→260 b', '350→360 b']);
  expect(mostInFlight).toBe(1);
});

test('a stuck request times out and does not block the next', async () => {
  const { lines } = await reported(['never', { after: 10, value: 'b' }], 1_100);
  expect(lines).toEqual(['0→1000 ✗ timeout after 1 s', '1050→1060 b']);
});

test('an answer after its timeout is dropped', async () => {
  const { lines } = await reported(
    [
      { after: 1_020, value: 'late' },
      { after: 10, value: 'b' },
    ],
    1_100,
  );
  expect(lines).toEqual(['0→1000 ✗ timeout after 1 s', '1050→1060 b']);
});

test('the back-off doubles from the interval to 5 s, and a success ends it', async () => {
  const replies = [...Array.from({ length: 9 }, () => fails('no')), { after: 0, value: 'ok' }, fails('no')];
  const { asked } = await reported(replies, 18_000);
  const pauses = asked.slice(1).map((when, index) => when - (asked[index] ?? 0));
  expect(pauses.slice(0, 12)).toEqual([50, 100, 200, 400, 800, 1_600, 2_500, 2_500, 2_500, 100, 50, 100]);
});

test('the jitter is full: a random pause from zero to the back-off', async () => {
  const first = await reported([fails('no')], 20_000, { rng: rngFrom('a') });
  const again = await reported([fails('no')], 20_000, { rng: rngFrom('a') });
  const other = await reported([fails('no')], 20_000, { rng: rngFrom('b') });
  expect(again.asked).toEqual(first.asked);
  expect(other.asked).not.toEqual(first.asked);
  const none = await reported([fails('no', 1)], 100, { rng: constantRng(0) });
  expect(none.asked.slice(0, 3)).toEqual([0, 1, 2]);
});

test('a retry time of the server replaces the back-off, up to five minutes', async () => {
  const honoured = await reported([fails('429')], 4_000, { retryAfterMs: () => 3_000 });
  expect(honoured.asked).toEqual([0, 3_050]);
  const absurd = await reported([fails('429')], 300_060, { retryAfterMs: () => 1e15 });
  expect(absurd.asked).toEqual([0, 300_050]);
  const urgent = await reported([fails('429')], 10_000, { retryAfterMs: () => 3_600_000, retryAfterCapMs: 5_000 });
  expect(urgent.asked).toEqual([0, 5_050]);
});

test('each subscription polls separately, and unsubscribing ends the polls and drops the answer in flight', async () => {
  const clock = new VirtualClock(0);
  const { ask, asked } = scripted(clock, [{ after: 30, value: 'a' }]);
  const stream = poll({ clock, rng: constantRng(0.5), everyMs: 100, timeoutMs: 1_000, ask });
  await clock.drive(500);
  expect(asked).toEqual([]);
  const lines: string[] = [];
  const subscription = stream.subscribe((answer) => lines.push(line(answer)));
  await clock.drive(610);
  subscription.unsubscribe();
  await clock.drive(2_000);
  expect(asked).toEqual([500, 600]);
  expect(lines).toEqual(['500→530 a']);
});

test('the wait for the budget counts neither towards the timeout nor towards the age', async () => {
  const clock = new VirtualClock(0);
  const budget = new Budget({ clock, ratePerSecond: 0.5, burst: 1 });
  const { ask } = scripted(clock, [{ after: 10, value: 'a' }]);
  const lines: string[] = [];
  poll({ clock, rng: constantRng(0.5), everyMs: 100, timeoutMs: 1_000, ask, budget }).subscribe((answer) => lines.push(line(answer)));
  await clock.drive(4_500);
  expect(lines).toEqual(['0→10 a', '2000→2010 a', '4000→4010 a']);
});

test('a request that throws synchronously is an ordinary failure', async () => {
  const { lines } = await reported([], 10, {
    ask: () => {
      throw new Error('bad address');
    },
  });
  expect(lines).toEqual(['0→0 ✗ bad address']);
});

test('a failed assertion ends the stream without a back-off', async () => {
  const clock = new VirtualClock(0);
  const errors: unknown[] = [];
  const broken = new AssertionError('impossible');
  poll({ clock, rng: constantRng(0.5), everyMs: 100, timeoutMs: 1_000, ask: () => Promise.reject(broken) }).subscribe({
    error: (error) => errors.push(error),
  });
  await clock.drive(1_000);
  expect(errors).toEqual([broken]);
});
