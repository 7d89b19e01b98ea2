// The other traders of a fake exchange: quotes around a price that moves, and orders that take.
import { type Cancel, type Clock, every, type Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { FakeExchange, OthersOrder } from './fake.ts';

export interface OtherTradersOptions {
  readonly exchange: FakeExchange;
  readonly market: Market;
  /** The price around which theirs moves, and the size of an order. */
  readonly price: number;
  readonly size: number;
  readonly clock: Clock;
  readonly rng: Rng;
}

const STEP: Millis = 200;
const LEVELS = 10;
/** Of one step, the chance that the quotes are replaced, and that somebody takes. */
const [QUOTES, TAKES] = [0.4, 0.3];
/** The move of a step, the distance of quotes, and how far a taker goes, in basis points. */
const [MOVE, DISTANCE, REACH] = [0.6, 0.4, 3];
const BP = 1e-4;

export class OtherTraders {
  readonly #options: OtherTradersOptions;
  #fair: number;
  /** Ends their trading. */
  readonly stop: Cancel;

  constructor(options: OtherTradersOptions) {
    this.#options = options;
    this.#fair = options.price;
    this.#quote();
    this.stop = every(options.clock, STEP, () => this.#step());
  }

  #step(): void {
    const { rng, price } = this.#options;
    this.#fair += this.#fair * rng.normal() * MOVE * BP + (price - this.#fair) * 0.01;
    if (rng.next() < QUOTES) this.#quote();
    if (rng.next() < TAKES) this.#take();
  }

  #quote(): void {
    const sides = ['bid', 'ask'] as const;
    const levels = Array.from({ length: LEVELS }, (_, level) => level + 1);
    this.#options.exchange.quote(sides.flatMap((side) => levels.map((level) => this.#order(side, -level * DISTANCE))));
  }

  #take(): void {
    const side = this.#options.rng.next() < 0.5 ? 'bid' : 'ask';
    this.#options.exchange.take(this.#order(side, REACH));
  }

  /** An order at a distance from the price, in basis points; a positive distance crosses. */
  #order(side: Side, bps: number): OthersOrder {
    const { market, rng, size } = this.#options;
    const price = market.restAt(side, this.#fair * (1 + (side === 'bid' ? bps : -bps) * BP));
    return { side, price: market.price(price), size: market.size(market.lots(size * (0.2 + 2 * rng.next()))) };
  }
}
