// A binary heap: the earliest first, and among equals the one that was pushed first.

export class Heap<T> {
  readonly #items: { readonly value: T; readonly order: number }[] = [];
  readonly #before: (a: T, b: T) => number;
  #pushed = 0;

  /** `compare(a, b) < 0` when `a` comes out before `b`. */
  constructor(compare: (a: T, b: T) => number) {
    this.#before = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0]?.value;
  }

  push(value: T): void {
    this.#items.push({ value, order: this.#pushed++ });
    let child = this.#items.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (top === undefined || last === undefined || this.#items.length === 0) return top?.value;
    this.#items[0] = last;
    this.#sink(0);
    return top.value;
  }

  #sink(from: number): void {
    let parent = from;
    for (;;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < this.#items.length && this.#isBefore(child, least)) least = child;
      }
      if (least === parent) return;
      this.#swap(least, parent);
      parent = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const left = this.#items[a];
    const right = this.#items[b];
    if (left === undefined || right === undefined) return false;
    const difference = this.#before(left.value, right.value);
    return difference < 0 || (difference === 0 && left.order < right.order);
  }

  #swap(a: number, b: number): void {
    const left = this.#items[a];
    const right = this.#items[b];
    if (left === undefined || right === undefined) return;
    this.#items[a] = right;
    this.#items[b] = left;
  }
}
