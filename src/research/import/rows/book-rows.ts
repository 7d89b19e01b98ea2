// Turns book messages into rows: a snapshot starts the book, changes follow without a gap, and polls are written as differences.

import { SIDES, type Side } from '../../../bot/domain/book.ts';
import type { Row } from '../../../embedded/rows/row-builder.ts';
import { codeOf, LAST_BIT, type Stamp } from '../../../embedded/rows/rows.ts';
import type { BestCheck } from '../checks/best-check.ts';
import { RebuiltBook } from '../checks/rebuilt-book.ts';
import type { BookMessage, LevelText } from '../formats/feed-message.ts';
import type { Scaler } from '../formats/numbers.ts';

/** A gap: the book is unknown after `from`. */
export interface SequenceGap {
  readonly from: Stamp;
  /** The change that showed the gap: it came at `seen` and follows update `needed`, but the book was at update `reached`. Absent after a silence. */
  readonly lost?: { readonly seen: Stamp; readonly reached: number; readonly needed: number } | undefined;
}

export interface BookChecks {
  /** Changes, or polls, applied to the book, and the snapshots that it started from. */
  readonly applied: number;
  /** Snapshots that the book started from. */
  readonly snapshots: number;
  /** Snapshots that the book did not need, or that were older than the waiting changes. */
  readonly unusedSnapshots: number;
  /** Changes already contained in a snapshot, or received twice. */
  readonly stale: number;
  /** Changes without a snapshot to apply them to. */
  readonly unused: number;
  /** True if updates are numbered, so that a lost one is noticed. */
  readonly numbered: boolean;
  readonly gaps: number;
  /** The first gaps. */
  readonly gapsAt: readonly SequenceGap[];
  /** Number of times the complete book had its best bid at or above its best ask. */
  readonly crossed: number;
  readonly firstCrossed?: Stamp | undefined;
}

export interface BookRowsOptions {
  readonly scaler: Scaler;
  readonly add: (row: Row) => void;
  readonly best: BestCheck;
  /** Polls that are further apart than this have a gap between them. */
  readonly longestSilence?: Stamp | undefined;
}

interface BookRow {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
}
type Times = Pick<BookMessage, 'time' | 'received'>;

/** Maximum number of changes that wait for a snapshot. */
const MAX_WAITING = 4_096;
const MAX_GAPS_SHOWN = 20;

/** Expects all messages in order of time. */
export class BookRows {
  readonly #book = new RebuiltBook();
  readonly #scaler: Scaler;
  readonly #add: (row: Row) => void;
  readonly #best: BestCheck;
  readonly #longestSilence: Stamp;
  readonly #counts = { applied: 0, snapshots: 0, unusedSnapshots: 0, stale: 0, unused: 0, gaps: 0, crossed: 0 };
  readonly #gapsAt: SequenceGap[] = [];
  #firstCrossed: Stamp | undefined;
  /** True while nothing is missing in the book. */
  #complete = false;
  /** The exchange's number of the last update in the book; undefined if updates are not numbered. */
  #reached: number | undefined;
  #lastPoll: Stamp | undefined;
  /** The time of the newest message of any kind. */
  #now: Stamp | undefined;
  /** The time of the message before the newest one, or of the newest row if that is later: a gap begins here. */
  #before: Stamp | undefined;
  /** Changes that wait for a snapshot. */
  #waiting: BookMessage[] = [];

  constructor({ scaler, add, best, longestSilence = Number.POSITIVE_INFINITY }: BookRowsOptions) {
    this.#scaler = scaler;
    this.#add = add;
    this.#best = best;
    this.#longestSilence = longestSilence;
  }

  take(message: BookMessage): void {
    if (message.how === 'change') this.#change(message);
    else if (message.how === 'snapshot') this.#snapshot(message);
    else this.#poll(message);
  }

