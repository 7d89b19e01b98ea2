// The market data of the local process, polled: order books, trades, prices. Time is local: the process provides none.
import { filter, map, merge, type Observable, share, takeUntil, timer } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { MINUTE } from '../../../domain/candle.ts';
import type { BookSeen, CandlesSeen, HealthSeen, InfoSeen, MarketEvent, TimeSeen, TradesSeen } from '../../../domain/event.ts';
import { schedulerFrom } from '../../../streams/scheduler.ts';
import type { LocalMarket } from '../../../wire/local.ts';
import { CountedTime } from '../../kit/counted-time.ts';
import { type Ask, maxAgeOf, type Polling } from '../../kit/polling.ts';
import { StuckSequence } from '../../kit/stuck-sequence.ts';
import { withHealth } from '../../kit/with-health.ts';
import type { Feed, Token } from '../../port.ts';
import type { Funding } from '../account/funding.ts';
import { happenedAfter, Tail } from '../account/trade-tail.ts';
import type { LocalClient } from '../client/client.ts';
import { LIFE_OF_ORDER, LISTING_LAG } from '../orders/pending-placements.ts';
import { DEPTH, type Listed } from './listing.ts';
import { bookOf, candlesOf, infosOf, tradeOf } from './snapshots.ts';

const OVERLAP: Millis = 5_000;
const CANDLES_EVERY: Millis = 15_000;
/** Each time the newest four hours are read. */
const MINUTES_READ = 240;

export interface FeedOptions {
  readonly clock: Clock;
  readonly client: LocalClient;
  readonly ask: Ask;
  readonly polling: Polling;
  readonly listed: readonly Listed[];
  readonly tokens: readonly Token[];
  readonly funding: Funding;
  readonly closing: Observable<void>;
}

export function localFeed(options: FeedOptions): Feed {
  const { listed, tokens, closing } = options;
  const ofMarkets = listed.flatMap((one) => {
    const standstill = new StuckSequence(options.clock);
    return [tradeEvents(options, one, standstill), bookEvents(options, one, standstill), candleEvents(options, one)];
  });
  const events = merge<MarketEvent[]>(timeEvents(options), infoEvents(options), ...ofMarkets).pipe(takeUntil(closing), share());
  return { markets: listed.map(({ market }) => market), tokens, events };
}

/** Emits the seconds of the local clock, for orders whose life is counted in them. */
function timeEvents({ clock, polling }: FeedOptions): Observable<TimeSeen> {
  const counted = new CountedTime(clock, LIFE_OF_ORDER);
  return timer(0, polling.timeMs, schedulerFrom(clock)).pipe(
    map((): TimeSeen => {
      const now = clock.now();
      return { kind: 'timeSeen', at: now, asked: now, engineSeconds: counted.seconds() };
    }),
  );
}

function infoEvents({ clock, client, ask, polling, listed, funding }: FeedOptions): Observable<InfoSeen | HealthSeen> {
  const everyMs = polling.liveMs;
  const kinds = kindChanges(listed);
  const look = async () => {
    const rows = await client.markets();
    return { rows, infos: infosOf(listed, rows, funding) };
  };
  return ask({ everyMs, ask: look }).pipe(
    withHealth({
      clock,
      stream: 'info',
      what: 'market info',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): (InfoSeen | HealthSeen)[] => [
        { kind: 'infoSeen', at, asked, infos: value.infos },
        ...kinds(value.rows, at),
      ],
    }),
  );
}

/** Emits the health of the stream `listing` for each market whose type is no longer that of the start, or is that again; once per change. */
function kindChanges(listed: readonly Listed[]): (rows: readonly LocalMarket[], at: Millis) => readonly HealthSeen[] {
  const changed = new Set<string>();
  return (rows, at) =>
    listed.flatMap(({ name, market }): HealthSeen[] => {
      const type = rows.find((row) => row.name === name)?.type;
      const healthy = type === undefined || (type === 'future') === (market.spec.kind === 'perp');
      if (healthy !== changed.has(name)) return [];
      if (healthy) changed.delete(name);
      else changed.add(name);
      const reason = healthy
        ? 'listed as at the start'
        : `the process lists ${name} as ${type} now: restart the bot to trade it as its new kind`;
      return [{ kind: 'healthSeen', at, stream: 'listing', market: market.id, healthy, reason }];
    });
}

/** Books get local numbers; a book that stays the same although trades took from it is stuck. */
function bookEvents(
  { clock, client, ask, polling }: FeedOptions,
  { name, market }: Listed,
  standstill: StuckSequence,
): Observable<BookSeen | HealthSeen> {
  const everyMs = polling.orderBookMs;
  let count = 0;
  return ask({ everyMs, ask: async () => bookOf(market, await client.orderbook({ market: name, depth: DEPTH }), String(++count)) }).pipe(
    withHealth({
      clock,
      stream: 'book',
      market: market.id,
      what: 'order book',
      maxAgeMs: maxAgeOf(3_000, everyMs),
      standstill: { idOf: ({ bids, asks }) => standstill.observe(JSON.stringify([bids, asks])), maxMs: maxAgeOf(2_000, everyMs) },
      events: ({ at, asked, value }): BookSeen[] => [{ kind: 'bookSeen', at, asked, book: value }],
    }),
  );
}

function tradeEvents(
  { clock, client, ask, polling }: FeedOptions,
  listed: Listed,
  standstill: StuckSequence,
): Observable<TradesSeen | HealthSeen> {
  const { name, market } = listed;
  const everyMs = polling.tradesMs;
  const tail = new Tail({
    pages: () => client.trades({ market: name }),
    contentOf: ({ time, side, price, size, liquidation }) => [name, Date.parse(time), side, price, size, liquidation].join('|'),
    map: (row, tradeId) => tradeOf(listed, row, tradeId),
    overlapMs: OVERLAP,
    maxPages: 1,
  });
  let lastRound: Millis | undefined;
  return ask({ everyMs, ask: () => tail.read() }).pipe(
    withHealth({
      clock,
      stream: 'trades',
      market: market.id,
      what: 'list of trades',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): TradesSeen[] => {
        const trades = tail.takeNew(value);
        if (trades.length > 0 && lastRound !== undefined) standstill.happenedAfter(happenedAfter(trades, lastRound) - LISTING_LAG);
        lastRound = asked;
        return trades.length === 0 ? [] : [{ kind: 'tradesSeen', at, market: market.id, trades }];
      },
    }),
  );
}

/** Only a strategy that asks for candles depends on them. If they cannot be read, the world builds candles from mark prices. */
function candleEvents({ clock, client, ask }: FeedOptions, listed: Listed): Observable<CandlesSeen> {
  let last = Number.NEGATIVE_INFINITY;
  return ask({ everyMs: CANDLES_EVERY, ask: async () => candlesOf(listed, await newestCandles(client, listed.name, clock.now())) }).pipe(
    filter((answer) => answer.kind === 'seen'),
    map(({ at, asked, value }): CandlesSeen => {
      const candles = value.filter(({ start }) => start > last);
      last = candles.at(-1)?.start ?? last;
      return { kind: 'candlesSeen', at, asked, market: listed.market.id, candles };
    }),
    filter(({ candles }) => candles.length > 0),
  );
}

async function newestCandles(client: LocalClient, market: string, now: Millis) {
  const span = { startTime: now - MINUTES_READ * MINUTE, endTime: now + MINUTE };
  for await (const page of client.candles({ market, resolution: MINUTE / 1_000, ...span })) return page;
  return [];
}
