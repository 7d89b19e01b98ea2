// The recorded totals of one side of a book: in a window of ticks around the best price, and in a map for those far behind it.
import { assert } from '../../../base/errors.ts';
import { type Level, type Side, signOf } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { type DepthWindow, NONE, type WindowSide } from './depth-window.ts';
import { WindowHalf } from './window-half.ts';

/** Identifies a watched price. */
export type WatchId = number;

/** The id of a price that is not watched. `put` also returns it if there is nothing to report. */
export const NOT_WATCHED: WatchId = 0;

const MAX_WATCHES = 1 << 16;
/** With more levels than this behind the window, it is widened. */
const MANY_FAR = 64;

/**
 * Prices are stored as keys, as in `DepthWindow`: the best is the greatest. The levels around the best price are in a half of a `DepthWindow`, and those
 * far behind it in a map, whose keys are all lower. The window moves with the best price, and widens if many levels are behind it.
 */
export class Depth implements WindowSide {
  readonly #sign: 1 | -1;
  readonly #depthWindow: DepthWindow;
  readonly #half: WindowHalf;
  readonly #watched = new Map<number, WatchId>();
  /** By watch id: `put` reports a total below this threshold. */
  #thresholds = new Float64Array(64);
  readonly #far = new Map<number, number>();
  /** The levels of the map, best first; undefined if it has changed since they were sorted. */
  #sortedFar: readonly Level[] | undefined;
  #before = 0;
  /** The key at or above which the best price would trade with one of our orders on the other side. */
  #limit = Number.POSITIVE_INFINITY;
  #crossesOurs = false;
  /** The number of levels of the last `show`. Both arrays are reused in turn, because growing new ones is slower. */
  #shownCount = 0;
  #shown: Level[] = [];
  #unused: Level[] = [];

  constructor(side: Side, depthWindow: DepthWindow) {
    this.#sign = signOf(side);
    this.#depthWindow = depthWindow;
    this.#half = new WindowHalf(depthWindow, side);
    depthWindow.join(this);
    this.#openAt(0);
  }

  get best(): Ticks | undefined {
    const { best } = this.#half;
    return best === NONE ? undefined : this.#priceAt(best);
  }

