// The markets about which events may have changed something, so that a turn with many markets looks at these only.
import type { Event } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';

/** With more entries than this, all markets count as touched. */
const MAX_ENTRIES = 100;

export class TouchedMarkets {
  #areAll = true;
  #some: MarketId[] = [];

  /** True if something may have changed in every market since `clear`. */
  get areAll(): boolean {
    return this.#areAll;
  }

  /** The markets since `clear`; one may occur twice. */
  get some(): readonly MarketId[] {
    return this.#some;
  }

  /** An order book, live info, trades of others and the passing of time concern only their markets; any other event may concern all. */
  see(event: Event): void {
    if (event.kind === 'bookSeen') this.#add(event.book.market);
    else if (event.kind === 'infoSeen') for (const { market } of event.infos) this.#add(market);
    else if (event.kind !== 'timerFired' && event.kind !== 'tradesSeen') this.#areAll = true;
  }

  clear(): void {
    this.#areAll = false;
    if (this.#some.length > 0) this.#some = []; // a list whose length is set to 0 must grow again too, and setting it takes longer
  }

  #add(market: MarketId): void {
    if (this.#some.length < MAX_ENTRIES) this.#some.push(market);
    else this.#areAll = true;
  }
}
