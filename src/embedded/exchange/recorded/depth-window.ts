// Both sides of a recorded book around their best prices, in one array, where most rows are applied at full speed.
import { ASK_BIT, KIND_BITS, ROW, type Rows } from '../../rows/rows.ts';

// Local copies, because the JavaScript engine would load an imported name again for every row.
const KIND = KIND_BITS;
const LEVEL = ROW.level;
const ASK_SHIFT = Math.log2(ASK_BIT);

/** The slot of an empty side. */
export const NONE = -1;
/** Initial width of a half in ticks. */
const FIRST_WIDTH = 1 << 12;
/** 2^BLOCK slots are a block. */
const BLOCK = 4;
const BLOCK_MASK = (1 << BLOCK) - 1;

/** The part of one side of a book that lies in the window. */
export interface WindowSide {
  /** Moves all levels out of the window. */
  unload(): void;
  /** Loads the levels that fit into the window, around the best price. */
  load(): void;
}

/**
 * Bids are the first half of each array, asks the second. A level's place (its slot) is computed from its key: the price of a bid, the negative price of
 * an ask, so that the best key is the greatest on either side. `slot = key + offset` of the half, in 32 bits. Slots of bids are below 2^shift and those of
 * asks are from 2^shift on, so `slot >> shift` is 0 for a slot of the bids, 1 for one of the asks, and anything else outside the window.
 *
 * So the side of a row is used arithmetically, without a branch: a branch would be mispredicted every other time, which takes longer than all other
 * work for a row.
 */
export class DepthWindow {
  readonly #widest: number;
  readonly #sides = new Set<WindowSide>();
  /** A half has 2^shift slots. */
  shift = 0;
  totals = new Float64Array(0);
  /** By block of slots. 0: none of its slots is in use. 1: perhaps one is (cleared only by `usedAtOrBelow`). */
  blocks = new Uint8Array(0);
  /** The watch id of each slot; 0: not watched. */
  watches = new Uint16Array(0);
  // By half: the offset of the slots, the best slot in use, a slot below which none is in use, and the slot at which the best price would trade with one of our orders.
  readonly offsets = new Int32Array(2);
  readonly bests = new Int32Array(2);
  readonly lowests = new Int32Array(2);
  readonly limits = new Int32Array(2);

  /** `widest`: maximum ticks of a half, a power of two and at least 8. */
  constructor(widest: number) {
    this.#widest = widest;
    this.#cut(Math.min(widest, FIRST_WIDTH));
  }

  join(side: WindowSide): void {
    this.#sides.add(side);
  }

  /** Makes both halves eight times as wide, up to the widest. */
  widen(): void {
    const width = 1 << this.shift;
    if (width === this.#widest) return;
    for (const side of this.#sides) side.unload();
    this.#cut(Math.min(width * 8, this.#widest));
    for (const side of this.#sides) side.load();
  }

  #cut(width: number): void {
    this.shift = Math.log2(width);
    this.totals = new Float64Array(2 * width);
    this.blocks = new Uint8Array(Math.ceil((2 * width) / (1 << BLOCK)));
    this.watches = new Uint16Array(2 * width);
    this.bests.fill(NONE);
    this.lowests.set([width, 2 * width]);
  }

  /** Sets the total at a slot, which is then in use. */
  setTotal(slot: number, size: number): void {
    this.totals[slot] = size;
    this.blocks[slot >> BLOCK] = 1;
  }

  /** Returns the next slot in use, from `slot` downwards; one below `lowest` if there is none. A book has few levels, and its window thousands of slots. */
  usedAtOrBelow(slot: number, lowest: number): number {
    const { totals, blocks } = this;
    let from = slot;
    while (from >= lowest) {
      const block = from >> BLOCK;
      const first = Math.max(lowest, block << BLOCK);
      if (blocks[block] !== 0) {
        for (let at = from; at >= first; at--) if (totals[at] !== 0) return at;
        // nothing found: if the whole block was searched, it is marked as empty
        const isSearched = (from & BLOCK_MASK) === BLOCK_MASK && (first & BLOCK_MASK) === 0;
        if (isSearched) blocks[block] = 0;
      }
      from = first - 1;
    }
    return from;
  }

  /**
   * Applies level rows from `from` to before `end`, and stops at a row that it cannot handle. Returns the index of that row: of another kind, outside
   * the window, removing the best price, moving it to its limit, or lowering the total of a watched slot.
   */
  follow({ codes, prices, sizes }: Rows, from: number, end: number): number {
    const { totals, blocks, watches, offsets, bests, lowests, limits, shift } = this;
    for (let at = from; at < end; at++) {
      const code = codes[at]!;
      if ((code & KIND) !== LEVEL) return at;
      const half = (code >> ASK_SHIFT) & 1;
      const slot = (Math.imul(prices[at]!, 1 - 2 * half) + offsets[half]!) | 0;
      if (slot >> shift !== half) return at;
      const size = sizes[at]!;
      if (watches[slot] !== 0 && size < totals[slot]!) return at;
      if (size === 0) {
        if (slot === bests[half]) return at;
      } else {
        if (slot > bests[half]!) {
          if (slot >= limits[half]!) return at;
          bests[half] = slot;
        }
        if (slot < lowests[half]!) lowests[half] = slot;
        blocks[slot >> BLOCK] = 1;
      }
      totals[slot] = size;
    }
    return end;
  }
}