  /** Advances to `time`: no earlier message follows. Reports a gap if the polls have been silent for too long. */
  pass(time: Stamp): void {
    this.#before = this.#now;
    this.#now = time;
    if (!this.#complete || this.#lastPoll === undefined || time - this.#lastPoll <= this.#longestSilence) return;
    this.#reportGap({ from: this.#lastPoll + this.#longestSilence });
  }

  checks(): BookChecks {
    const unused = this.#counts.unused + this.#waiting.length;
    return { ...this.#counts, unused, numbered: this.#reached !== undefined, gapsAt: this.#gapsAt, firstCrossed: this.#firstCrossed };
  }

  /**
   * Starts the book and applies the waiting changes that go beyond the snapshot. Without update numbers, the snapshot contains all earlier changes,
   * and it restarts even a complete book, because it follows a lost connection.
   */
  #snapshot(message: BookMessage): void {
    const { upTo } = message;
    const further = this.#waiting.filter((change) => upTo !== undefined && (change.upTo ?? upTo) > upTo);
    // An update between the snapshot and the first change after it is missing.
    const isTooOld = further[0]?.after !== undefined && upTo !== undefined && further[0].after > upTo;
    if (isTooOld || (this.#complete && upTo !== undefined)) {
      this.#counts.unusedSnapshots += 1;
      return;
    }
    this.#counts.snapshots += 1;
    this.#counts.stale += this.#waiting.length - further.length;
    this.#waiting = [];
    this.#start(message);
    for (const change of further) this.#change({ ...change, time: message.time, received: message.received });
  }

  /** Applies a change. An overlap with applied updates is harmless, because changes contain totals, not differences. */
  #change(message: BookMessage): void {
    if (!this.#complete) return this.#wait(message);
    const { upTo, after } = message;
    const reached = this.#reached;
    if (reached !== undefined && after !== undefined && after > reached) {
      // The gap begins at the message before this one, which may be seconds or hours ago.
      this.#reportGap({ from: this.#before ?? message.time, lost: { seen: message.time, reached, needed: after } });
      return this.#wait(message);
    }
    if (reached !== undefined && upTo !== undefined && upTo <= reached) {
      this.#counts.stale += 1;
      return;
    }
    this.#write(message, this.#rowsOf(message));
    this.#reach(message);
  }

  #poll(message: BookMessage): void {
    if (this.#complete) {
      this.#write(message, differences(this.#book, this.#rowsOf(message)));
      this.#reach(message);
    } else {
      this.#counts.snapshots += 1;
      this.#start(message);
    }
    this.#lastPoll = message.time;
  }

  #start(message: BookMessage): void {
    const rows = this.#rowsOf(message).filter(({ size }) => size > 0);
    this.#complete = true;
    this.#book.clear();
    this.#writeRow(message, codeOf('clear', { snapshot: true, last: rows.length === 0 }));
    this.#write(message, rows, { snapshot: true });
    this.#reach(message);
  }

  #reportGap(gap: SequenceGap): void {
    this.#counts.gaps += 1;
    if (this.#gapsAt.length < MAX_GAPS_SHOWN) this.#gapsAt.push(gap);
    this.#complete = false;
    this.#book.clear();
    this.#writeRow({ time: gap.from, received: gap.from }, codeOf('gap', { last: true }));
  }

  #wait(message: BookMessage): void {
    this.#waiting.push(message);
    if (this.#waiting.length <= MAX_WAITING) return;
    this.#waiting.shift();
    this.#counts.unused += 1;
  }

  #write(times: Times, rows: readonly BookRow[], { snapshot = false } = {}): void {
    const { time, received } = times;
    const codes = { bid: codeOf('level', { side: 'bid', snapshot }), ask: codeOf('level', { side: 'ask', snapshot }) };
    const last = rows.at(-1);
    for (const row of rows) {
      const { side, price, size } = row;
      this.#book.set(side, price, size);
      this.#add({ time, lag: received - time, code: row === last ? codes[side] | LAST_BIT : codes[side], price, size });
    }
  }

  #reach({ time, upTo }: BookMessage): void {
    this.#counts.applied += 1;
    this.#reached = upTo;
    this.#before = time;
    this.#best.book(this.#book, upTo ?? time);
    if (!this.#book.crossed) return;
    this.#counts.crossed += 1;
    this.#firstCrossed ??= time;
  }

  /** Writes a row about the whole book. */
  #writeRow({ time, received }: Times, code: number): void {
    this.#add({ time, lag: received - time, code, price: 0, size: 0 });
  }

  #rowsOf({ bids, asks }: BookMessage): BookRow[] {
    const { ticks, lots } = this.#scaler;
    const rows = (side: Side, levels: readonly LevelText[]): BookRow[] =>
      levels.map(([price, size]) => ({ side, price: ticks(price), size: lots(size, price) }));
    return [...rows('bid', bids), ...rows('ask', asks)];
  }
}

/** Returns the changes from one book to another, removals first so that the book is never crossed in between. */
function differences(book: RebuiltBook, now: readonly BookRow[]): BookRow[] {
  const shown = { bid: new Set<number>(), ask: new Set<number>() };
  for (const { side, price } of now) shown[side].add(price);
  const gone = SIDES.flatMap((side) =>
    [...book.prices(side)].filter((price) => !shown[side].has(price)).map((price) => ({ side, price, size: 0 })),
  );
  return [...gone, ...now.filter(({ side, price, size }) => book.size(side, price) !== size)];
}
