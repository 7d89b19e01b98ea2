// Our own trades, from one list or several: a round counts only if all of them could be read.
import type { Clock } from '../../base/clock.ts';
import { compareIds } from '../../domain/ids.ts';
import type { Fill } from '../../domain/order.ts';
import type { FillSource } from './streams/account-streams.ts';
import { ShownTrades } from './streams/shown-trades.ts';
import { type KeyedTrade, OVERLAP, type Resumption, readPages, TradeTail } from './streams/trade-tail.ts';
import type { FillPages } from './venue-client.ts';

export interface OwnFillsOptions {
  readonly clock: Clock;
  /** Where an earlier process of the run stopped. */
  readonly resume: Resumption | undefined;
}

interface Part {
  readonly list: FillPages;
  readonly tail: TradeTail<Fill>;
}

/** A trade with ourselves is a fill of two orders, one in the list of each role. */
export class OwnFills implements FillSource {
  readonly #parts: readonly Part[];

  constructor(lists: readonly FillPages[], options: OwnFillsOptions) {
    this.#parts = lists.map((list) => ({ list, tail: tailOf(list, options) }));
  }

  async read(): Promise<readonly Fill[]> {
    return (await Promise.all(this.#parts.map(({ tail }) => tail.read()))).flat();
  }

  /** Returns the fills that were not returned before, oldest first. */
  takeNew(read: readonly Fill[]): readonly Fill[] {
    const fresh = this.#parts.flatMap(({ list, tail }) => tail.takeNew(read.filter((fill) => list.has(fill))));
    return fresh.sort(oldestFirst);
  }

  takeChanged(read: readonly Fill[]): readonly Fill[] {
    return this.#parts.flatMap(({ list, tail }) => tail.takeChanged(read.filter((fill) => list.has(fill))));
  }

  readAgain(fills: readonly Fill[]): void {
    for (const { list, tail } of this.#parts) tail.readAgain(fills.filter((fill) => list.has(fill)));
  }

  takeEarly(fill: Fill): boolean {
    return this.#parts.find(({ list }) => list.has(fill))?.tail.takeEarly(fill) ?? false;
  }
}

function tailOf(list: FillPages, { clock, resume }: OwnFillsOptions): TradeTail<Fill> {
  const shown = new ShownTrades(list.what);
  return new TradeTail<Fill>({
    async read(window) {
      const { since = 0, maxPages } = window;
      const read = await readPages(list.pages(since === 0 ? undefined : since), window);
      if (maxPages === Number.POSITIVE_INFINITY) shown.take(read, { since, now: clock.now() });
      return read;
    },
    overlapMs: OVERLAP,
    order: oldestFirst,
    resume: partOf(list, resume),
  });
}

/**
 * Returns the part of a resumption for one list. An earlier process may have reported one fill of a trade with ourselves and ended before it read the
 * list with the other.
 */
const partOf = (list: FillPages, resume: Resumption | undefined): Resumption | undefined =>
  resume && { ...resume, reported: resume.reported.filter(({ role }) => role === undefined || list.has({ role })) };

/** Orders trades by time, then by id. */
export const oldestFirst = (a: KeyedTrade, b: KeyedTrade): number => a.time - b.time || compareIds(a.tradeId, b.tradeId);
