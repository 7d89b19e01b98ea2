// The newest order book and live info of each market, and which streams cannot be relied upon.
import type { Book } from '../domain/book.ts';
import type { BookSeen, HealthSeen, InfoSeen, LiveInfo } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import { sameInfo } from './same.ts';
import type { Seen } from './seen.ts';

export class MarketData {
  readonly #books = new Map<MarketId, Seen<Book>>();
  readonly #infos = new Map<MarketId, Seen<LiveInfo>>();
  readonly #unhealthy = new Map<string, HealthSeen>();

  book(market: MarketId): Seen<Book> | undefined {
    return this.#books.get(market);
  }

  info(market: MarketId): Seen<LiveInfo> | undefined {
    return this.#infos.get(market);
  }

  unhealthy(): Iterable<HealthSeen> {
    return this.#unhealthy.values();
  }

  bookSeen({ book, asked, at }: BookSeen): void {
    this.#books.set(book.market, { value: book, asked, at });
  }

  /** Gives whether it says anything new. */
  infoSeen({ infos, asked, at }: InfoSeen): boolean {
    let news = false;
    for (const info of infos) {
      const before = this.#infos.get(info.market)?.value;
      news ||= before === undefined || !sameInfo(before, info);
      this.#infos.set(info.market, { value: info, asked, at });
    }
    return news;
  }

  healthSeen(event: HealthSeen): void {
    const key = `${event.stream}/${event.market ?? ''}`;
    if (event.healthy) this.#unhealthy.delete(key);
    else this.#unhealthy.set(key, event);
  }
}
