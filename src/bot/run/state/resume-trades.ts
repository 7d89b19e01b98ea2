// Where a restart continues to read our trades, and which trades were reported already or were made before the run.
import type { Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Fill } from '../../domain/order.ts';
import type { Begin, Entry } from './entries.ts';
import { firstOrderOf, OVERLAP } from './history.ts';

/** The time from which our trades are read again, and those already reported; undefined for a run that has placed no order yet. */
export function tradesToResume(entries: readonly Entry[]): { readonly since: number; readonly reported: Begin['trades'] } | undefined {
  const first = firstOrderOf(entries);
  if (first === undefined) return undefined;
  const reported = entries.flatMap((entry) =>
    entry.kind === 'fill' || entry.kind === 'unbooked'
      ? [{ tradeId: entry.tradeId, orderId: entry.orderId, role: entry.role, time: Date.parse(entry.at) }]
      : [],
  );
  const since = reported.reduce((latest, { time }) => Math.max(latest, time), inExchangeTime(first, entries)) - OVERLAP;
  const begin = entries.findLast((entry) => entry.kind === 'begin');
  return begin === undefined ? { since, reported } : { since: Math.max(since, begin.since), reported: [...begin.trades, ...reported] };
}

/**
 * Trades may be listed this much late, and out of order. If MANY of one span are known, they may be a whole page of the list: it may end in the middle of a
 * moment, and older trades are unknown.
 */
const LISTED_LATE: Millis = 10_000;
const MANY = 40;

/** The entry for the trades that the exchange lists when a run begins. */
export function beginEntry(trades: readonly Fill[], at: Millis): Begin {
  const newest = trades.reduce((latest, { time }) => Math.max(latest, time), 0);
  const lately = trades.filter(({ time }) => time >= newest - LISTED_LATE);
  const isCut = trades.filter(({ time }) => time === newest).length >= MANY;
  const earliest = lately.length >= MANY ? newest : newest - LISTED_LATE;
  const since = isCut ? newest + 1 : earliest;
  const kept = trades.filter(({ time }) => time >= since).map(({ tradeId, orderId, role, time }) => ({ tradeId, orderId, role, time }));
  return { kind: 'begin', at: timeText(at), since: Math.max(0, since), trades: kept };
}

/** Seconds. No order without a signed timestamp can be executed later than this after it was sent. */
const LONGEST_LIFE = 120;

/** The highest nonce of the actions of earlier processes. */
export const lastNonceIn = (entries: readonly Entry[]): number =>
  entries.reduce((highest, entry) => Math.max(highest, (entry.kind === 'sent' ? entry.nonce : undefined) ?? 0), 0);

/**
 * Converts our time to exchange time. Our clock may be days off, and either clock may have been set since: each sent action shows by how much they
 * differed then, and the earliest result counts.
 */
function inExchangeTime(at: string, entries: readonly Entry[]): Millis {
  let earliest = Infinity;
  for (const entry of entries) {
    if (entry.kind !== 'sent') continue;
    const second = entry.timestamp ?? (entry.deadAfter === undefined ? undefined : entry.deadAfter - LONGEST_LIFE);
    if (second === undefined) continue;
    const signed = second * 1_000;
    earliest = Math.min(earliest, signed, Date.parse(at) - (Date.parse(entry.at) - signed));
  }
  return earliest === Infinity ? Date.parse(at) : earliest;
}
