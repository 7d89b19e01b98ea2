// Client order ids. Each run has a series of its own: an order of the run is recognized as such even where its journal is lost or too old.
import { assert } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';
import type { ClientOrderId } from '../../domain/ids.ts';

/** A number from 65536 to 131071. It stands in the high bits of each id of the run: ids lie between 2^52 and 2^53, so JSON numbers hold them exactly. */
export type Series = number;

const FIRST = 2 ** 16;
const COUNT = 2 ** 36;
/** Ids of one second of the start; more orders than that run into the next second's, and a restart goes past them. */
const PER_SECOND = 2 ** 7;
/** 2026-01-01. 2^36 ids last for 17 years after it. */
const EPOCH: Millis = 1_767_225_600_000;
/** The same for runs without a series. */
const PER_SECOND_WITHOUT = 2 ** 20;

/** `randomBelow` returns an integer from 0 to `limit` - 1. */
export const newSeries = (randomBelow: (limit: number) => number): Series => FIRST + randomBelow(FIRST);

/** Undefined for an id that is of no series: made by an earlier version, by another program, or by a person. */
export function seriesOf(id: ClientOrderId): Series | undefined {
  if (!/^\d{16}$/.test(id)) return undefined;
  const series = Math.floor(Number(id) / COUNT);
  return series >= FIRST && series < 2 * FIRST ? series : undefined;
}

/**
 * Ids that this run has never used: counted from the second of the start, and past the last id in its journal. Where an older copy of the journal was put
 * back, the time keeps them from being used twice. Without a series (backtests) they are seconds and a counter.
 */
export function clientOrderIds(
  startedAt: Millis,
  { lastClientOrderId, series }: { readonly lastClientOrderId: ClientOrderId | undefined; readonly series?: Series | undefined },
): () => ClientOrderId {
  const afterLast = lastClientOrderId === undefined ? 0 : Number(lastClientOrderId) + 1;
  const first =
    series === undefined
      ? Math.floor(startedAt / 1_000) * PER_SECOND_WITHOUT
      : series * COUNT + Math.max(0, Math.floor((startedAt - EPOCH) / 1_000)) * PER_SECOND;
  let next = Math.max(first, afterLast);
  return () => {
    assert(Number.isSafeInteger(next), `client order ids are used up: ${next}`);
    return String(next++);
  };
}
