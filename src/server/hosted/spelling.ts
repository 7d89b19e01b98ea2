// How ids, times, absence and pages are written in the JSON of surface B.
import type { Millis } from '../../base/clock.ts';
import type { Page } from '../../simulator/paging.ts';
import type { Json } from '../reply.ts';

/** A JSON number with all its digits. */
export const idNumber = (id: string): bigint => BigInt(id);

/** RFC 3339, in UTC. */
export const timeText = (time: Millis): string => new Date(time).toISOString();

export const orNull = <T, R>(value: T | undefined, write: (value: T) => R): R | null => (value === undefined ? null : write(value));

/** `nextStartInclusive` is always there; null is the end. */
export const pageReply = <Row>({ items, nextStartInclusive }: Page<Row>, reply: (row: Row) => Json): Json => ({
  items: items.map(reply),
  nextStartInclusive: orNull(nextStartInclusive, idNumber),
});
