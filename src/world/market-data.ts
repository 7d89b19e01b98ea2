// The newest order book and live info of each market, and which streams cannot be relied upon.
import type { Book } from '../domain/book.ts';
import type { BookSeen, HealthSeen, InfoSeen, LiveInfo } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import { sameInfo } from './same.ts';
import type { Seen } from './seen.ts';

/** What an event changed for whoever judges; `step`: an order of ours went on its way, and as much of it can be filled as before. */
export type Change = 'none' | 'step' | 'news';

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

  see(event: BookSeen | InfoSeen | HealthSeen): Change {
    switch (event.kind) {
      case 'bookSeen':
        this.#books.set(event.book.market, { value: event.book, asked: event.asked, at: event.at });
        return 'none';
      case 'infoSeen':
        return this.#infoSeen(event);
      case 'healthSeen':
        this.#healthSeen(event);
        return 'news';
    }
  }

  #infoSeen({ infos, asked, at }: InfoSeen): Change {
    let change: Change = 'none';
    for (const info of infos) {
      const before = this.#infos.get(info.market)?.value;
      if (before === undefined || !sameInfo(before, info)) change = 'news';
      this.#infos.set(info.market, { value: info, asked, at });
    }
    return change;
  }

  #healthSeen(event: HealthSeen): void {
    const key = `${event.stream}/${event.market ?? ''}`;
    if (event.healthy) this.#unhealthy.delete(key);
    else this.#unhealthy.set(key, event);
  }
}
