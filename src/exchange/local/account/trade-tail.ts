// The newest end of a list whose items have no ids, polled so that no item is missed and none is reported twice.
import type { Millis } from '../../../base/clock.ts';
import type { TradeId } from '../../../domain/ids.ts';

interface Row {
  /** RFC 3339. */
  readonly time: string;
}

interface Reported {
  readonly tradeId: TradeId;
  /** Exchange time. */
  readonly time: Millis;
}

export interface TailOptions<R extends Row, T extends Reported> {
  readonly pages: () => AsyncIterable<readonly R[]>;
  /** Everything a row says, as one text: rows with the same text are distinguished by counting them. */
  readonly contentOf: (row: R) => string;
  /** Throws for a row that makes no sense. */
  readonly map: (row: R, tradeId: TradeId) => T;
  /** Items may be listed out of order, or late, so this much of what was read is read again. */
  readonly overlapMs: Millis;
  /** The most pages that one reading follows; older items are skipped. No limit by default. */
  readonly maxPages?: number | undefined;
  /** Where an earlier process stopped. The first reading returns what happened since then and was not reported by that process. */
  readonly resume?: Resumption | undefined;
}

export interface Resumption {
  /** Exchange time. */
  readonly since: Millis;
  readonly reported: Iterable<Reported>;
}

export class Tail<R extends Row, T extends Reported> {
  readonly #options: TailOptions<R, T>;
  readonly #reported = new Map<TradeId, Millis>();
  #newest: Millis = 0;
  /** Items older than this are never reported. Undefined until the first page was reported. */
  #floor: Millis | undefined;

  constructor(options: TailOptions<R, T>) {
    this.#options = options;
    if (options.resume === undefined) return;
    this.#floor = options.resume.since;
    for (const { tradeId, time } of options.resume.reported) this.#reported.set(tradeId, time);
  }

  /**
   * Reads the newest page the first time, then everything since the newest reported item, with an overlap. Reading marks nothing as reported, so an
   * answer that comes too late can be dropped whole.
   */
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

  /** Returns the items of a reading that were not reported before, oldest first, and marks them as reported. */
  takeNew(read: readonly T[]): readonly T[] {
    const since = this.#since() ?? 0;
    const fresh = read.filter(({ tradeId, time }) => time >= since && !this.#reported.has(tradeId)).sort((a, b) => a.time - b.time);
    for (const { tradeId, time } of fresh) this.#reported.set(tradeId, time);
    this.#newest = Math.max(this.#newest, fresh.at(-1)?.time ?? 0);
    this.#floor ??= fresh[0] === undefined ? 0 : fresh[0].time + 1; // the next page may hold more of the page's oldest moment
    const kept = this.#since() ?? 0;
    for (const [tradeId, time] of this.#reported) if (time < kept) this.#reported.delete(tradeId);
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

  /** Throws if the first page has changed: new items push others from one page to the next, where they would be counted twice. */
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
 * Returns a moment of local time after which the newest reported item certainly happened, apart from the lag of the list: the earlier of its own
 * time, for lists that come late, and of the last round, for clocks that differ.
 */
export const happenedAfter = (reported: readonly Reported[], lastRound: Millis): Millis =>
  Math.min(
    lastRound,
    reported.reduce((newest, { time }) => Math.max(newest, time), 0),
  );

const timeOf = ({ time }: Row): Millis => Date.parse(time);

/** False for a list that is not newest first: it must be read to its end. */
function goesBackBeyond(page: readonly Row[], moment: Millis): boolean {
  const [first, last] = [page[0], page.at(-1)];
  return first !== undefined && last !== undefined && timeOf(first) >= timeOf(last) && timeOf(last) < moment;
}
