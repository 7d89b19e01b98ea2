// One half of a `DepthWindow`: the window of one side, in slots.
import type { Side } from '../../../bot/domain/book.ts';
import { type DepthWindow, NONE } from './depth-window.ts';

const FURTHEST = 2 ** 31 - 1;

export class WindowHalf {
  readonly #depthWindow: DepthWindow;
  readonly #bit: 0 | 1;

  constructor(depthWindow: DepthWindow, side: Side) {
    this.#depthWindow = depthWindow;
    this.#bit = side === 'bid' ? 0 : 1;
  }

  /** The best slot in use; NONE if the side is empty. */
  get best(): number {
    return this.#depthWindow.bests[this.#bit]!;
  }

  /** The lowest slot that may be in use. */
  get lowest(): number {
    return this.#depthWindow.lowests[this.#bit]!;
  }

  /** The first slot. */
  get start(): number {
    return this.#bit << this.#depthWindow.shift;
  }

  get width(): number {
    return 1 << this.#depthWindow.shift;
  }

  slotOf(key: number): number {
    return (key + this.#depthWindow.offsets[this.#bit]!) | 0;
  }

  keyOf(slot: number): number {
    return (slot - this.#depthWindow.offsets[this.#bit]!) | 0;
  }

  holds(slot: number): boolean {
    return slot >> this.#depthWindow.shift === this.#bit;
  }

  /** Returns the next slot in use, from `slot` downwards; below `lowest` if there is none. */
  usedAtOrBelow(slot: number): number {
    return this.#depthWindow.usedAtOrBelow(slot, this.lowest);
  }

  total(slot: number): number {
    return this.#depthWindow.totals[slot]!;
  }

  watch(slot: number): number {
    return this.#depthWindow.watches[slot]!;
  }

  /** Sets the watch of a key, if the key is in the window. */
  setWatch(key: number, watch: number): void {
    const slot = this.slotOf(key);
    if (this.holds(slot)) this.#depthWindow.watches[slot] = watch;
  }

  /** Sets the limit: rows that would move the best to this key or above are not applied by `follow`. */
  setLimit(key: number): void {
    this.#depthWindow.limits[this.#bit] = Math.min(key + this.#depthWindow.offsets[this.#bit]!, FURTHEST);
  }

  /** Moves the window, which must be empty, so that a quarter of it lies above this key. */
  moveTo(key: number): void {
    this.#depthWindow.offsets[this.#bit] = this.start + ((this.width * 3) >> 2) - key;
  }

  /** Sets the total at a slot. Returns true if it is the new best. */
  setTotal(slot: number, size: number): boolean {
    const { bests, lowests } = this.#depthWindow;
    this.#depthWindow.setTotal(slot, size);
    if (slot < lowests[this.#bit]!) lowests[this.#bit] = slot;
    if (slot <= bests[this.#bit]!) return false;
    bests[this.#bit] = slot;
    return true;
  }

  /** Empties a slot. Returns true if it was the best; the next slot in use then becomes the best. */
  clearSlot(slot: number): boolean {
    const { totals, bests } = this.#depthWindow;
    totals[slot] = 0;
    if (slot !== this.best) return false;
    const next = this.usedAtOrBelow(slot - 1);
    if (next < this.lowest) this.clear();
    else bests[this.#bit] = next;
    return true;
  }

  clear(): void {
    const { totals, bests, lowests } = this.#depthWindow;
    if (this.best !== NONE) totals.fill(0, this.lowest, this.best + 1);
    bests[this.#bit] = NONE;
    lowests[this.#bit] = this.start + this.width;
  }
}
