// A server for polls on virtual time: it answers as scripted and remembers when it was asked.
import type { VirtualClock } from '../../src/base/clock.ts';
import { sleep } from '../../src/base/clock.ts';
import type { Rng } from '../../src/base/rng.ts';
import type { Answer } from '../../src/streams/answer.ts';

/** How the server treats one request: what it says after how long, or that it never says anything. */
export type Reply = { readonly after: number; readonly value: string } | { readonly after: number; readonly error: Error } | 'never';

export interface Script {
  readonly ask: () => Promise<string>;
  /** When each request came. */
  readonly asked: readonly number[];
  readonly mostInFlight: () => number;
}

/** The n-th request gets the n-th reply; all after the last get the last again. */
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

/** Draws the same number for ever. */
export const constantRng = (value: number): Rng => ({
  next: () => value,
  below: (below) => Math.floor(value * below),
  normal: () => value,
  exponential: (mean) => mean * value,
  fork: () => constantRng(value),
});

/** `asked→at value` or `asked→at ✗ reason`. */
export const line = (answer: Answer<string>): string =>
  `${answer.asked}→${answer.at} ${answer.kind === 'seen' ? answer.value : `✗ ${answer.reason}`}`;
