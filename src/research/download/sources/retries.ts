// Repeats a question about history until it is answered, for some minutes at most.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Log } from '../../../bot/exchange/kit/log.ts';
import { type Retry, startRetries } from '../../../bot/exchange/kit/start-retries.ts';

/** One question: a limit of requests that is counted by the minute has passed by then. */
const TIMEOUT: Millis = 300_000;

/** Returns a function with a deadline of its own for each question. It rejects with a UserError `exchange` at that time, and passes on a UserError. */
export const retriesOf =
  (tools: { readonly clock: Clock; readonly rng: Rng; readonly log: Log }, what: string): Retry =>
  (question) =>
    startRetries({ ...tools, timeoutMs: TIMEOUT, what, hintFor: () => 'check the network; the same command continues the download' })(
      question,
    );
