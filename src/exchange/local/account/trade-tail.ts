// The newest end of a list whose items have no ids, read again and again so that none is missed and none is told twice.
import type { Millis } from '../../../base/clock.ts';
import type { TradeId } from '../../../domain/ids.ts';

interface Row {
  /** RFC 3339. */
  readonly time: string;
}

interface Told {
  readonly tradeId: TradeId;
  /** Exchange time. */
  readonly time: Millis;
}

export interface TailOptions<R extends Row, T extends Told> {
  readonly pages: () => AsyncIterable<readonly R[]>;
  /** All that a row says, as one text: rows of the same text are told apart by counting them. */
  readonly contentOf: (row: R) => string;
  /** Throws for a row that makes no sense. */
  readonly map: (row: R, tradeId: TradeId) => T;
  /** Items may be listed out of order, or late: so much of what was read is read again. */
  readonly overlapMs: Millis;
  /** The most that one reading turns; older items are skipped. All unless told. */
  readonly maxPages?: number | undefined;
  /** Where an earlier process left off: what happened since then, and was not told by it, is told by the first reading. */
  readonly resume?: Resumption | undefined;
}

export interface Resumption {
  /** Exchange time. */
  readonly since: Millis;
  readonly told: Iterable<Told>;
}

export class Tail<R extends Row, T extends Told> {
  readonly #options: TailOptions<R, T>;
  readonly #told = new Map<TradeId, Millis>();
  #newest: Millis = 0;
  /** What is older is not ours to tell. Undefined until the first page was told. */
  #floor: Millis | undefined;

  constructor(options: TailOptions<R, T>) {
    this.#options = options;
    if (options.resume === undefined) return;
    this.#floor = options.resume.since;
    for (const { tradeId, time } of options.resume.told) this.#told.set(tradeId, time);
  }

  /** The newest page at first, then all since the newest that was told, overlap included. Nothing is told by it: an answer that comes too late is dropped whole. */
  async read(): Promise<readonly T[]> {
    const { contentOf, map } = this.#options;
    const since = this.#since();
    const seen = new Map<string, number>();
    const read: T[] = [];
    for (const row of await this.#rows(since)) {
      const content = contentOf(row);
      const nth = seen.get(content) ?? 0;
      seen.set(content, nth + 1);
      if (timeOf(row) >= (since ?? 0)) read.push(map(row, `${content}/${nth}`));
    }
    return read;
  }

  /** Those of a reading that were not told before, oldest first; they are told now. */
  tell(read: readonly T[]): readonly T[] {
    const since = this.#since() ?? 0;
    const fresh = read.filter(({ tradeId, time }) => time >= since && !this.#told.has(tradeId)).sort((a, b) => a.time - b.time);
    for (const { tradeId, time } of fresh) this.#told.set(tradeId, time);
    this.#newest = Math.max(this.#newest, fresh.at(-1)?.time ?? 0);
    this.#floor ??= fresh[0] === undefined ? 0 : fresh[0].time + 1; // of the page's oldest moment there may be more on the next one
    const kept = this.#since() ?? 0;
    for (const [tradeId, time] of this.#told) if (time < kept) this.#told.delete(tradeId);
    return fresh;
  }

  #since(): Millis | undefined {
    return this.#floor === undefined ? undefined : Math.max(this.#floor, this.#newest - this.#options.overlapMs);
  }

  async #rows(since: Millis | undefined): Promise<readonly R[]> {
    const { pages, maxPages = Number.POSITIVE_INFINITY } = this.#options;
    const most = since === undefined ? 1 : maxPages;
    const read: (readonly R[])[] = [];
    for await (const page of pages()) {
      read.push(page);
      if (read.length >= most || goesBackBeyond(page, since ?? 0)) break;
    }
    if (read.length > 1) await this.#requireUnmoved(read[0] ?? []);
    return read.flat();
  }

  /** What comes in while pages are turned pushes items from one page to the next, where they would be counted twice. */
  async #requireUnmoved(first: readonly R[]): Promise<void> {
    const { pages, contentOf } = this.#options;
    const text = (rows: readonly R[]): string => JSON.stringify(rows.map(contentOf));
    for await (const page of pages()) {
      if (text(page) === text(first)) return;
      break;
    }
    throw new Error('the list grew while its pages were read');
  }
}

/**
 * A moment of our clock after which the newest of what a round told, and the last one did not, happened for certain, but for what the list lags
 * behind: whichever is earlier of its own time, for lists that come late, and the last round, for clocks that differ.
 */
export const happenedAfter = (told: readonly Told[], lastRound: Millis): Millis =>
  Math.min(
    lastRound,
    told.reduce((newest, { time }) => Math.max(newest, time), 0),
  );

const timeOf = ({ time }: Row): Millis => Date.parse(time);

/** Of a list that is not newest first nothing can be said before its end. */
function goesBackBeyond(page: readonly Row[], moment: Millis): boolean {
  const [first, last] = [page[0], page.at(-1)];
  return first !== undefined && last !== undefined && timeOf(first) >= timeOf(last) && timeOf(last) < moment;
}
