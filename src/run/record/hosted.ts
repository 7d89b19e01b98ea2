// A tape of a hosted exchange, made by looking at it as a bot does: what its polls saw, with a gap where they saw nothing.
import { concatMap, filter, firstValueFrom, map, type Observable, Subscription, timer } from 'rxjs';
import { unreachable } from '../../base/assert.ts';
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { type Book, best } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/event.ts';
import type { Market } from '../../domain/market.ts';
import type { Row } from '../../domain/row-builder.ts';
import { codeOf, STAMPS_PER_MILLI, type Stamp } from '../../domain/rows.ts';
import type { Feed } from '../../exchange/port.ts';
import { schedulerFrom } from '../../streams/scheduler.ts';
import type { TapeHeader } from '../../tape/header.ts';
import { createSorter, type Sorter } from '../../tape/sorter.ts';
import { appendTape, createTape, hasTape, type TapeFacts, type TapeWriter } from '../../tape/writer.ts';
import { fundingOf, MarketRows, type When } from './market-rows.ts';

export interface RecordHostedOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  /** Of order books. */
  readonly pollMs: Millis;
  /** Of the exchange, in words, and the command as it was typed: the header keeps them. */
  readonly source: string;
  readonly command: string;
  /** The file for a market; one that is there already is gone on with. */
  readonly fileOf: (market: Market) => string;
  /** Settles when the recording is to end. */
  readonly until: Promise<unknown>;
  /** Hears every ten seconds how many rows there are. */
  readonly progress?: ((rows: number) => void) | undefined;
}

/** Trades are told up to so much later than books that are younger. */
const DISORDER: Stamp = 10_000_000;
/** What a crash can cost. */
const CHECKPOINT_EVERY: Millis = 10_000;

/** UserError where a file cannot be written, or is a tape of another market. */
export async function recordHosted(options: RecordHostedOptions): Promise<readonly TapeFacts[]> {
  const { feed, clock, until, progress } = options;
  const keepOpen = feed.events.subscribe({ error: () => undefined }); // the polls go on while the tapes are opened
  const tapes: MarketTape[] = [];
  try {
    for (const market of feed.markets) tapes.push(await openMarketTape(market, options));
    return await filled(tapes, { events: feed.events, clock, until, progress });
  } finally {
    keepOpen.unsubscribe();
  }
}

interface Filling extends Pick<RecordHostedOptions, 'clock' | 'until' | 'progress'> {
  readonly events: Observable<MarketEvent>;
}

