// An order book maintained from delta frames, with the update numbers of the polled books.
//
// It starts from a polled book and applies frames without a gap; their numbers show a lost, repeated or misplaced frame. A gap, a crossed book, or a
// poll with the same number and another content discards the book; the next poll starts it again.
import type { Millis } from '../../base/clock.ts';
import type { SeenAnswer } from '../../base/streams/answer.ts';
import { type Book, best, type Level, type Side, signOf } from '../../bot/domain/book.ts';
import { compareIds, type UpdateId } from '../../bot/domain/ids.ts';

export interface BookDelta {
  /** The number of the previous frame. */
  readonly lastUpdateId: UpdateId;
  readonly updateId: UpdateId;
  /** New totals; size 0 removes the level. In any order. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Maximum number of frames that wait for a poll, and of polls that wait for frames. The oldest are dropped, and the book starts later. */
const MAX_WAITING = 1_000;

/** Number of polls between frames that must confirm an uncertain book. */
const MIN_CONFIRMATIONS = 3;

interface TrackedBook {
  readonly book: Book;
  /** Request time of the newest poll that this book is at least as new as. */
  readonly asked: Millis;
  /** The `lastUpdateId` that the next frame must have; undefined right after a poll whose frame was not received. */
  readonly expectedPrevious: UpdateId | undefined;
  /** True if the book certainly equals the exchange's book of its number. An uncertain book is not returned. */
  readonly isCertain: boolean;
}

/** An order book that is maintained from its changes, and compared with the polled books. */
export class DeltaBook {
  #tracked: TrackedBook | undefined;
  #frames: BookDelta[] = [];
  /** Polls that are ahead of the frames, oldest first. */
  #pollsAhead: SeenAnswer<Book>[] = [];
  /** Number of polls between two frames that have confirmed the book since it started. */
  #confirmations = 0;
  /** True once a poll has shown a state between two frames. `reset` keeps it, because it is a property of the exchange's stream. */
  #framesSkipStates = false;

  /** The number of the current book. */
  get updateId(): UpdateId | undefined {
    return this.#tracked?.book.updateId;
  }

  /** Discards the book and all frames: a new connection has started, or the frames are unreliable. */
  reset(): void {
    this.#tracked = undefined;
    this.#frames = [];
    this.#pollsAhead = [];
    this.#confirmations = 0;
  }

  /** Takes a polled book. Returns the book after the waiting frames if that is newer than the poll. */
  polled(seen: SeenAnswer<Book>): TrackedBook | undefined {
    if (this.#tracked === undefined) return this.#begin(seen);
    const order = compareIds(seen.value.updateId, this.#tracked.book.updateId);
    if (order > 0) {
      this.#pollsAhead.push(seen);
      if (this.#pollsAhead.length > MAX_WAITING) this.#pollsAhead.shift();
    } else if (order < 0 || isSame(seen.value, this.#tracked.book)) {
      this.#tracked = {
        ...this.#tracked,
        asked: Math.max(this.#tracked.asked, seen.asked),
        isCertain: this.#tracked.isCertain || order === 0,
      };
    } else this.reset();
    return undefined;
  }

  /** Takes a frame. Returns the book after it; undefined while no book is certain. */
  framed(frame: BookDelta): TrackedBook | undefined {
    const tracked = this.#tracked;
    if (tracked === undefined) {
      this.#frames.push(frame);
      if (this.#frames.length > MAX_WAITING) this.#frames.shift();
      return undefined;
    }
    if (compareIds(frame.updateId, tracked.book.updateId) <= 0) return undefined;
    if (!continues(tracked, frame)) {
      this.reset();
      this.#frames.push(frame);
      return undefined;
    }
    const checked = this.#comparedWithPolls(tracked, frame);
    if (checked === undefined) {
      this.reset();
      return undefined;
    }
    const book = applied(checked.book, frame);
    if (isCrossed(book)) {
      this.reset();
      return undefined;
    }
    // A frame that begins before the number of the poll omits a level that changed before the poll and back after it.
    const isCertain = checked.isCertain && (checked.expectedPrevious !== undefined || frame.lastUpdateId === checked.book.updateId);
    this.#tracked = { book, asked: checked.asked, expectedPrevious: frame.updateId, isCertain };
    this.#comparePolls();
    return this.#tracked?.isCertain ? this.#tracked : undefined;
  }

  #begin(seen: SeenAnswer<Book>): TrackedBook | undefined {
    const frames = this.#frames;
    this.reset();
    this.#tracked = { book: seen.value, asked: seen.asked, expectedPrevious: undefined, isCertain: true };
    let newest: TrackedBook | undefined;
    for (const frame of frames) newest = this.framed(frame) ?? newest;
    return this.#tracked === undefined ? undefined : newest;
  }

  /**
   * Compares the book with the polls numbered between it and the frame; they must be equal, unless frames skip states. An uncertain book becomes
   * certain after MIN_CONFIRMATIONS equal polls if no frame is known to skip states. Returns undefined for an uncertain book that differs.
   */
  #comparedWithPolls(tracked: TrackedBook, frame: BookDelta): TrackedBook | undefined {
    let { asked } = tracked;
    const passed = this.#pollsAhead.filter((seen) => compareIds(seen.value.updateId, frame.updateId) < 0);
    this.#pollsAhead = this.#pollsAhead.slice(passed.length);
    for (const seen of passed) {
      if (isSame(seen.value, tracked.book)) {
        this.#confirmations += 1;
        asked = Math.max(asked, seen.asked);
      } else if (tracked.isCertain) this.#framesSkipStates = true;
      else return undefined;
    }
    return { ...tracked, asked, isCertain: tracked.isCertain || (this.#confirmations >= MIN_CONFIRMATIONS && !this.#framesSkipStates) };
  }

  /** Compares the book with a poll of the same number. */
  #comparePolls(): void {
    for (
      let [seen] = this.#pollsAhead;
      seen !== undefined && seen.value.updateId === this.#tracked?.book.updateId;
      [seen] = this.#pollsAhead
    ) {
      this.#pollsAhead.shift();
      this.polled(seen);
    }
  }
}

/** True if the frame continues the book: after a poll, if it starts at or before the poll's number; later, if the numbers match exactly. */
const continues = ({ book, expectedPrevious }: TrackedBook, { lastUpdateId }: BookDelta): boolean =>
  expectedPrevious === undefined ? compareIds(lastUpdateId, book.updateId) <= 0 : lastUpdateId === expectedPrevious;

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
  const added = [...changed.values()].filter(({ size }) => size > 0);
  return [...kept, ...added].sort((a, b) => (b.price - a.price) * signOf(side));
}

function isCrossed(book: Book): boolean {
  const [bid, ask] = [best(book, 'bid'), best(book, 'ask')];
  return bid !== undefined && ask !== undefined && bid.price >= ask.price;
}

const isSame = (a: Book, b: Book): boolean => isSameSide(a.bids, b.bids) && isSameSide(a.asks, b.asks);

const isSameSide = (a: readonly Level[], b: readonly Level[]): boolean =>
  a.length === b.length && a.every(({ price, size }, index) => price === b[index]?.price && size === b[index]?.size);
