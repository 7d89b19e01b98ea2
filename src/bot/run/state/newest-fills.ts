// The newest fills of earlier processes that died before they knew the position before the run. The first accounts of the next process may come from a
// cache, and be older than these fills.
import type { Millis } from '../../../base/clock.ts';
import { fillOf } from '../../accounting/lines.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { positionChange } from '../../domain/order.ts';
import type { RecoveredState } from '../../world/recovered-state.ts';
import type { Entry } from './entries.ts';

/** More than an account of the first moments can lack. */
const MOST = 200;

/** Returns the fills of the last `within` milliseconds by market, newest first, in signed lots. Markets with a known baseline are left out. */
export function newestFillsOf(
  entries: readonly Entry[],
  { markets, known, within }: { markets: ReadonlyMap<string, Market>; known: ReadonlyMap<MarketId, unknown>; within: Millis },
): Pick<RecoveredState, 'newestFills'> {
  const found = new Map<MarketId, number[]>();
  const fills = entries.filter((entry) => entry.kind === 'fill');
  const since = fills.reduce((newest, { at }) => Math.max(newest, Date.parse(at)), -Infinity) - within;
  for (const fill of fills.toReversed()) {
    const market = markets.get(fill.market);
    if (market === undefined || known.has(market.id) || Date.parse(fill.at) < since) continue;
    const change = positionChange(fillOf(fill, market));
    const changes = found.get(market.id);
    if (changes === undefined) found.set(market.id, [change]);
    else if (changes.length < MOST) changes.push(change);
  }
  return found.size === 0 ? {} : { newestFills: [...found] };
}
