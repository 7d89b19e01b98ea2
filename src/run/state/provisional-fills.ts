// The fills of a journal that are still provisional: a later process reads them again until the exchange reports a possible price and fee.
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import { type CorrectionLine, type FillLine, fillKey, fillOf } from '../../report/accounting/lines.ts';
import { NO_ACTION } from '../../world/recovered-state.ts';
import type { Entry } from './entries.ts';

interface ProvisionalLines {
  /** The newest line of each. */
  readonly newest: Iterable<FillLine | CorrectionLine>;
  /** All their lines: each fill, and its corrections. */
  readonly lines: readonly (FillLine | CorrectionLine)[];
}

export function provisionalIn(entries: readonly Entry[]): ProvisionalLines {
  const newest = new Map<string, FillLine | CorrectionLine>();
  for (const entry of entries) {
    if (entry.kind !== 'fill' && entry.kind !== 'correction') continue;
    if (entry.provisional === undefined) newest.delete(fillKey(entry));
    else newest.set(fillKey(entry), entry);
  }
  const isOpen = (entry: Entry): entry is FillLine | CorrectionLine =>
    (entry.kind === 'fill' || entry.kind === 'correction') && newest.has(fillKey(entry));
  return { newest: newest.values(), lines: newest.size === 0 ? [] : entries.filter(isOpen) };
}

export function provisionalFills(entries: readonly Entry[], markets: ReadonlyMap<string, Market>): readonly Fill[] {
  return [...provisionalIn(entries).newest].flatMap((line) => {
    const market = markets.get(line.market);
    return market === undefined ? [] : [{ actionId: NO_ACTION, ...fillOf(line, market) }];
  });
}
