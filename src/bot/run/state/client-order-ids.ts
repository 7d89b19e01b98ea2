// Client order ids. Each run has its own series, so its orders are recognized even if its journal is lost or too old.

import type { Millis } from '../../../base/clock.ts';
import { AssertionError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import type { ClientOrderId } from '../../domain/ids.ts';

/** A number from 65536 to 131071, the high bits of each id of the run. Ids are between 2^52 and 2^53, so JSON numbers hold them exactly. */
export type IdSeries = number;

const FIRST = 2 ** 16;
const COUNT = 2 ** 36;
/** Ids per second of the exchange's time at the start. More orders use the ids of the next seconds; a restart continues after the last id used. */
const PER_SECOND = 2 ** 7;
/** 2026-01-01. 2^36 ids last for 17 years from then. */
const EPOCH: Millis = 1_767_225_600_000;
/** Each process skips fewer ids than this: those of 34 minutes. */
const MAX_SKIPPED = 2 ** 18;
/** Ids per second for runs without a series. */
const PER_SECOND_WITHOUT_SERIES = 2 ** 20;

/** `randomBelow` returns an integer from 0 to `limit` - 1. */
export const newSeries = (randomBelow: (limit: number) => number): IdSeries => FIRST + randomBelow(FIRST);

/** The series of an id; undefined if it has none because an earlier version, another program or a person made it. */
export function seriesOf(id: ClientOrderId): IdSeries | undefined {
  if (!/^\d{16}$/.test(id)) return undefined;
  const series = Math.floor(Number(id) / COUNT);
  return series >= FIRST && series < 2 * FIRST ? series : undefined;
}

/** What an earlier process left for the ids of this one. */
export interface EarlierIds {
  readonly lastClientOrderId: ClientOrderId | undefined;
  /** Series of the run's client order ids; absent if it has none. */
  readonly series?: IdSeries | undefined;
  /** The exchange's time at the connection, from which client order ids are counted; absent if the exchange does not report it. */
  readonly connectedAt?: Millis | undefined;
}

/**
 * Ids that this run has never used: counted from the second of the start, and past the last id in its journal. If an older copy of the journal was
 * restored, the time prevents ids from being used twice. It is the exchange's if that is known, because the machine's clock may have been set. The
 * exchange's clock may stand still or go back too: so each process skips a number of ids that is drawn with its own start time, by the machine's
 * clock, as the seed. Without a series (backtests) ids are seconds and a counter.
 */
export function clientOrderIds(startedAt: Millis, { lastClientOrderId, series, connectedAt = startedAt }: EarlierIds): () => ClientOrderId {
  const afterLast = lastClientOrderId === undefined ? 0 : Number(lastClientOrderId) + 1;
  const [byTime, skipped] =
    series === undefined
      ? [Math.floor(startedAt / 1_000) * PER_SECOND_WITHOUT_SERIES, 0]
      : [series * COUNT + Math.max(0, Math.floor((connectedAt - EPOCH) / 1_000)) * PER_SECOND, skippedBy(startedAt)];
  let next = Math.max(byTime, afterLast) + skipped;
  return () => {
    if (!Number.isSafeInteger(next)) throw new AssertionError(`client order ids are used up: ${next}`);
    return String(next++);
  };
}

const skippedBy = (startedAt: Millis): number => rngFrom(`client order ids ${startedAt}`).below(MAX_SKIPPED);
