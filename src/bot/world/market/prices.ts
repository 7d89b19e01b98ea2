// The order books, the live info, and the market trades in the events of this turn.

import type { Millis } from '../../../base/clock.ts';
import { concat } from '../../../base/collections/lists.ts';
import type { Book } from '../../domain/book.ts';
import type { BookSeen, InfoSeen, LiveInfo, TradesSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Ticks } from '../../domain/numbers.ts';
import type { Order, Trade } from '../../domain/order.ts';
import type { Revisions } from '../revisions.ts';
import { sameInfo } from '../same.ts';
import type { Seen } from '../seen.ts';

const NONE: readonly Trade[] = [];

export class Prices {
  readonly #books = new Map<MarketId, Seen<Book>>();
  readonly #infos = new Map<MarketId, Seen<LiveInfo>>();
  readonly #revisions: Revisions;
  /** When the exchange last refused an action because the market is frozen. Live info requested before that does not clear the mark. */
  readonly #frozenAt = new Map<MarketId, Millis>();
  #trades = NONE;

  constructor(revisions: Revisions) {
    this.#revisions = revisions;
  }

  book(market: MarketId): Seen<Book> | undefined {
    return this.#books.get(market);
  }

  info(market: MarketId): Seen<LiveInfo> | undefined {
    return this.#infos.get(market);
  }

  /** The mark price, or the index price if there is none. */
  price(market: MarketId): Ticks | undefined {
    const info = this.info(market)?.value;
    return info?.mark ?? info?.index;
  }

  trades(market: MarketId): readonly Trade[] {
    return this.#trades.length === 0 ? NONE : this.#trades.filter((trade) => trade.market === market);
  }

  beginTurn(): void {
    if (this.#trades.length > 0) this.#revisions.markChanged('trades');
    this.#trades = NONE;
  }

  apply(event: BookSeen | InfoSeen | TradesSeen): void {
    if (event.kind === 'tradesSeen') this.#tradesSeen(event);
    if (event.kind === 'bookSeen') this.#bookSeen(event);
    if (event.kind === 'infoSeen') this.#infoSeen(event);
  }

  /** Marks the market of `order` as frozen, after a refusal for this reason. `order` is undefined if it is no longer known. */
  refusedAsFrozen(order: Order | undefined, at: Millis): void {
    if (order === undefined) return;
    const { market } = order;
    this.#frozenAt.set(market, at);
    const seen = this.#infos.get(market);
    if (seen === undefined || seen.value.frozen) return;
    this.#revisions.markChanged('info');
    this.#infos.set(market, { ...seen, value: { ...seen.value, frozen: true } });
  }

  #tradesSeen({ trades }: TradesSeen): void {
    if (trades.length > 0) this.#revisions.markChanged('trades');
    this.#trades = concat(this.#trades, trades);
  }

  #bookSeen({ book, asked, at }: BookSeen): void {
    if (this.#books.get(book.market)?.value !== book) this.#revisions.markChanged('book');
    this.#books.set(book.market, { value: book, asked, at });
  }

  #infoSeen({ infos, asked, at }: InfoSeen): void {
    for (const reported of infos) {
      const info = asked < (this.#frozenAt.get(reported.market) ?? asked) ? { ...reported, frozen: true } : reported;
      const before = this.#infos.get(info.market)?.value;
      if (before === undefined || !sameInfo(before, info)) this.#revisions.markChanged('info');
      this.#infos.set(info.market, { value: info, asked, at });
    }
  }
}