  total(price: Ticks): Lots {
    const key = price * this.#sign;
    const slot = this.#half.slotOf(key);
    return (this.#half.holds(slot) ? this.#half.total(slot) : (this.#far.get(key) ?? 0)) as Lots;
  }

  /** The total at the price for which `put` last returned a watch id, before that call. */
  get before(): number {
    return this.#before;
  }

  /** Sets the total at a price. Returns the price's watch id if the total fell below its threshold, else NOT_WATCHED. */
  put(price: number, size: number): WatchId {
    const key = price * this.#sign;
    const half = this.#half;
    const slot = half.slotOf(key);
    if (!half.holds(slot)) return this.#putOutside(key, size);
    const watch = half.watch(slot);
    const reported = watch === NOT_WATCHED ? NOT_WATCHED : this.#reportable(watch, half.total(slot), size);
    if (size > 0) this.#setTotal(slot, size);
    else if (half.clearSlot(slot)) this.#bestEmptied();
    return reported;
  }

  /** Returns the watch id if the new size must be reported, else NOT_WATCHED. */
  #reportable(watch: WatchId, before: number, size: number): WatchId {
    if (size >= before || size >= this.#thresholds[watch]!) return NOT_WATCHED;
    this.#before = before;
    return watch;
  }

  /** Sets the best price of our orders on the other side; undefined if there is none. */
  setOurBest(price: Ticks | undefined): void {
    this.#limit = price === undefined ? Number.POSITIVE_INFINITY : price * this.#sign;
    this.#half.setLimit(this.#limit);
    this.#crossesOurs = this.#isAtLimit;
  }

  /** True if the best price of this side would trade with that order of ours. */
  get crossesOurs(): boolean {
    return this.#crossesOurs;
  }

  /** Watches a price under this id, which `put` then returns for it. NOT_WATCHED ends that. */
  watch(price: Ticks, watch: WatchId): void {
    assert(watch < MAX_WATCHES, `more than ${MAX_WATCHES - 1} prices are watched`);
    const key = price * this.#sign;
    if (watch === NOT_WATCHED) this.#watched.delete(key);
    else this.#watched.set(key, watch);
    this.#half.setWatch(key, watch);
  }

  /** Sets the total below which `put` returns the watch id. */
  setThreshold(watch: WatchId, below: number): void {
    if (watch >= this.#thresholds.length) this.#thresholds = twice(this.#thresholds);
    this.#thresholds[watch] = below;
  }

  /** Removes all levels; watched prices stay watched. */
  clear(): void {
    this.#half.clear();
    this.#crossesOurs = false;
    this.#far.clear();
    this.#sortedFar = undefined;
  }

  /** Writes at most `count` levels into `shown`, best first, and returns their number. Unchanged levels are the same objects. */
  show(count: number): number {
    const before = this.#shown;
    const levels = this.#unused;
    const sign = this.#sign;
    const shownBefore = this.#shownCount;
    const half = this.#half;
    const { totals } = this.#depthWindow;
    const { best, lowest } = half;
    const origin = half.keyOf(0);
    let found = 0;
    let at = 0;
    // most levels are one tick from the next
    for (let slot = best; slot >= lowest && found < count; slot = totals[slot - 1] === 0 ? half.usedAtOrBelow(slot - 2) : slot - 1) {
      const size = totals[slot]!;
      const key = (origin + slot) | 0;
      const price = key * sign;
      while (at < shownBefore && before[at]!.price * sign > key) at++; // levels that were shown before and are gone
      const same = at < shownBefore && before[at]!.price === price && before[at]!.size === size;
      levels[found++] = same ? before[at]! : { price: price as Ticks, size: size as Lots };
    }
    if (this.#far.size > 0 && found < count) {
      const far = this.#levelsBehind();
      for (let rank = 0; rank < far.length && found < count; rank++) levels[found++] = far[rank]!;
    }
    this.#shown = levels;
    this.#unused = before;
    this.#shownCount = found;
    return found;
  }

  /** The levels of the last `show`; entries beyond its count are invalid. */
  get shown(): readonly Level[] {
    return this.#shown;
  }

  /** Visits the levels, best first, until `visit` returns false. */
  walk(visit: (price: Ticks, size: Lots) => boolean): void {
    const half = this.#half;
    const { best, lowest } = half;
    for (let slot = best; slot >= lowest; slot = half.usedAtOrBelow(slot - 1))
      if (!visit(this.#priceAt(slot), lots(half.total(slot)))) return;
    if (this.#far.size === 0) return;
    for (const { price, size } of this.#levelsBehind()) if (!visit(price, size)) return;
  }

  /** Levels behind the window, best first. */
  #levelsBehind(): readonly Level[] {
    const sign = this.#sign;
    this.#sortedFar ??= [...this.#far].sort(([a], [b]) => b - a).map(([key, size]) => ({ price: ticks(key * sign), size: lots(size) }));
    return this.#sortedFar;
  }

  #putOutside(key: number, size: number): WatchId {
    const watch = this.#watched.get(key) ?? NOT_WATCHED;
    this.#before = this.#far.get(key) ?? 0;
    if (key < this.#half.keyOf(this.#half.start) && this.#half.best !== NONE) {
      if (size > 0) this.#far.set(key, size);
      else this.#far.delete(key);
      this.#sortedFar = undefined;
      if (this.#far.size > MANY_FAR) this.#depthWindow.widen();
    } else if (size > 0) {
      this.unload();
      this.#openAt(key);
      this.#setTotal(this.#half.slotOf(key), size);
    }
    return size < this.#before && size < this.#thresholds[watch]! ? watch : NOT_WATCHED;
  }

  #setTotal(slot: number, size: number): void {
    if (this.#half.setTotal(slot, size)) this.#crossesOurs ||= this.#isAtLimit;
  }

  /** Called after the best level was emptied. Moves the window if the new best price lies behind it or near its end. */
  #bestEmptied(): void {
    const { best, start, width } = this.#half;
    this.#crossesOurs &&= this.#isAtLimit;
    if (this.#far.size === 0 || best >= start + (width >> 3)) return;
    this.unload();
    this.load();
  }

  get #isAtLimit(): boolean {
    const { best } = this.#half;
    return best !== NONE && this.#half.keyOf(best) >= this.#limit;
  }

  unload(): void {
    const half = this.#half;
    this.#sortedFar = undefined;
    const { best, lowest } = half;
    for (let slot = best; slot >= lowest; slot = half.usedAtOrBelow(slot - 1)) this.#far.set(half.keyOf(slot), half.total(slot));
    half.clear();
    for (const key of this.#watched.keys()) half.setWatch(key, NOT_WATCHED);
    this.#crossesOurs = false;
  }

  load(): void {
    this.#openAt(greatest(this.#far.keys()) ?? 0);
  }

  #openAt(key: number): void {
    const half = this.#half;
    half.moveTo(key);
    half.setLimit(this.#limit);
    for (const [watched, watch] of this.#watched) half.setWatch(watched, watch);
    for (const [far, size] of this.#far) {
      if (!half.holds(half.slotOf(far))) continue;
      this.#far.delete(far);
      this.#sortedFar = undefined;
      this.#setTotal(half.slotOf(far), size);
    }
  }

  #priceAt(slot: number): Ticks {
    return ticks(this.#half.keyOf(slot) * this.#sign);
  }
}

function greatest(keys: Iterable<number>): number | undefined {
  let found: number | undefined;
  for (const key of keys) if (found === undefined || key > found) found = key;
  return found;
}

function twice(old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(old.length * 2);
  grown.set(old);
  return grown;
}
