// A scripted server for polls on virtual time, which records the times of requests.
import type { VirtualClock } from '../../src/base/clock.ts';
import { sleep } from '../../src/base/clock.ts';
import type { Rng } from '../../src/base/rng.ts';
import type { Answer } from '../../src/base/streams/answer.ts';

/** The reply to one request: a value or an error after a delay, or no reply. */
export type Reply = { readonly after: number; readonly value: string } | { readonly after: number; readonly error: Error } | 'never';

export interface Script {
  readonly ask: () => Promise<string>;
  /** Times of the requests. */
  readonly asked: readonly number[];
  readonly mostInFlight: () => number;
}

/** Returns a server that gives the n-th reply to the n-th request and repeats the last one. */
export function scripted(clock: VirtualClock, replies: readonly Reply[]): Script {
  const asked: number[] = [];
  let inFlight = 0;
  let most = 0;
  const ask = async (): Promise<string> => {
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? 'never';
    asked.push(clock.now());
    most = Math.max(most, ++inFlight);
    if (reply === 'never') return new Promise(() => {});
    await sleep(clock, reply.after);
    inFlight -= 1;
    if ('error' in reply) throw reply.error;
    return reply.value;
  };
  return { ask, asked, mostInFlight: () => most };
}

/** Returns a generator that always draws the same number. */
export const constantRng = (value: number): Rng => ({
  next: () => value,
  below: (below) => Math.floor(value * below),
  normal: () => value,
  exponential: (mean) => mean * value,
  fork: () => constantRng(value),
});

/** Formats an answer as `asked→at value` or `asked→at ✗ reason`. */
export const line = (answer: Answer<string>): string =>
  `${answer.asked}→${answer.at} ${answer.kind === 'seen' ? answer.value : `✗ ${answer.reason}`}`;
