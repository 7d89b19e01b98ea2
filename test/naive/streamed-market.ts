// A simple model of a changing market at a server: whole books for polls, and frames of changed levels for the stream.
import type { Rng } from '../../src/base/rng.ts';
import type { Book, Level } from '../../src/bot/domain/book.ts';
import { lots, ticks } from '../../src/bot/domain/numbers.ts';
import type { BookDelta } from '../../src/venues/shared/delta-book.ts';

type Sides = { bid: Map<number, number>; ask: Map<number, number> };

export class StreamedMarket {
  readonly #rng: Rng;
  readonly #sides: Sides = { bid: new Map(), ask: new Map() };
  /** State at the last frame. */
  #framed: Sides = { bid: new Map(), ask: new Map() };
  #framedId: number;
  #id: number;
  /** All past states, by number. */
  readonly states = new Map<string, string>();

  constructor(rng: Rng) {
    this.#rng = rng;
    this.#id = this.#int(900, 1_100);
    this.#framedId = this.#id;
    for (let away = 1; away <= 5; away++) {
      this.#sides.bid.set(1_000 - away, this.#int(1, 50));
      this.#sides.ask.set(1_000 + away, this.#int(1, 50));
    }
    this.#framed = copied(this.#sides);
    this.#note();
  }

  /** Changes some levels and increases the number by one or more, as action ids do. */
  move(): void {
    const middle = 1_000 + this.#int(-3, 3);
    for (let change = this.#int(1, 3); change > 0; change--) {
      const side = this.#rng.next() < 0.5 ? 'bid' : 'ask';
      const price = side === 'bid' ? middle - this.#int(1, 6) : middle + this.#int(1, 6);
      if (this.#rng.next() < 0.3) this.#sides[side].delete(price);
      else this.#sides[side].set(price, this.#int(1, 50));
    }
    for (const price of this.#sides.bid.keys()) if (price >= middle) this.#sides.bid.delete(price);
    for (const price of this.#sides.ask.keys()) if (price <= middle) this.#sides.ask.delete(price);
    this.#id += this.#int(1, 3);
    this.#note();
  }

  /** Increases the number without a change of the book, as actions in other markets do. */
  count(): void {
    this.#id += this.#int(1, 3);
    this.#note();
  }

  /** Returns a frame of all changes since the last frame. */
  frame(): BookDelta {
    const delta = {
      lastUpdateId: String(this.#framedId),
      updateId: String(this.#id),
      bids: this.#changes('bid'),
      asks: this.#changes('ask'),
    };
    this.#framed = copied(this.#sides);
    this.#framedId = this.#id;
    return delta;
  }

  book(): Book {
    const levels = (side: 'bid' | 'ask'): Level[] =>
      [...this.#sides[side]]
        .sort(([a], [b]) => (side === 'bid' ? b - a : a - b))
        .map(([price, size]) => ({ price: ticks(price), size: lots(size) }));
    return { market: 0, updateId: String(this.#id), bids: levels('bid'), asks: levels('ask') };
  }

  #note(): void {
    this.states.set(String(this.#id), stateOf(this.book()));
  }

  #changes(side: 'bid' | 'ask'): Level[] {
    const [was, is] = [this.#framed[side], this.#sides[side]];
    const prices = new Set([...was.keys(), ...is.keys()]);
    return [...prices]
      .filter((price) => was.get(price) !== is.get(price))
      .map((price) => ({ price: ticks(price), size: lots(is.get(price) ?? 0) }));
  }

  #int(low: number, high: number): number {
    return low + Math.floor(this.#rng.next() * (high - low + 1));
  }
}

export const stateOf = ({ bids, asks }: Book): string =>
  JSON.stringify([bids, asks].map((levels) => levels.map(({ price, size }) => [price, size])));

const copied = ({ bid, ask }: Sides): Sides => ({ bid: new Map(bid), ask: new Map(ask) });
