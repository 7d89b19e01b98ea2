// A map of orders or other things of a market by their id. Caches its lists until the next change, and marks each change in the revisions.
import { TransientMap } from '../../../base/collections/transient-map.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Revisions } from '../revisions.ts';

export class MapWithLists<Id, Thing extends { readonly market: MarketId }> {
  readonly #things = new TransientMap<Id, Thing>();
  readonly #lists = new TransientMap<MarketId | undefined, readonly Thing[]>();
  readonly #alike: (one: Thing, other: Thing) => boolean;
  readonly #revisions: Revisions;

  /** Every change moves the revision `orders`. `exposure` moves unless an item is replaced by one that is `alike`. */
  constructor(revisions: Revisions, alike: (one: Thing, other: Thing) => boolean = () => false) {
    this.#revisions = revisions;
    this.#alike = alike;
  }

  get size(): number {
    return this.#things.size;
  }

  get(id: Id): Thing | undefined {
    return this.#things.get(id);
  }

  set(id: Id, thing: Thing): void {
    const before = this.#things.get(id);
    this.#things.set(id, thing);
    this.#markChanged(before === undefined || !this.#alike(before, thing));
  }

  delete(id: Id): void {
    if (!this.#things.delete(id)) return;
    this.#markChanged(true);
  }

  clear(): void {
    if (this.#things.size === 0) return;
    this.#things.clear();
    this.#markChanged(true);
  }

  /** Returns the items in order of insertion; of one market if it is given. A returned list is never modified. */
  list(market?: MarketId): readonly Thing[] {
    const cached = this.#lists.get(market);
    if (cached !== undefined) return cached;
    const list: Thing[] = [];
    for (const thing of this.#things.values()) if (market === undefined || thing.market === market) list.push(thing);
    this.#lists.set(market, list);
    return list;
  }

  #markChanged(exposure: boolean): void {
    this.#lists.clear();
    this.#revisions.markChanged('orders');
    if (exposure) this.#revisions.markChanged('exposure');
  }
}
