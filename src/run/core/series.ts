// Client order ids. Each run has its own series, so its orders are recognized even if its journal is lost or too old.
import { AssertionError } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import type { History } from '../state/history.ts';

/** A number from 65536 to 131071, the high bits of each id of the run. Ids are between 2^52 and 2^53, so JSON numbers hold them exactly. */
export type Series = number;

const FIRST = 2 ** 16;
const COUNT = 2 ** 36;
/** Ids per second of the exchange's time at the start. More orders use the ids of the next seconds; a restart continues after the last id used. */
const PER_SECOND = 2 ** 7;
/** 2026-01-01. 2^36 ids last for 17 years from then. */
const EPOCH: Millis = 1_767_225_600_000;
/** Update numbers are counted modulo this. */
const UPDATES = 2n ** 20n;
/** Ids per second for runs without a series. */
const PER_SECOND_WITHOUT = 2 ** 20;

/** `randomBelow` returns an integer from 0 to `limit` - 1. */
export const newSeries = (randomBelow: (limit: number) => number): Series => FIRST + randomBelow(FIRST);

/** The series of an id; undefined if it has none because an earlier version, another program or a person made it. */
export function seriesOf(id: ClientOrderId): Series | undefined {
  if (!/^\d{16}$/.test(id)) return undefined;
  const series = Math.floor(Number(id) / COUNT);
  return series >= FIRST && series < 2 * FIRST ? series : undefined;
}

/**
 * Ids that this run has never used: counted from the second of the start, and past the last id in its journal. If an older copy of the journal was
 * restored, the time prevents ids from being used twice. It is the exchange's if that is known, because the machine's clock may have been set; the
 * account's update number is added, because it rises also while the exchange's time stands still. Without a series (backtests) ids are seconds and
 * a counter.
 */
export function clientOrderIds(
  startedAt: Millis,
  { lastClientOrderId, series, connection }: Pick<History, 'lastClientOrderId' | 'series' | 'connection'>,
): () => ClientOrderId {
  const afterLast = lastClientOrderId === undefined ? 0 : Number(lastClientOrderId) + 1;
  const { at = startedAt, updateId = '0' } = connection ?? {};
  const updates = lastClientOrderId === undefined ? 0 : Number(BigInt(updateId) % UPDATES);
  const first =
    series === undefined
      ? Math.floor(startedAt / 1_000) * PER_SECOND_WITHOUT
      : series * COUNT + Math.max(0, Math.floor((at - EPOCH) / 1_000)) * PER_SECOND + updates;
  let next = Math.max(first, afterLast);
  return () => {
    if (!Number.isSafeInteger(next)) throw new AssertionError(`client order ids are used up: ${next}`);
    return String(next++);
  };
}