async function filled(tapes: readonly MarketTape[], { events, clock, until, progress }: Filling): Promise<readonly TapeFacts[]> {
  const following = new Subscription();
  const failing = new Promise<never>((_, reject) => {
    following.add(events.subscribe({ next: (event) => tapes.forEach((tape) => tape.see(event)), error: reject }));
    const checkpoints = timer(CHECKPOINT_EVERY, CHECKPOINT_EVERY, schedulerFrom(clock)).pipe(
      concatMap(() => Promise.all(tapes.map((tape) => tape.checkpoint()))),
    );
    following.add(checkpoints.subscribe({ next: () => progress?.(sumOf(tapes.map(({ rows }) => rows))), error: reject }));
  });
  try {
    await Promise.race([until, failing]);
  } finally {
    following.unsubscribe();
  }
  return Promise.all(tapes.map((tape) => tape.close()));
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

async function openMarketTape(market: Market, { feed, pollMs, source, command, fileOf }: RecordHostedOptions): Promise<MarketTape> {
  const file = fileOf(market);
  if (hasTape(file)) return goneOnWith(file, market);
  const basePrice = await firstValueFrom(
    feed.events.pipe(
      filter((event) => event.kind === 'bookSeen' && event.book.market === market.id),
      map((event) => (event.kind === 'bookSeen' ? midOf(market, event.book) : undefined)),
      filter((mid) => mid !== undefined),
    ),
  );
  const header: TapeHeader = {
    market: market.spec,
    basePrice,
    source,
    books: 'polled',
    pollMs,
    ...fundingOf(market.spec),
    made: { command },
  };
  return new MarketTape(market, await createTape(file, header));
}

/** What happened since it was left off is not known. */
async function goneOnWith(file: string, market: Market): Promise<MarketTape> {
  const writer = await appendTape(file);
  const { symbol, priceDecimals, sizeDecimals } = writer.header.market;
  if (symbol !== market.symbol || priceDecimals !== market.spec.priceDecimals || sizeDecimals !== market.spec.sizeDecimals) {
    await writer.abort();
    throw new UserError({
      code: 'tape',
      message: `${file} is a tape of ${symbol} with ${priceDecimals} and ${sizeDecimals} decimals, not of this market ${market.symbol}`,
      hint: 'choose another --out',
    });
  }
  if (writer.last !== undefined) writer.add({ time: writer.last, lag: 0, code: codeOf('gap'), price: 0, size: 0 });
  return new MarketTape(market, writer);
}

function midOf(market: Market, book: Book): number | undefined {
  const [bid, ask] = [best(book, 'bid'), best(book, 'ask')];
  return bid === undefined || ask === undefined ? undefined : (market.price(bid.price) + market.price(ask.price)) / 2;
}

/** The tape of one market in the making. */
class MarketTape {
  rows = 0;
  readonly #market: Market;
  readonly #writer: TapeWriter;
  readonly #sorter: Sorter<Row>;
  readonly #told: MarketRows;
  /** When the trades before were asked for, and the last book that was seen. */
  #tradesKnown: Millis | undefined;
  #bookSeen: Stamp = 0;

  constructor(market: Market, writer: TapeWriter) {
    this.#market = market;
    this.#writer = writer;
    this.#sorter = createSorter({
      window: DISORDER,
      out: (row) => writer.add(row),
      late: (row, behind) => ({ ...row, time: row.time + behind }),
    });
    this.#told = new MarketRows((row) => {
      this.rows++;
      this.#sorter.add(row);
    });
  }

  see(event: MarketEvent): void {
    switch (event.kind) {
      case 'bookSeen':
        if (event.book.market === this.#market.id) this.#book(event.book, halfway(event));
        return;
      case 'tradesSeen':
        if (event.market === this.#market.id) this.#trades(event);
        return;
      case 'infoSeen':
        for (const info of event.infos) if (info.market === this.#market.id) this.#told.info(info, halfway(event));
        return;
      case 'healthSeen':
        if (event.stream === 'book' && event.market === this.#market.id && !event.healthy) this.#told.gap({ time: this.#bookSeen, lag: 0 });
        return;
      case 'candlesSeen':
      case 'timeSeen':
        return;
      default:
        unreachable(event);
    }
  }

  checkpoint(): Promise<void> {
    return this.#writer.checkpoint();
  }

  close(): Promise<TapeFacts> {
    this.#sorter.end();
    return this.#writer.close();
  }

  #book(book: Book, when: When): void {
    this.#bookSeen = when.time;
    this.#told.book(book, when);
  }

  /** The exchange's clock says when; ours, between which two rounds: it stands where they disagree. */
  #trades({ trades, at }: Extract<MarketEvent, { kind: 'tradesSeen' }>): void {
    const from = this.#tradesKnown ?? Number.NEGATIVE_INFINITY;
    for (const trade of trades) {
      const time = Math.min(at, Math.max(from, trade.time)) * STAMPS_PER_MILLI;
      this.#told.trade(trade, { time, lag: at * STAMPS_PER_MILLI - time });
    }
    this.#tradesKnown = at;
  }
}

/** An answer shows what was so between the request and its arrival: nobody knows when. */
function halfway({ asked, at }: { asked: Millis; at: Millis }): When {
  const time = Math.round(((asked + at) / 2) * STAMPS_PER_MILLI);
  return { time, lag: at * STAMPS_PER_MILLI - time };
}
