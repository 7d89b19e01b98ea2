// The order book rebuilt from the rows of a recording: total size by price, and the best price of each side.
import type { Side } from '../../../bot/domain/book.ts';

/** Number of ticks searched one by one for the next best price, before all prices are searched. */
const LONGEST_WALK = 512;

export class RebuiltBook {
  readonly #sizes: Readonly<Record<Side, Map<number, number>>> = { bid: new Map(), ask: new Map() };
  readonly #best: Record<Side, number | undefined> = { bid: undefined, ask: undefined };

  /** Size in lots; 0 if nothing rests there. */
  size(side: Side, price: number): number {
    return this.#sizes[side].get(price) ?? 0;
  }

  best(side: Side): number | undefined {
    return this.#best[side];
  }

  prices(side: Side): Iterable<number> {
    return this.#sizes[side].keys();
  }

  get crossed(): boolean {
    const { bid, ask } = this.#best;
    return bid !== undefined && ask !== undefined && bid >= ask;
  }

  set(side: Side, price: number, size: number): void {
    const sizes = this.#sizes[side];
    const best = this.#best[side];
    if (size > 0) {
      sizes.set(price, size);
      if (best === undefined || (side === 'bid' ? price > best : price < best)) this.#best[side] = price;
    } else if (sizes.delete(price) && price === best) {
      this.#best[side] = this.#next(side, price);
    }
  }

  clear(): void {
    for (const side of ['bid', 'ask'] as const) {
      this.#sizes[side].clear();
      this.#best[side] = undefined;
    }
  }

  /** Returns the best remaining price after the best one, `gone`, was removed. */
  #next(side: Side, gone: number): number | undefined {
    const sizes = this.#sizes[side];
    if (sizes.size === 0) return undefined;
    const step = side === 'bid' ? -1 : 1;
    for (let walked = 1; walked <= LONGEST_WALK; walked += 1) {
      if (sizes.has(gone + step * walked)) return gone + step * walked;
    }
    let best: number | undefined;
    for (const price of sizes.keys()) if (best === undefined || (price - best) * step < 0) best = price;
    return best;
  }
}
