// The fills of a journal as they are booked now. A later process compares new trades with the latest of them, and reads the provisional ones again until
// the exchange reports a possible price and fee.
import type { Millis } from '../../../base/clock.ts';
import { type CorrectionLine, changesOrderOnly, type FillLine, fillKey, fillOf } from '../../accounting/lines.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import { COMPARED } from '../../world/orders/judged-fills.ts';
import type { RecoveredState } from '../../world/recovered-state.ts';
import type { Entry } from './entries.ts';

export type BookedLine = FillLine | CorrectionLine;

const isBooked = (entry: Entry): entry is BookedLine => entry.kind === 'fill' || entry.kind === 'correction';

/** The newest line of each fill, in the order of their first lines. */
export function newestLines(entries: readonly Entry[]): ReadonlyMap<string, BookedLine> {
  const newest = new Map<string, BookedLine>();
  for (const entry of entries) if (isBooked(entry)) newest.set(fillKey(entry), entry);
  return newest;
}

/** Returns all lines of the fills that are still provisional: each fill, and its corrections. */
export function provisionalLines(entries: readonly Entry[]): readonly BookedLine[] {
  const newest = newestLines(entries);
  return entries.filter(isBooked).filter((line) => newest.get(fillKey(line))?.provisional !== undefined);
}

/** Returns the fills of the last `within` milliseconds of exchange time, at most the newest COMPARED of them, and all provisional fills. */
export function bookedFills(
  entries: readonly Entry[],
  { markets, within }: { readonly markets: ReadonlyMap<string, Market>; readonly within: Millis },
): Pick<RecoveredState, 'booked'> {
  const lines = [...newestLines(entries).values()];
  const since = lines.reduce((newest, { at }) => Math.max(newest, Date.parse(at)), -Infinity) - within;
  const latest = new Set(lines.filter(({ at }) => Date.parse(at) >= since).slice(-COMPARED));
  const booked = lines.flatMap((line): Fill[] => {
    const market = markets.get(line.market);
    if (market === undefined || !(latest.has(line) || line.provisional !== undefined)) return [];
    return [fillOf(line, market)];
  });
  return booked.length === 0 ? {} : { booked };
}

/** Returns the entries with each fill as of the order that was found for it last. */
export function withFoundOrders(entries: readonly Entry[]): readonly Entry[] {
  const found = new Map<string, ClientOrderId | undefined>();
  for (const entry of entries)
    if (entry.kind === 'correction' && (entry.clientOrderId !== undefined || changesOrderOnly(entry)))
      found.set(fillKey(entry), entry.clientOrderId);
  if (found.size === 0) return entries;
  return entries.map((entry) =>
    entry.kind === 'fill' && found.has(fillKey(entry)) ? { ...entry, clientOrderId: found.get(fillKey(entry)) } : entry,
  );
}
