// A binary heap: the smallest first, and among equals the one that was pushed first.

interface Item<T> {
  readonly value: T;
  readonly order: number;
}

export class Heap<T> {
  readonly #items: Item<T>[] = [];
  readonly #compare: (a: T, b: T) => number;
  #pushed = 0;

  /** `compare(a, b) < 0` if `a` comes out before `b`. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0]?.value;
  }

  push(value: T): void {
    const item = { value, order: this.#pushed++ };
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const parent = items[(at - 1) >> 1]!;
      if (this.#compare(parent.value, value) <= 0) break; // of equals, the parent was pushed first
      items[at] = parent;
      at = (at - 1) >> 1;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (top === undefined || last === undefined || this.#items.length === 0) return top?.value;
    this.#sink(last);
    return top.value;
  }

  /** Moves an item down from the free top to its place. */
  #sink(item: Item<T>): void {
    const items = this.#items;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && this.#isBefore(items[child + 1]!, items[child]!)) child++;
      if (this.#isBefore(item, items[child]!)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }

  #isBefore(a: Item<T>, b: Item<T>): boolean {
    const difference = this.#compare(a.value, b.value);
    return difference < 0 || (difference === 0 && a.order < b.order);
  }
}
