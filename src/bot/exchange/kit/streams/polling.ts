// The polling intervals of a configuration (`polling`), the plan that fits them into the exchange's limit, and how long an answer stays valid. This folder has
// the streams that all adapters share: markets, account, trades, health.
import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { UserError } from '../../../../base/errors.ts';
import { amount, type ValueWords } from '../../../../base/files/amount.ts';
import type { Rng } from '../../../../base/rng.ts';
import type { Answer } from '../../../../base/streams/answer.ts';
import { Budget } from '../../../../base/streams/budget.ts';
import { type PollOptions, poll } from '../../../../base/streams/poll.ts';

/** `polling` in a configuration: the time from the start of one request to the start of the next of its kind. */
export const pollingSchema = z.strictObject({
  orderBookMs: interval(250, { what: 'an interval', hint: 'write milliseconds, at least 20, as in 250' }),
  liveMs: interval(1_000),
  accountMs: interval(500),
  tradesMs: interval(500),
  fillsMs: interval(500),
  timeMs: interval(1_000),
  /** Limit for all kinds together, in requests, or in the units of `weights` of an exchange that states them. Account requests have priority. */
  requestsPerSecond: amount({ preset: 50, min: 1 }),
});
export type Polling = Readonly<z.infer<typeof pollingSchema>>;

/** The intervals of a run whose configuration sets none. */
export const DEFAULT_POLLING: Polling = pollingSchema.parse({});

/** Reads an interval; shorter ones would only load the exchange. */
function interval(preset: Millis, words?: ValueWords) {
  return amount({ preset, min: 20, ...(words && { words }) });
}

/** What a poll asks for. */
export type PollKind = 'orderBook' | 'account' | 'fills' | 'trades' | 'live' | 'time';

/** What an exchange allows: the shortest intervals and the highest rate, and what one request of a kind counts as; 1 by default. */
export interface PollLimits extends Partial<Polling> {
  readonly weights?: Partial<Readonly<Record<PollKind, number>>> | undefined;
}

/** One kind of the requests that a connection polls. */
export interface PlannedPoll {
  readonly kind: PollKind;
  /** In messages: `list of trades`. */
  readonly what: string;
  /** For each market, for all markets together, or for the account and the time; polls of the kind `account` keep their intervals if not all polls fit. */
  readonly of: 'market' | 'markets' | 'account';
  /** What one request counts as. */
  readonly weight: number;
  /** The interval that the configuration and the exchange allow. */
  readonly wantedMs: Millis;
  /** The interval at which all polls fit the limit on requests. */
  readonly everyMs: Millis;
}

/** The polls of a connection, which the streams and the start's warning read. */
export interface PollPlan {
  /** The intervals and the limit in the form of a configuration. */
  readonly intervals: Polling;
  readonly markets: number;
  readonly polls: readonly PlannedPoll[];
  /** True if the limit on requests is the exchange's own. */
  readonly isLimitOfExchange: boolean;
}

const POLLS: readonly Pick<PlannedPoll, 'kind' | 'what' | 'of'>[] = [
  { kind: 'orderBook', what: 'book', of: 'market' },
  { kind: 'trades', what: 'list of trades', of: 'market' },
  { kind: 'live', what: 'live info', of: 'markets' },
  { kind: 'account', what: 'account', of: 'account' },
  { kind: 'fills', what: 'list of our trades', of: 'account' },
  { kind: 'time', what: 'time', of: 'account' },
];

/** Returns the units of the limit that polls need each second at the wanted intervals. */
export const unitsPerSecond = (polls: readonly PlannedPoll[]): number =>
  polls.reduce((sum, { weight, wantedMs }) => sum + (weight * 1_000) / wantedMs, 0);

export const pollsOf = ({ polls }: Pick<PollPlan, 'polls'>, of: PlannedPoll['of']): readonly PlannedPoll[] =>
  polls.filter((poll) => poll.of === of);

/** Returns the units a second of the polls of all markets. */
export const unitsOfMarkets = (plan: Pick<PollPlan, 'polls' | 'markets'>): number =>
  unitsPerSecond(pollsOf(plan, 'markets')) + plan.markets * unitsPerSecond(pollsOf(plan, 'market'));

/**
 * Returns the polls of a connection with intervals that fit the limit on requests. The intervals of the configuration are lengthened to those that the
 * exchange allows, and the lower rate of both is the limit. If the polls together would exceed it, those of the account and of the time keep their
 * intervals, and the others are slowed down alike, to whole milliseconds. Throws a UserError `polling` if nothing is left for the others.
 */
