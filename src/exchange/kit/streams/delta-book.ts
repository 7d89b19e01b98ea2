// A book that is kept from frames of changed levels, under the numbers of the books that are polled.
//
// It begins with a polled book and goes on by frames that follow each other without a gap: a lost, repeated or misplaced frame shows in its numbers. A
// gap, a crossed book, or a poll of the same number that shows another book ends it, and the next poll begins it again.
import type { Millis } from '../../../base/clock.ts';
import { type Book, best, type Level } from '../../../domain/book.ts';
import { compareIds, type UpdateId } from '../../../domain/ids.ts';
import { type Side, signOf } from '../../../domain/side.ts';
import type { Seen } from '../../../streams/answer.ts';

export interface BookDelta {
  /** The number of the frame before. */
  readonly lastUpdateId: UpdateId;
  readonly updateId: UpdateId;
  /** New totals; size 0 for a level that is gone. In any order. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Frames that wait for a poll, and polls that wait for frames. Beyond it the oldest are dropped, and the book begins later. */
const MOST_WAITING = 1_000;

/** So many polls between frames must show an uncertain book before it is believed. */
const ENOUGH = 3;

interface Kept {
  readonly book: Book;
  /** When the newest poll was asked for whose book is not newer than this one. */
  readonly asked: Millis;
  /** The number that the next frame must name; undefined right after a poll whose own frame was not seen. */
  readonly follows: UpdateId | undefined;
  /** True if the book is certainly that of its number. */
  readonly isCertain: boolean;
}

export class DeltaBook {
  #kept: Kept | undefined;
  #frames: BookDelta[] = [];
  /** Polls that are ahead of the frames, oldest first. */
  #ahead: Seen<Book>[] = [];
  /** How many polls between two frames have shown the book since it began. */
  #agreed = 0;
  /** True once a poll has shown a state that lies between two frames. */
  #skips = false;

  /** The number of the book that is kept. */
  get updateId(): UpdateId | undefined {
    return this.#kept?.book.updateId;
  }

  /** Forgets everything: another connection has begun, or the frames cannot be trusted. */
  reset(): void {
    this.#kept = undefined;
    this.#frames = [];
    this.#ahead = [];
    this.#agreed = 0;
  }

  /** Takes a polled book. Returns the book that follows from it and the frames that waited, if that is newer than the poll. */
  polled(seen: Seen<Book>): Kept | undefined {
    if (this.#kept === undefined) return this.#begin(seen);
    const order = compareIds(seen.value.updateId, this.#kept.book.updateId);
    if (order > 0) {
      this.#ahead.push(seen);
      if (this.#ahead.length > MOST_WAITING) this.#ahead.shift();
    } else if (order < 0 || isSame(seen.value, this.#kept.book)) {
      this.#kept = { ...this.#kept, asked: Math.max(this.#kept.asked, seen.asked), isCertain: this.#kept.isCertain || order === 0 };
    } else this.reset();
    return undefined;
  }

  /** Takes a frame. Returns the book after it; undefined while there is none that can be believed. */
  framed(frame: BookDelta): Kept | undefined {
    const kept = this.#kept;
    if (kept === undefined) {
      this.#frames.push(frame);
      if (this.#frames.length > MOST_WAITING) this.#frames.shift();
      return undefined;
    }
    if (compareIds(frame.updateId, kept.book.updateId) <= 0) return undefined;
    if (!follows(kept, frame)) {
      this.reset();
      this.#frames.push(frame);
      return undefined;
    }
    const settled = this.#checkedBefore(kept, frame);
    if (settled === undefined) {
      this.reset();
      return undefined;
    }
    const book = applied(settled.book, frame);
    if (isCrossed(book)) {
      this.reset();
      return undefined;
    }
    const isCertain = settled.isCertain && (settled.follows !== undefined || frame.lastUpdateId === settled.book.updateId);
    this.#kept = { book, asked: settled.asked, follows: frame.updateId, isCertain };
    this.#reached();
    return this.#kept?.isCertain ? this.#kept : undefined;
  }

  #begin(seen: Seen<Book>): Kept | undefined {
    const frames = this.#frames;
    this.reset();
    this.#kept = { book: seen.value, asked: seen.asked, follows: undefined, isCertain: true };
    let newest: Kept | undefined;
    for (const frame of frames) newest = this.framed(frame) ?? newest;
    return this.#kept === undefined ? undefined : newest;
  }

  /**
   * Polls of numbers between the book and the frame must show the book, unless frames skip states. An uncertain book that they show again and again is
   * certain, as long as no frame is known to have skipped one; an uncertain one that they do not show is given up.
   */
  #checkedBefore(kept: Kept, frame: BookDelta): Kept | undefined {
    let { asked } = kept;
    const passed = this.#ahead.filter((seen) => compareIds(seen.value.updateId, frame.updateId) < 0);
    this.#ahead = this.#ahead.slice(passed.length);
    for (const seen of passed) {
      if (isSame(seen.value, kept.book)) {
        this.#agreed += 1;
        asked = Math.max(asked, seen.asked);
      } else if (kept.isCertain) this.#skips = true;
      else return undefined;
    }
    return { ...kept, asked, isCertain: kept.isCertain || (this.#agreed >= ENOUGH && !this.#skips) };
  }

  /** Compares the book with a poll of the same number. */
  #reached(): void {
    for (let [seen] = this.#ahead; seen !== undefined && seen.value.updateId === this.#kept?.book.updateId; [seen] = this.#ahead) {
      this.#ahead.shift();
      this.polled(seen);
    }
  }
}

/** After a poll, the frame that holds the changes since then: it begins at or before the poll's number. Later ones follow exactly. */
const follows = ({ book, follows: after }: Kept, { lastUpdateId }: BookDelta): boolean =>
  after === undefined ? compareIds(lastUpdateId, book.updateId) <= 0 : lastUpdateId === after;

const applied = (book: Book, { updateId, bids, asks }: BookDelta): Book => ({
  market: book.market,
  updateId,
  bids: merged('bid', book.bids, bids),
  asks: merged('ask', book.asks, asks),
});

function merged(side: Side, levels: readonly Level[], changes: readonly Level[]): readonly Level[] {
  if (changes.length === 0) return levels;
  const changed = new Map(changes.map((level) => [level.price, level]));
  const kept = levels.filter(({ price }) => !changed.has(price));
  const news = [...changed.values()].filter(({ size }) => size > 0);
  return [...kept, ...news].sort((a, b) => (b.price - a.price) * signOf(side));
}

function isCrossed(book: Book): boolean {
  const [bid, ask] = [best(book, 'bid'), best(book, 'ask')];
  return bid !== undefined && ask !== undefined && bid.price >= ask.price;
}

const isSame = (a: Book, b: Book): boolean => isSameSide(a.bids, b.bids) && isSameSide(a.asks, b.asks);

const isSameSide = (a: readonly Level[], b: readonly Level[]): boolean =>
  a.length === b.length && a.every(({ price, size }, index) => price === b[index]?.price && size === b[index]?.size);
