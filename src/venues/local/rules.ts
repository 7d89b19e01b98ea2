// The rules of the local process: how late its lists are, and how long an order may still be placed. Its name in messages, and its hints.
import type { Millis } from '../../base/clock.ts';
import { hintsOf } from '../../bot/exchange/kit/start-retries.ts';
import type { ClientRules } from '../../bot/exchange/kit/venue-client.ts';

/** Maximum delay of the process's lists behind its answers. */
export const LISTING_LAG: Millis = 2_000;
/** How long the process may hold an order before it signs the order. */
const MAX_HOLD: Millis = 15_000;
/** How long the exchange accepts a signed order. */
const SIGNED_LIFE: Millis = 60_000;
/** How long a sent order may still be placed. */
export const ORDER_LIFE: Millis = MAX_HOLD + SIGNED_LIFE;

/**
 * Returns the second of the local clock after which an order sent at `sent` can no longer be placed. The exchange cannot confirm it, so both parts of
 * ORDER_LIFE are upper bounds: a process that signs at once leaves a margin of MAX_HOLD.
 */
export const deadAfter = (sent: Millis): number => Math.ceil((sent + ORDER_LIFE) / 1_000);

export const LOCAL_RULES: ClientRules = {
  orderLife: ORDER_LIFE / 1_000,
  absence: 'accounts', // an order is proved gone by accounts that lack it, and by our trades
  answerTimeoutMs: 5_000,
  listingLagMs: LISTING_LAG,
  lateTradesMs: 60_000, // some servers read fills from another source than the book
  revision: 'content', // its snapshots have no numbers
  maxUnchangedMs: 2_000,
};

export const LOCAL_PROCESS = {
  name: 'the local process',
  rules: LOCAL_RULES,
  hintFor: hintsOf({
    notSent: 'start the local process, or check --url: nothing answers at this address',
    otherServer: 'this does not look like the local signing process: check --url',
    otherwise: 'try again; if it lasts, the process has a problem, or --url is another server',
  }),
} as const;
