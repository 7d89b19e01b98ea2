// Things of ours by their ids, and the lists of them that every turn asks for: each is made once, and again only when something has changed.
import { Memo } from '../base/memo.ts';
import type { MarketId } from '../domain/ids.ts';

export class Listed<Id, Thing extends { readonly market: MarketId }> {
  readonly #things = new Map<Id, Thing>();
  readonly #lists = new Memo<MarketId | undefined, readonly Thing[]>();

  get size(): number {
    return this.#things.size;
  }

  get(id: Id): Thing | undefined {
    return this.#things.get(id);
  }

  set(id: Id, thing: Thing): void {
    this.#things.set(id, thing);
    this.#lists.clear();
  }

  delete(id: Id): void {
    if (this.#things.delete(id)) this.#lists.clear();
  }

  clear(): void {
    this.#things.clear();
    this.#lists.clear();
  }

  /** In the order in which they came; of one market where it is named. Stays as it is when something changes. */
  list(market?: MarketId): readonly Thing[] {
    return this.#lists.of(market, () => {
      const all = [...this.#things.values()];
      return market === undefined ? all : all.filter((thing) => thing.market === market);
    });
  }
}
