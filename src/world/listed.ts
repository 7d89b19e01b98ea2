// Things of ours by their ids, and the lists of them that every turn asks for: each is made once, and again only when something has changed.
import type { MarketId } from '../domain/ids.ts';

export class Listed<Id, Thing extends { readonly market: MarketId }> {
  readonly #things = new Map<Id, Thing>();
  readonly #lists = new Map<MarketId | undefined, readonly Thing[]>();
  readonly #alike: (one: Thing, other: Thing) => boolean;
  #stakes = 0;

  /** `alike` tells of a thing and one that takes its place whether the stakes stay as they are: they do not unless told. */
  constructor(alike: (one: Thing, other: Thing) => boolean = () => false) {
    this.#alike = alike;
  }

  /** Another number whenever one came, went, or was replaced by one that is not alike. */
  get stakes(): number {
    return this.#stakes;
  }

  get size(): number {
    return this.#things.size;
  }

  get(id: Id): Thing | undefined {
    return this.#things.get(id);
  }

  set(id: Id, thing: Thing): void {
    const before = this.#things.get(id);
    if (before === undefined || !this.#alike(before, thing)) this.#stakes++;
    this.#things.set(id, thing);
    this.#lists.clear();
  }

  delete(id: Id): void {
    if (!this.#things.delete(id)) return;
    this.#stakes++;
    this.#lists.clear();
  }

  clear(): void {
    if (this.#things.size === 0) return;
    this.#stakes++;
    this.#things.clear();
    this.#lists.clear();
  }

  /** In the order in which they came; of one market where it is named. Stays as it is when something changes. */
  list(market?: MarketId): readonly Thing[] {
    const known = this.#lists.get(market);
    if (known !== undefined) return known;
    const list: Thing[] = [];
    for (const thing of this.#things.values()) if (market === undefined || thing.market === market) list.push(thing);
    this.#lists.set(market, list);
    return list;
  }
}
