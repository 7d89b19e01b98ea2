// A binary heap: the smallest first, and among equals the one that was pushed first.

export class Heap<T> {
  readonly #items: T[] = [];
  /** How many were pushed before each item, in a list of its own, so that a push makes no object. */
  readonly #orders: number[] = [];
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
    return this.#items[0];
  }

  push(item: T): void {
    const [items, orders] = [this.#items, this.#orders];
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#compare(items[parent]!, item) <= 0) break; // of equals, the parent was pushed first
      items[at] = items[parent]!;
      orders[at] = orders[parent]!;
      at = parent;
    }
    items[at] = item;
    orders[at] = this.#pushed++;
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    const order = this.#orders.pop();
    if (last !== undefined && order !== undefined && this.#items.length > 0) this.#sink(last, order);
    return top;
  }

  /** Moves an item down from the free top to its place. */
  #sink(item: T, order: number): void {
    const [items, orders] = [this.#items, this.#orders];
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && this.#isBefore(items[child + 1]!, orders[child + 1]!, child)) child++;
      if (this.#isBefore(item, order, child)) break;
      items[at] = items[child]!;
      orders[at] = orders[child]!;
      at = child;
    }
    items[at] = item;
    orders[at] = order;
  }

  /** True if the item comes out before the one at that place. */
  #isBefore(item: T, order: number, place: number): boolean {
    const difference = this.#compare(item, this.#items[place]!);
    return difference < 0 || (difference === 0 && order < this.#orders[place]!);
  }
}