export function pollPlan(polling: Polling, markets: number, { weights = {}, ...limits }: PollLimits = {}): PollPlan {
  const { requestsPerSecond = Number.POSITIVE_INFINITY } = limits;
  const limit = Math.min(polling.requestsPerSecond, requestsPerSecond);
  const wanted = POLLS.map((poll): PlannedPoll => {
    const wantedMs = Math.max(polling[`${poll.kind}Ms`], limits[`${poll.kind}Ms`] ?? 0);
    return { ...poll, weight: weights[poll.kind] ?? 1, wantedMs, everyMs: wantedMs };
  });
  const left = limit - unitsPerSecond(pollsOf({ polls: wanted }, 'account'));
  if (left <= 0) {
    throw new UserError({
      code: 'polling',
      message: `${limit} requests a second leave none for order books: polling the account takes all of them`,
      hint: 'raise polling.requestsPerSecond, or poll the account less often (polling.accountMs, polling.fillsMs)',
    });
  }
  const stretch = Math.max(1, unitsOfMarkets({ polls: wanted, markets }) / left);
  const polls = wanted.map((poll) => (poll.of === 'account' ? poll : { ...poll, everyMs: Math.ceil(poll.wantedMs * stretch) }));
  const intervals = Object.fromEntries(polls.map(({ kind, everyMs }) => [`${kind}Ms`, everyMs])) as Omit<Polling, 'requestsPerSecond'>;
  return { intervals: { ...intervals, requestsPerSecond: limit }, markets, polls, isLimitOfExchange: limit < polling.requestsPerSecond };
}

/** When a poll counts as failed. The client also has a timeout for each request; a read of trades may take several requests. */
const ONE_REQUEST: Millis = 5_000;
const SEVERAL_REQUESTS: Millis = 20_000;
/** Maximum Retry-After for the requests that a cancel and its proof need: engine time, the account, our trades. */
export const URGENT_RETRY_AFTER: Millis = 5_000;

/** `priority` is `high` for the requests that cancels need: they are sent first, and a long Retry-After does not stop them. */
export interface Question<T> extends Pick<PollOptions<T>, 'ask' | 'priority' | 'changed'> {
  /** The kind of poll, whose interval and weight the plan has; or an interval in milliseconds, for a poll that has no key in `polling`. */
  readonly every: PollKind | Millis;
  /** How many requests an answer may take: `several` has the longer timeout. Default: `one`. */
  readonly requests?: 'one' | 'several' | undefined;
}

interface AskOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly plan: PollPlan;
}

/** Returns the wait that the server requested with this error, or undefined. */
export function retryAfterMsOf(error: unknown): Millis | undefined {
  return error instanceof Error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

/** Returns a cold poll that uses the run's clock, its randomness and one shared budget. */
export type Ask = <T>(question: Question<T>) => Observable<Answer<T>>;

/** Returns a function that makes polls. All of them share one budget of requests, so account requests come first when it is used up. */
export function askWith({ clock, rng, plan: { polls, intervals } }: AskOptions): Ask {
  const { requestsPerSecond } = intervals;
  const budget = new Budget({ clock, ratePerSecond: requestsPerSecond, burst: Math.max(1, Math.ceil(requestsPerSecond / 2)) });
  return ({ every, requests = 'one', ...question }) => {
    const { everyMs, weight } =
      typeof every === 'number' ? { everyMs: every, weight: undefined } : polls.find(({ kind }) => kind === every)!;
    return poll({
      ...question,
      clock,
      rng,
      everyMs,
      weight,
      timeoutMs: requests === 'one' ? ONE_REQUEST : SEVERAL_REQUESTS,
      retryAfterMs: retryAfterMsOf,
      retryAfterCapMs: question.priority === 'high' ? URGENT_RETRY_AFTER : undefined,
      budget,
    });
  };
}

/** The age at which the newest answer of each stream counts as stale, in milliseconds; it is at least four polls (`maxAgeOf`). */
export const STALE_AFTER = {
  book: 3_000,
  info: 5_000,
  trades: 5_000,
  account: 5_000,
  fills: 5_000,
  time: 15_000,
  listing: 60_000,
} as const satisfies Readonly<Record<string, Millis>>;

/** Returns the age at which a stream's newest answer counts as stale: `trusted`, but at least four polls. */
export const maxAgeOf = (trusted: Millis, everyMs: Millis): Millis => Math.max(trusted, 4 * everyMs);
