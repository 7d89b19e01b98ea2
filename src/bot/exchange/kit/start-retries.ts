// Repeats the requests of a start with back-off, until the exchange answers or the start times out.

import { type Clock, type Millis, sleep } from '../../../base/clock.ts';
import { AssertionError, messageOf, UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import { backOffMs } from '../../../base/streams/back-off.ts';
import { spanText } from '../../../base/text/duration.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import type { AdapterLog } from '../port.ts';
import { retryAfterMsOf, URGENT_RETRY_AFTER } from './streams/polling.ts';

/** The default limit for the requests of one start. */
export const START_TIMEOUT: Millis = 60_000;
/** The upper bound of the first pause, the same as for a poll. */
const FIRST_PAUSE: Millis = 500;

export interface StartOptions {
  readonly clock: Clock;
  /** For the jitter of the pauses. */
  readonly rng: Rng;
  readonly log: AdapterLog;
  /** From the call of `startRetries` until it gives up; 60 s by default. */
  readonly timeoutMs?: Millis | undefined;
  /** The server's name for messages: `the exchange`. */
  readonly what: string;
  /** Returns what a person can do about an error. */
  readonly hintFor: (error: unknown) => string;
}

/**
 * Returns the first answer. Throws a UserError `exchange` at the deadline, and at once for an answer that a retry would not change, such as status
 * 404. UserErrors and programming errors are thrown at once as they are.
 */
export type Retry = <T>(question: () => Promise<T>) => Promise<T>;

/** Returns one function with one deadline for all requests of a start. */
export function startRetries({ clock, rng, log, timeoutMs = START_TIMEOUT, what, hintFor }: StartOptions): Retry {
  const deadline = clock.now() + timeoutMs;
  let logged: string | undefined;
  const logOnce = (reason: string): void => {
    if (reason !== logged) log.warn(`no answer from ${what} yet: ${reason}; trying again for at most ${spanText(deadline - clock.now())}`);
    logged = reason;
  };
  return async (question) => {
    for (let failures = 1; ; failures++) {
      try {
        return await before(deadline, { clock, answer: question() });
      } catch (error) {
        if (isForPeople(error) || isMistake(error)) throw error;
        const reason = messageOf(error);
        const hint = hintFor(error);
        if (isLasting(error)) throw new UserError({ code: 'exchange', message: `connecting to ${what} failed: ${reason}`, hint });
        const requested = { retryAfterMs: retryAfterMsOf(error), retryAfterCapMs: URGENT_RETRY_AFTER };
        const pause = backOffMs({ rng, firstMs: FIRST_PAUSE, ...requested }, failures);
        if (clock.now() + pause >= deadline) {
          const message = `connecting to ${what} failed for ${spanText(timeoutMs)}; the last reason: ${reason}`;
          throw new UserError({ code: 'exchange', message, hint });
        }
        logOnce(reason);
        await sleep(clock, pause);
      }
    }
  };
}

/** Rejects at the deadline, even if the answer is still pending. */
function before<T>(deadline: Millis, { clock, answer }: { clock: Clock; answer: Promise<T> }): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(deadline, () => reject(new Error('no answer')));
    answer.then(resolve, reject).finally(cancel);
  });
}

/** What a person can do if nothing answers, if what answers is no such exchange, and otherwise. */
export interface StartHints {
  readonly notSent: string;
  /** For an answer that no such exchange gives; by default `otherwise`. */
  readonly otherServer?: string;
  readonly otherwise: string;
}

/** Returns a `hintFor` of fixed texts. */
export const hintsOf =
  ({ notSent, otherwise, otherServer = otherwise }: StartHints): StartOptions['hintFor'] =>
  (error) => {
    const kind = error instanceof ClientError ? error.kind : undefined;
    if (kind === 'notSent') return notSent;
    return kind === 'notJson' || kind === 'shape' || kind === 'notFound' ? otherServer : otherwise;
  };

const isForPeople = (error: unknown): boolean => error instanceof UserError;

const isMistake = (error: unknown): boolean =>
  error instanceof AssertionError || error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

/** Statuses below 500 that may be temporary: a gateway's block, timeout or rate limit. */
const TEMPORARY: ReadonlySet<number> = new Set([403, 408, 425, 429]);

/** True for a redirect or a 4xx status that a retry would not change: the address belongs to another server. */
function isLasting(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 300 && status < 500 && !TEMPORARY.has(status);
}
