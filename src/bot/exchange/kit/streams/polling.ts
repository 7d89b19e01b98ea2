// The default polling intervals, and how long an answer stays valid; a configuration may change them (`bot/run/core/config.ts`). This folder has the
// streams that all adapters share: markets, account, trades, health.
import type { Observable } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { UserError } from '../../../../base/errors.ts';
import type { Rng } from '../../../../base/rng.ts';
import type { Answer } from '../../../../base/streams/answer.ts';
import { Budget, type Priority } from '../../../../base/streams/budget.ts';
import { poll } from '../../../../base/streams/poll.ts';

/** The times from the start of one request to the start of the next of its kind. Order books and trades are polled per market. */
export interface Polling {
  readonly orderBookMs: Millis;
  readonly accountMs: Millis;
  readonly fillsMs: Millis;
  readonly tradesMs: Millis;
  readonly liveMs: Millis;
  readonly timeMs: Millis;
  /** Limit for all kinds together, in requests, or in the units of `weights` of an exchange that states them. Account requests have priority. */
  readonly requestsPerSecond: number;
}

/** The intervals of a run whose configuration sets none. */
export const DEFAULT_POLLING: Polling = {
  orderBookMs: 250,
  accountMs: 500,
  fillsMs: 500,
  tradesMs: 500,
  liveMs: 1_000,
  timeMs: 1_000,
  requestsPerSecond: 50,
};

/** What a poll asks for. */
export type PollKind = 'orderBook' | 'account' | 'fills' | 'trades' | 'live' | 'time';

/** What an exchange allows: the shortest intervals and the highest rate, and what one request of a kind counts as; 1 by default. */
export interface PollLimits extends Partial<Polling> {
  readonly weights?: Partial<Readonly<Record<PollKind, number>>> | undefined;
}

/** Returns the intervals of a configuration, lengthened to those that the exchange allows, and the lower rate of both. */
export function pollingWithin(polling: Polling, limits: PollLimits = {}): Polling {
  const longest = (name: Exclude<keyof Polling, 'requestsPerSecond'>): Millis => Math.max(polling[name], limits[name] ?? 0);
  return {
    orderBookMs: longest('orderBookMs'),
    accountMs: longest('accountMs'),
    fillsMs: longest('fillsMs'),
    tradesMs: longest('tradesMs'),
    liveMs: longest('liveMs'),
    timeMs: longest('timeMs'),
    requestsPerSecond: Math.min(polling.requestsPerSecond, limits.requestsPerSecond ?? Number.POSITIVE_INFINITY),
  };
}

/** Limits beyond the client's own timeout of one request; a read of trades may take several requests. */
const ONE_REQUEST: Millis = 5_000;
const SEVERAL_REQUESTS: Millis = 20_000;
/** Maximum Retry-After for the requests that a cancel and its proof need: engine time, the account, our trades. */
export const URGENT_RETRY_AFTER: Millis = 5_000;

export interface Question<T> {
  readonly everyMs: Millis;
  readonly ask: () => Promise<T>;
  /** `high` for the requests that cancels need: they are sent first, and a long Retry-After does not stop them. */
  readonly priority?: Priority | undefined;
  readonly requests?: 'one' | 'several' | undefined;
  readonly kind?: PollKind | undefined;
  /** Emits after a change, so that the next request is sent at once. */
  readonly changed?: Observable<unknown> | undefined;
}

interface AskOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly requestsPerSecond: number;
  readonly weights?: PollLimits['weights'];
}

/** Returns the wait that the server requested with this error, or undefined. */
export function retryAfterMsOf(error: unknown): Millis | undefined {
  return error instanceof Error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

/** Returns a cold poll that uses the run's clock, its randomness and one shared budget. */
export type Ask = <T>(question: Question<T>) => Observable<Answer<T>>;

/** Returns a function that makes polls. All of them share one budget of requests, so account requests come first when it is used up. */
export function askWith({ clock, rng, requestsPerSecond, weights = {} }: AskOptions): Ask {
  const budget = new Budget({ clock, ratePerSecond: requestsPerSecond, burst: Math.max(1, Math.ceil(requestsPerSecond / 2)) });
  return ({ everyMs, ask, priority = 'normal', requests = 'one', kind, changed }) =>
    poll({
      clock,
      rng,
      everyMs,
      timeoutMs: requests === 'one' ? ONE_REQUEST : SEVERAL_REQUESTS,
      ask,
      retryAfterMs: retryAfterMsOf,
      retryAfterCapMs: priority === 'high' ? URGENT_RETRY_AFTER : undefined,
      budget,
      weight: kind && weights[kind],
      priority,
      changed,
    });
}

/** Returns the age at which a stream's newest answer counts as stale: `trusted`, but at least four polls. */
export const maxAgeOf = (trusted: Millis, everyMs: Millis): Millis => Math.max(trusted, 4 * everyMs);

/** The requests that all polls of a connection need a second, each by its weight, and what the limit leaves of them. */
export interface RequestLoad {
  /** For the account, our trades and the time; they keep their intervals. */
  readonly own: number;
  /** For the live info, the books and the trades of all markets, at the intervals of the configuration. */
  readonly markets: number;
  /** Factor by which the intervals of the second kind are longer, so that all fit; 1 if they fit as they are. */
  readonly stretch: number;
}

/** Throws a UserError `polling` if the account and the time alone use up the limit. */
export function requestLoad(polling: Polling, markets: number, weights: PollLimits['weights'] = {}): RequestLoad {
  const { requestsPerSecond } = polling;
  /** Requests of a kind per second. */
  const rate = (kind: PollKind): number => ((weights[kind] ?? 1) * 1_000) / polling[`${kind}Ms`];
  const own = rate('account') + rate('fills') + rate('time');
  const left = requestsPerSecond - own;
  if (left <= 0) {
    throw new UserError({
      code: 'polling',
      message: `${requestsPerSecond} requests a second leave none for order books: polling the account takes all of them`,
      hint: 'raise polling.requestsPerSecond, or poll the account less often (polling.accountMs, polling.fillsMs)',
    });
  }
  const wanted = rate('live') + markets * (rate('orderBook') + rate('trades'));
  return { own, markets: wanted, stretch: Math.max(1, wanted / left) };
}

/**
 * Returns intervals that fit the limit on requests. If the polls together would exceed it, those of the account and of the time keep their
 * intervals, and the others are slowed down alike. Throws a UserError `polling` if nothing is left for the others.
 */
export function withinBudget(polling: Polling, markets: number, weights?: PollLimits['weights']): Polling {
  const { liveMs, orderBookMs, tradesMs } = polling;
  const { stretch } = requestLoad(polling, markets, weights);
  return { ...polling, liveMs: liveMs * stretch, orderBookMs: orderBookMs * stretch, tradesMs: tradesMs * stretch };
}
