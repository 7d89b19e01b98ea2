// Keeps the newest two-sided book and prices of each market while a paper run starts; its tape begins with them.
import { filter, firstValueFrom, map, race, type Subscription, startWith, timer } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { schedulerFrom } from '../../base/streams/scheduler.ts';
import { best } from '../../bot/domain/book.ts';
import type { BookSeen, HealthSeen, LiveInfo, MarketEvent } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Feed } from '../../bot/exchange/port.ts';

export class StartingData {
  readonly #feed: Feed;
  readonly #books = new Map<MarketId, BookSeen>();
  readonly #infos = new Map<MarketId, LiveInfo>();
  readonly #health = new Map<string, HealthSeen>();
  readonly #subscription: Subscription;

  /** Polls from now on, until `close`. */
  constructor(feed: Feed) {
    this.#feed = feed;
    // An error of the feed is ignored here because `complete` rejects with it.
    this.#subscription = feed.events.subscribe({ next: (event) => this.#see(event), error: () => undefined });
  }

  /** Settles when every market has a book with a bid and an ask, and its prices. Rejects with a UserError after `forMs`. */
  async complete({ clock, forMs }: { clock: Clock; forMs: Millis }): Promise<void> {
    const whenComplete = this.#feed.events.pipe(
      startWith(undefined),
      filter(() => this.#incomplete().length === 0),
      map(() => []),
    );
    const whenLate = timer(forMs, schedulerFrom(clock)).pipe(map(() => this.#incomplete()));
    const incomplete = await firstValueFrom(race(whenComplete, whenLate));
    if (incomplete.length === 0) return;
    const names = incomplete.map(({ symbol }) => symbol).join(', ');
    const message = `${names}: no order book with a bid and an ask, or no prices, within ${forMs / 1_000} s`;
    throw new UserError({ code: 'exchange', message, hint: 'start the run when the market trades, or wait longer with --start-timeout' });
  }

  /** Returns the last two-sided book of a market, and its live info. Throws if none was seen. */
  of(market: MarketId): { readonly book: BookSeen; readonly info: LiveInfo | undefined } {
    const book = this.#books.get(market);
    if (book === undefined) throw new Error(`no book of market ${market} was seen`);
    return { book, info: this.#infos.get(market) };
  }

  /** Returns the newest health of each stream. */
  health(): readonly HealthSeen[] {
    return [...this.#health.values()];
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  #see(event: MarketEvent): void {
    if (event.kind === 'bookSeen' && midTicksOf(event) !== undefined) this.#books.set(event.book.market, event);
    if (event.kind === 'infoSeen') for (const info of event.infos) this.#infos.set(info.market, info);
    if (event.kind === 'healthSeen') this.#health.set(`${event.stream} ${event.market ?? ''}`, event);
  }

  /** Returns the markets that lack a book or prices. */
  #incomplete(): readonly Market[] {
    return this.#feed.markets.filter(({ id }) => !this.#books.has(id) || !this.#infos.has(id));
  }
}

/** Returns the mid price in ticks; undefined if a side is empty. */
export function midTicksOf({ book }: Pick<BookSeen, 'book'>): number | undefined {
  const [bid, ask] = [best(book, 'bid'), best(book, 'ask')];
  return bid === undefined || ask === undefined ? undefined : (bid.price + ask.price) / 2;
}
