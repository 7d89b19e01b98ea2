// Questions of a start: each is asked again, with back-off, until the exchange answers or the start has taken too long.
import { AssertionError } from '../../base/assert.ts';
import { type Clock, type Millis, sleep } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { backOffMs } from '../../streams/back-off.ts';
import { spanText } from '../../streams/span.ts';
import type { Log } from './log.ts';
import { retryAfterMsOf, URGENT_RETRY_AFTER } from './polling.ts';

/** How long a start asks, unless set. */
export const START_TIMEOUT: Millis = 60_000;
/** Bound of the first pause, as of a poll. */
const FIRST_PAUSE: Millis = 500;

export interface StartOptions {
  readonly clock: Clock;
  /** Draws the jitter of the pauses. */
  readonly rng: Rng;
  readonly log: Log;
  /** From the making of `Again` to the moment when it gives up; 60 s unless set. */
  readonly timeoutMs?: Millis | undefined;
  /** What is asked, in words: `the exchange`. */
  readonly what: string;
  /** What a person can do about an error. */
  readonly hintFor: (error: unknown) => string;
}

/**
 * Returns the first answer. Throws a UserError `exchange` when the time is over, and at once for an answer that another attempt does not change: a
 * status such as 404. UserErrors and mistakes of ours pass at once as they are.
 */
export type Again = <T>(question: () => Promise<T>) => Promise<T>;

/** One deadline for all questions of one start. */
export function startAsking({ clock, rng, log, timeoutMs = START_TIMEOUT, what, hintFor }: StartOptions): Again {
  const deadline = clock.now() + timeoutMs;
  let told: string | undefined;
  const tell = (reason: string): void => {
    if (reason !== told) log.warn(`${what} gives no answer yet: ${reason}; asking again for ${spanText(deadline - clock.now())} at most`);
    told = reason;
  };
  return async (question) => {
    for (let failures = 1; ; failures++) {
      try {
        return await before(deadline, { clock, answer: question() });
      } catch (error) {
        if (isForPeople(error) || isMistake(error)) throw error;
        const [reason, hint] = [messageOf(error), hintFor(error)];
        if (isLasting(error)) throw new UserError({ code: 'exchange', message: `connecting to ${what} failed: ${reason}`, hint });
        const wish = { retryAfterMs: retryAfterMsOf(error), retryAfterCapMs: URGENT_RETRY_AFTER };
        const pause = backOffMs({ rng, firstMs: FIRST_PAUSE, ...wish }, failures);
        if (clock.now() + pause >= deadline) {
          const message = `connecting to ${what} failed for ${spanText(timeoutMs)}; the last reason: ${reason}`;
          throw new UserError({ code: 'exchange', message, hint });
        }
        tell(reason);
        await sleep(clock, pause);
      }
    }
  };
}

/** Rejects at the deadline, whatever the answer is waiting for. */
function before<T>(deadline: Millis, { clock, answer }: { clock: Clock; answer: Promise<T> }): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(deadline, () => reject(new Error('no answer')));
    answer.then(resolve, reject).finally(cancel);
  });
}

const isForPeople = (error: unknown): boolean => error instanceof UserError;

const isMistake = (error: unknown): boolean =>
  error instanceof AssertionError || error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

/** Statuses below 500 that the next attempt may not get again: a gateway's block, its timeouts, its rate limit. */
const PASSING = new Set([403, 408, 425, 429]);

/** A redirect, or a status that says that the request itself is wrong: the address is another server's. */
function isLasting(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 300 && status < 500 && !PASSING.has(status);
}
