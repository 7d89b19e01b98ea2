// Our own trades, from one list or several: a round counts only if all of them could be read.
import type { Clock, Millis } from '../../../base/clock.ts';
import { compareIds } from '../../domain/ids.ts';
import type { Fill } from '../../domain/order.ts';
import type { FillSource } from './streams/account-streams.ts';
import { ShownTrades } from './streams/shown-trades.ts';
import {
  type KeyedTrade,
  OVERLAP,
  type Resumption,
  readPages,
  TradeTail,
  type TradeTailOptions,
  type Window,
} from './streams/trade-tail.ts';
import type { FillPages, TradePages } from './venue-client.ts';

export interface OwnFillsOptions {
  readonly clock: Clock;
  /** Where an earlier process of the run stopped. */
  readonly resume: Resumption | undefined;
  /** How late trades may be listed; a few seconds by default. */
  readonly lateTradesMs?: Millis | undefined;
}

interface Part {
  readonly list: FillPages;
  readonly tail: TradeTail<Fill>;
}

/** A trade with ourselves is a fill of two orders, one in the list of each role. */
export class OwnFills implements FillSource {
  readonly #parts: readonly Part[];

  constructor(lists: readonly FillPages[], options: OwnFillsOptions) {
    this.#parts = lists.map((list) => ({ list, tail: fillTail(list, options) }));
  }

  async read(): Promise<readonly Fill[]> {
    return (await Promise.all(this.#parts.map(({ tail }) => tail.read()))).flat();
  }

  /** Returns the fills that were not returned before, oldest first. */
  takeNew(read: readonly Fill[]): readonly Fill[] {
    const fresh = this.#parts.flatMap(({ list, tail }) => tail.takeNew(read.filter((fill) => contains(list, fill))));
    return fresh.sort(oldestFirst);
  }

  takeChanged(read: readonly Fill[]): readonly Fill[] {
    return this.#parts.flatMap(({ list, tail }) => tail.takeChanged(read.filter((fill) => contains(list, fill))));
  }

  readAgain(fills: readonly Fill[], options: { readonly inEach: boolean }): void {
    for (const { list, tail } of this.#parts)
      tail.readAgain(
        fills.filter((fill) => contains(list, fill)),
        options,
      );
  }

  takeEarly(fill: Fill): boolean {
    return this.#parts.find(({ list }) => contains(list, fill))?.tail.takeEarly(fill) ?? false;
  }
}

const contains = (list: FillPages, fill: Parameters<NonNullable<FillPages['has']>>[0]): boolean => list.has?.(fill) ?? true;

function fillTail(list: FillPages, { clock, resume, lateTradesMs: overlapMs = OVERLAP }: OwnFillsOptions): TradeTail<Fill> {
  const shown = new ShownTrades(list.what);
  return tailOf(list, {
    overlapMs,
    resume: partOf(list, resume),
    check(read, { since = 0, maxPages }) {
      if (maxPages === Number.POSITIVE_INFINITY) shown.take(read, { since, now: clock.now() });
    },
  });
}

interface TailOptions<T> extends Pick<TradeTailOptions<T>, 'overlapMs' | 'resume' | 'maxPages'> {
  /** Throws if a read list is wrong. */
  readonly check?: (read: readonly T[], window: Window) => void;
}

/** Returns the tail of a list of trades. */
export const tailOf = <T extends KeyedTrade>(list: TradePages<T>, { check, ...options }: TailOptions<T>): TradeTail<T> =>
  new TradeTail<T>({
    async read(window) {
      const read = await readPages(list.pages(window.since === 0 ? undefined : window.since), window);
      check?.(read, window);
      return read;
    },
    order: oldestFirst,
    isCutWithinMoment: list.withoutIds,
    ...options,
  });

/**
 * Returns the part of a resumption for one list. An earlier process may have reported one fill of a trade with ourselves and ended before it read the
 * list with the other.
 */
const partOf = (list: FillPages, resume: Resumption | undefined): Resumption | undefined =>
  resume && { ...resume, reported: resume.reported.filter(({ role }) => role === undefined || contains(list, { role })) };

/** Orders trades by time, then by id. */
export const oldestFirst = (a: KeyedTrade, b: KeyedTrade): number => a.time - b.time || compareIds(a.tradeId, b.tradeId);
