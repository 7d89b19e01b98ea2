// Shortens the entries of a run: those that are still needed are kept as they are, everything else becomes sums.
import type { Millis } from '../../base/clock.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import { Market } from '../../domain/market.ts';
import type { FillLine } from '../../report/accounting/lines.ts';
import { placedLately } from '../core/leave-rate.ts';
import type { Carry, Entry } from './entries.ts';
import { firstOrderOf, hasEnded, ledgerOf, liveSince, mayTurnUp, newestTime, OVERLAP, ordersIn } from './history.ts';
import { fillsAfterLosses } from './loss-entries.ts';

/**
 * What a later process needs of these entries. Each is either kept or summed up, never both. Kept are: the last line of each order that is live or may turn up
 * again, and what was sent for it; what was sent within the last minute, for the rate limit; the fills of live orders and of the time that is read again; the
 * newest entry of each kind that replaces earlier ones.
 */
export function checkpointOf(entries: readonly Entry[]): readonly Entry[] {
  const kept = keptOf(entries);
  const dropped = entries.filter((entry) => !kept.has(entry));
  return [carryOf(entries, dropped), ...entries.filter((entry) => kept.has(entry))];
}

function keptOf(entries: readonly Entry[]): ReadonlySet<Entry> {
  const { newest, placed, lately } = ordersIn(entries);
  const kept = new Set<Entry>();
  const live = new Set<ClientOrderId>();
  for (const line of newest.values()) {
    if (!hasEnded(line)) live.add(line.clientOrderId);
    else if (!mayTurnUp(line, lately)) continue;
    kept.add(line);
    const sent = placed.get(line.clientOrderId);
    if (sent !== undefined) kept.add(sent);
  }
  for (const fill of fillsAfterLosses(entries)) kept.add(fill);
  for (const fill of fillsToKeep(entries, { live, since: liveSince(newest.values(), placed) })) kept.add(fill);
  for (const entry of sentLately(entries)) kept.add(entry);
  for (const entry of newestOfEach(entries)) kept.add(entry);
  return kept;
}

/** Fills to keep. The two fills of a trade with ourselves stay together. Any fill after `since` may belong to the oldest live order. */
function fillsToKeep(entries: readonly Entry[], { live, since }: { live: ReadonlySet<ClientOrderId>; since: Millis }): readonly FillLine[] {
  const fills = entries.filter((entry) => entry.kind === 'fill');
  const from = Math.min(newestTime(fills), since) - OVERLAP;
  const isWanted = ({ at, clientOrderId }: FillLine): boolean =>
    Date.parse(at) >= from || (clientOrderId !== undefined && live.has(clientOrderId));
  const trades = new Set(fills.filter(isWanted).map(({ tradeId }) => tradeId));
  return fills.filter(({ tradeId }) => trades.has(tradeId));
}

function sentLately(entries: readonly Entry[]): readonly Entry[] {
  const oldest = placedLately(entries)[0];
  if (oldest === undefined) return [];
  return entries.filter((entry) => entry.kind === 'sent' && entry.action === 'place' && Date.parse(entry.at) >= oldest);
}

const ONE_OF_EACH: ReadonlySet<Entry['kind']> = new Set(['losses', 'process', 'identity', 'begin', 'funding', 'sent', 'takeover']);

/** The newest entry of each kind that replaces earlier ones; of sent actions also the last one with a nonce, which not every exchange has. */
function newestOfEach(entries: readonly Entry[]): Iterable<Entry> {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.kind === 'baseline') newest.set(`baseline ${entry.market}`, entry);
    else if (entry.kind === 'memory') newest.set(`memory ${entry.name}`, entry);
    else if (ONE_OF_EACH.has(entry.kind)) newest.set(entry.kind, entry);
    if (entry.kind === 'sent' && entry.nonce !== undefined) newest.set('nonce', entry);
  }
  return newest.values();
}

function carryOf(entries: readonly Entry[], dropped: readonly Entry[]): Carry {
  const ledger = ledgerOf(dropped, { markets: marketsIn(dropped), guards: [] }).carry();
  const at = entries.at(-1)?.at ?? '';
  return { kind: 'carry', at, firstOrder: firstOrderOf(entries), lastClientOrderId: ordersIn(entries).last, ledger };
}

/** Markets for the sums; the decimals are taken from the texts of the entries. */
function marketsIn(entries: Iterable<Entry>): readonly Market[] {
  const decimals = new Map<string, { price: number; size: number }>();
  const see = (market: string, { price, size }: { price: string; size: string }): void => {
    const known = decimals.get(market) ?? { price: 0, size: 0 };
    decimals.set(market, { price: Math.max(known.price, decimalsOf(price)), size: Math.max(known.size, decimalsOf(size)) });
  };
  for (const entry of entries) {
    if (entry.kind === 'fill') see(entry.market, entry);
    if (entry.kind !== 'carry') continue;
    for (const [market, { last, position }] of Object.entries(entry.ledger.markets)) see(market, { price: last, size: position });
  }
  const margins = { imf: 1, cmf: 1, mmf: 1 };
  return [...decimals].map(
    ([symbol, { price: priceDecimals, size: sizeDecimals }], id) =>
      new Market({ id, symbol, kind: 'perp', baseTokenId: 0, quoteTokenId: 0, priceDecimals, sizeDecimals, ...margins }),
  );
}

const decimalsOf = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
