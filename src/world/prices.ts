// What the markets show: their books, what is said of them live, and the trades that the events of this turn tell.
import { joined } from '../base/joined.ts';
import type { Book } from '../domain/book.ts';
import type { Event, InfoSeen, LiveInfo } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Trade } from '../domain/order.ts';
import { sameInfo } from './same.ts';
import type { Seen } from './seen.ts';

const NONE: readonly Trade[] = [];

export class Prices {
  readonly #books = new Map<MarketId, Seen<Book>>();
  readonly #infos = new Map<MarketId, Seen<LiveInfo>>();
  #trades = NONE;
  #stakes = 0;

  /** Another number whenever the live info says something else. */
  get stakes(): number {
    return this.#stakes;
  }

  book(market: MarketId): Seen<Book> | undefined {
    return this.#books.get(market);
  }

  info(market: MarketId): Seen<LiveInfo> | undefined {
    return this.#infos.get(market);
  }

  trades(market: MarketId): readonly Trade[] {
    return this.#trades.length === 0 ? NONE : this.#trades.filter((trade) => trade.market === market);
  }

  beginTurn(): void {
    this.#trades = NONE;
  }

  apply(event: Event): void {
    if (event.kind === 'tradesSeen') this.#trades = joined(this.#trades, event.trades);
    if (event.kind === 'bookSeen') this.#books.set(event.book.market, { value: event.book, asked: event.asked, at: event.at });
    if (event.kind === 'infoSeen') this.#infoSeen(event);
  }

  #infoSeen({ infos, asked, at }: InfoSeen): void {
    for (const info of infos) {
      const before = this.#infos.get(info.market)?.value;
      if (before === undefined || !sameInfo(before, info)) this.#stakes++;
      this.#infos.set(info.market, { value: info, asked, at });
    }
  }
}
