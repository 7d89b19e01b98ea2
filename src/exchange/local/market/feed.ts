// Polls the market data of the local process: order books, trades, prices. Time is local, because the process reports none.
import { filter, map, merge, type Observable, share, takeUntil } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import { MINUTE } from '../../../base/spans.ts';
import type { CandlesSeen, HealthSeen, LiveInfo, MarketEvent } from '../../../domain/event.ts';
import type { LocalMarket } from '../../../wire/json/local.ts';
import { bookEvents, countedTimeEvents, infoEvents, type StreamTools, tradeEvents } from '../../kit/streams/market-streams.ts';
import { StuckSequence } from '../../kit/streams/stuck-sequence.ts';
import { OVERLAP } from '../../kit/streams/trade-tail.ts';
import type { Feed, Token } from '../../port.ts';
import type { LocalFunding } from '../account/funding.ts';
import { happenedAfter, tailOf } from '../account/trade-tail.ts';
import type { LocalClient } from '../client/client.ts';
import { LISTING_LAG, ORDER_LIFE } from '../orders/pending-placements.ts';
import { DEPTH, type ListedMarket } from './listing.ts';
import { bookOf, candlesOf, infosOf, tradeOf } from './snapshots.ts';

const CANDLES_EVERY: Millis = 15_000;
/** Each read covers the newest four hours. */
const MINUTES_READ = 240;

export interface FeedOptions extends StreamTools {
  readonly client: LocalClient;
  readonly listed: readonly ListedMarket[];
  readonly tokens: readonly Token[];
  readonly funding: LocalFunding;
  readonly closing: Observable<void>;
}

export function localFeed({ listed, tokens, closing, ...options }: FeedOptions): Feed {
  const { client, funding } = options;
  const infos = {
    read: async () => {
      const rows = await client.markets();
      return { rows, infos: infosOf(listed, rows, funding) };
    },
    infosIn: (read: { readonly infos: readonly LiveInfo[] }) => read.infos,
  };
  const kinds = kindChanges(listed);
  const events = merge<MarketEvent[]>(
    countedTimeEvents(options, ORDER_LIFE),
    infoEvents(options, { ...infos, also: ({ rows }, at) => kinds(rows, at) }),
    ...listed.flatMap((one) => marketEvents(options, one)),
  );
  return { markets: listed.map(({ market }) => market), tokens, events: events.pipe(takeUntil(closing), share()) };
}

/** Returns a function that emits the health of the stream `listing` for each market whose type has changed since the start, or has changed back. */
function kindChanges(listed: readonly ListedMarket[]): (rows: readonly LocalMarket[], at: Millis) => readonly HealthSeen[] {
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

type MarketOptions = Omit<FeedOptions, 'listed' | 'tokens' | 'closing'>;

/** Returns the streams of one market. Books get local numbers; a book that stays the same despite trades is stuck. */
function marketEvents(options: MarketOptions, listed: ListedMarket): Observable<MarketEvent>[] {
  const { client, clock } = options;
  const { name, market } = listed;
  const sequence = new StuckSequence(clock);
  const tail = tailOf({
    pages: () => client.trades({ market: name }),
    contentOf: ({ time, side, price, size, liquidation }) => [name, Date.parse(time), side, price, size, liquidation].join('|'),
    map: (row, tradeId) => tradeOf(listed, row, tradeId),
    overlapMs: OVERLAP,
    maxPages: 1,
  });
  let count = 0;
  const trades = tradeEvents(options, market, {
    tail,
    happenedAfter: (fresh, lastRound) => happenedAfter(fresh, lastRound) - LISTING_LAG,
    tradedAfter: (moment) => sequence.happenedAfter(moment),
  });
  const books = bookEvents(options, market, {
    read: async () => bookOf(market, await client.orderbook({ market: name, depth: DEPTH }), String(++count)),
    sequence,
    revisionOf: ({ bids, asks }) => JSON.stringify([bids, asks]),
    maxUnchangedMs: 2_000,
  });
  return [trades, books, candleEvents(options, listed)];
}

/** Emits candles. Failures are ignored: if candles cannot be read, the world builds them from mark prices. */
function candleEvents({ clock, client, ask }: MarketOptions, listed: ListedMarket): Observable<CandlesSeen> {
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
