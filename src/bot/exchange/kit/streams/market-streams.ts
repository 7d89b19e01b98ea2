// The polled streams of public data: per kind of request, a stream of events with its health. Also the clock for the expiry of orders.
import { EMPTY, filter, map, merge, mergeMap, type Observable, tap, timer } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { type Answer, newest, type SeenAnswer } from '../../../../base/streams/answer.ts';
import { schedulerFrom } from '../../../../base/streams/scheduler.ts';
import type { Book } from '../../../domain/book.ts';
import type { Candle } from '../../../domain/candle.ts';
import type { BookSeen, CandlesSeen, HealthSeen, InfoSeen, LiveInfo, TimeSeen, TradesSeen } from '../../../domain/event.ts';
import { compareIds, type MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import type { Trade } from '../../../domain/order.ts';
import type { DateHeaders } from './date-headers.ts';
import { type Ask, maxAgeOf, type Polling, type Question, STALE_AFTER } from './polling.ts';
import { StuckSequence } from './stuck-sequence.ts';
import type { TradeTail } from './trade-tail.ts';
import { withHealth } from './with-health.ts';

export interface StreamTools {
  readonly clock: Clock;
  readonly ask: Ask;
  readonly polling: Polling;
  /** The Date headers of the exchange's answers; absent if it has no clock to compare them with. */
  readonly dates?: Pick<DateHeaders, 'at'> | undefined;
}

/** Emits the exchange's time from polled answers in seconds. */
export function timeEvents({ clock, polling, dates }: StreamTools, times: Observable<Answer<number>>): Observable<TimeSeen | HealthSeen> {
  return times.pipe(
    withHealth({
      clock,
      stream: 'time',
      what: 'exchange time',
      maxAgeMs: maxAgeOf(STALE_AFTER.time, polling.timeMs),
      events: ({ at, asked, value }): TimeSeen[] => [{ kind: 'timeSeen', at, asked, engineSeconds: value, dateSeconds: dates?.at(asked) }],
    }),
  );
}

/** Emits the seconds of our clock, for an exchange that reports no time. */
export function countedTimeEvents({ clock, polling }: StreamTools, orderLifeMs: Millis): Observable<TimeSeen> {
  const counted = new CountedTime(clock, orderLifeMs);
  return timer(0, polling.timeMs, schedulerFrom(clock)).pipe(
    map((): TimeSeen => {
      const now = clock.now();
      return { kind: 'timeSeen', at: now, asked: now, engineSeconds: counted.seconds(), isOwn: true };
    }),
  );
}

/** Emits live info of all markets: index, mark, funding. `read` rejects for an invalid answer. */
export function infoEvents(
  { clock, ask, polling }: StreamTools,
  read: () => Promise<readonly LiveInfo[]>,
  pushed: Observable<SeenAnswer<readonly LiveInfo[]>> = EMPTY,
): Observable<InfoSeen | HealthSeen> {
  const everyMs = polling.liveMs;
  const newestAsked = new Map<MarketId, Millis>();
  return merge(ask({ every: 'live', ask: read }), pushed).pipe(
    withHealth({
      clock,
      stream: 'info',
      what: 'market info',
      maxAgeMs: maxAgeOf(STALE_AFTER.info, everyMs),
      events: ({ at, asked, value }): InfoSeen[] => {
        const infos = value.filter(({ market }) => asked >= (newestAsked.get(market) ?? 0)); // a poll may be older than what was pushed
        for (const { market } of infos) newestAsked.set(market, asked);
        return infos.length === 0 && value.length > 0 ? [] : [{ kind: 'infoSeen', at, asked, infos }];
      },
    }),
  );
}

export interface BookOptions {
  readonly read: () => Promise<Book>;
  readonly sequence: StuckSequence;
  /** Returns a text that changes when the book changes: its number, or its content. */
  readonly revisionOf: (book: Book) => string;
  /** How long a book may stay the same although the market trades, if polled often enough. */
  readonly maxUnchangedMs: Millis;
  /** Books from a socket, with the same numbers. */
  readonly pushed?: Observable<SeenAnswer<Book>> | undefined;
  /** Called with every polled book, also with one that is not newer. */
  readonly observe?: ((seen: SeenAnswer<Book>) => void) | undefined;
}

/** Emits polled and pushed books. A book older than the newest one is dropped. */
export function bookEvents(
  { clock, ask, polling }: StreamTools,
  market: Market,
  { read, sequence, revisionOf, maxUnchangedMs, pushed, observe }: BookOptions,
): Observable<BookSeen | HealthSeen> {
  const everyMs = polling.orderBookMs;
  const asked = ask({ every: 'orderBook', ask: read });
  const polled = observe === undefined ? asked : asked.pipe(tap((answer) => answer.kind === 'seen' && observe(answer)));
  const books = pushed === undefined ? polled : merge(polled, pushed);
  return books.pipe(
    newest({ idOf: ({ updateId }) => updateId, compare: compareIds }),
    withHealth({
      clock,
      stream: 'book',
      market: market.id,
      what: 'order book',
      maxAgeMs: maxAgeOf(STALE_AFTER.book, everyMs),
      stuck: { idOf: (book) => sequence.observe(revisionOf(book)), maxMs: maxAgeOf(maxUnchangedMs, everyMs) },
      events: ({ at, asked, value }): BookSeen[] => [{ kind: 'bookSeen', at, asked, book: value }],
    }),
  );
}

export interface TradeOptions extends Pick<Question<unknown>, 'requests'> {
  readonly tail: TradeTail<Trade>;
  /** Called with the new trades of a round and the start of the round before. */
  readonly traded: (trades: readonly Trade[], lastRound: Millis) => void;
  /** Trades from a socket, among them such as were listed before: emitted earlier than by polling, and never twice. */
  readonly pushed?: Observable<readonly Trade[]> | undefined;
}

/** Emits market trades. */
export function tradeEvents(
  { clock, ask, polling }: StreamTools,
  market: Market,
  { tail, requests, traded, pushed = EMPTY }: TradeOptions,
): Observable<TradesSeen | HealthSeen> {
  const everyMs = polling.tradesMs;
  let lastRound: Millis | undefined;
  const polled = ask({ every: 'trades', ask: () => tail.read(), requests }).pipe(
    withHealth({
      clock,
      stream: 'trades',
      market: market.id,
      what: 'list of trades',
      maxAgeMs: maxAgeOf(STALE_AFTER.trades, everyMs),
      events: ({ at, asked, value }): TradesSeen[] => {
        const trades = tail.takeNew(value);
        if (trades.length > 0 && lastRound !== undefined) traded(trades, lastRound);
        lastRound = asked;
        return trades.length === 0 ? [] : [{ kind: 'tradesSeen', at, market: market.id, trades }];
      },
    }),
  );
  const early = pushed.pipe(
    mergeMap((seen): TradesSeen[] => {
      const trades = lastRound === undefined ? [] : seen.filter((trade) => tail.takeEarly(trade)); // the first round reports them
      return trades.length === 0 ? [] : [{ kind: 'tradesSeen', at: clock.now(), market: market.id, trades }];
    }),
  );
  return merge(polled, early);
}

const CANDLES_EVERY: Millis = 15_000;

/** Emits each finished candle once. Failures are ignored: the world then makes candles of mark prices. */
export function candleEvents(
  { ask }: Pick<StreamTools, 'ask'>,
  { id }: Market,
  read: () => Promise<readonly Candle[]>,
): Observable<CandlesSeen> {
  let last = Number.NEGATIVE_INFINITY;
  return ask({ every: CANDLES_EVERY, ask: read }).pipe(
    filter((answer) => answer.kind === 'seen'),
    map(({ at, asked, value }): CandlesSeen => {
      const candles = value.filter(({ start }) => start > last);
      last = candles.at(-1)?.start ?? last;
      return { kind: 'candlesSeen', at, asked, market: id, candles };
    }),
    filter(({ candles }) => candles.length > 0),
  );
}

/**
 * The time by which the expiry of orders is measured. A jump of the clock counts only once that time has really passed: it may mean that the machine slept,
 * or that the wall clock was set, and orders sent before it must not count as expired because of that.
 */
export class CountedTime {
  readonly #clock: Clock;
  readonly #orderLifeMs: Millis;
  #skipped: Millis;
  /** The jump that does not count until `#until`. */
  #jump = 0;
  #until: Millis = 0;

  /** `orderLifeMs`: how long a sent order can still be placed. */
  constructor(clock: Clock, orderLifeMs: Millis) {
    this.#clock = clock;
    this.#orderLifeMs = orderLifeMs;
    this.#skipped = clock.skipped();
  }

  /** Returns whole seconds. After a clock jump they exclude the jump while an order from before it could still be placed. */
  seconds(): number {
    const [now, skipped] = [this.#clock.now(), this.#clock.skipped()];
    if (now >= this.#until) this.#jump = 0;
    if (skipped > this.#skipped) {
      this.#jump += skipped - this.#skipped;
      this.#until = now + this.#orderLifeMs;
    }
    this.#skipped = skipped;
    return Math.floor((now - this.#jump) / 1_000);
  }
}
