// Makes a checkpoint of a run's entries: keeps those still needed and replaces the others by sums.
import type { Millis } from '../../../base/clock.ts';
import { groupBy } from '../../../base/collections/lists.ts';
import { type FillLine, fillKey } from '../../accounting/lines.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import { Market } from '../../domain/market.ts';
import { provisionalLines } from './booked-fills.ts';
import type { Carry, Entry } from './entries.ts';
import { countsOf, firstOrderOf, hasEnded, liveSince, mayReappear, newestTime, OVERLAP, ordersIn } from './history.ts';
import { fillsAfterLosses, profitFrom } from './loss-entries.ts';
import { placedInLastMinute } from './send-rate.ts';

/**
 * Returns the entries that a later process needs. Each entry is either kept or summed, never both. Kept are: the last line of each order that is live
 * or may reappear, and its sent action; actions sent within the last minute, for the rate limit; fills of live orders and of the time that is read
 * again, and provisional fills, with their corrections; the newest entry of each kind that replaces earlier ones.
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
    else if (!mayReappear(line, lately)) continue;
    kept.add(line);
    const sent = placed.get(line.clientOrderId);
    if (sent !== undefined) kept.add(sent);
  }
  for (const fill of fillsAfterLosses(entries)) kept.add(fill);
  for (const fill of fillsToKeep(entries, { live, since: liveSince(newest.values(), placed) })) kept.add(fill);
  for (const line of provisionalLines(entries)) kept.add(line);
  for (const entry of followingKept(entries, kept)) kept.add(entry);
  for (const entry of sentInLastMinute(entries)) kept.add(entry);
  for (const entry of newestOfEach(entries)) kept.add(entry);
  return kept;
}

/** Returns the fills to keep. The two fills of a trade with ourselves stay together. Any fill after `since` may belong to the oldest live order. */
function fillsToKeep(entries: readonly Entry[], { live, since }: { live: ReadonlySet<ClientOrderId>; since: Millis }): readonly FillLine[] {
  const fills = entries.filter((entry) => entry.kind === 'fill');
  const from = Math.min(newestTime(fills), since) - OVERLAP;
  const isWanted = ({ at, clientOrderId }: FillLine): boolean =>
    Date.parse(at) >= from || (clientOrderId !== undefined && live.has(clientOrderId));
  const trades = new Set(fills.filter(isWanted).map(({ tradeId }) => tradeId));
  return fills.filter(({ tradeId }) => trades.has(tradeId));
}

/** Returns the corrections of kept fills, and the trades of the time that is read again that were not booked. */
function followingKept(entries: readonly Entry[], kept: ReadonlySet<Entry>): readonly Entry[] {
  const fills = new Set([...kept].flatMap((entry) => (entry.kind === 'fill' ? [fillKey(entry)] : [])));
  const unbooked = entries.filter((entry) => entry.kind === 'unbooked');
  const since = newestTime(unbooked) - OVERLAP;
  return entries.filter(
    (entry) => (entry.kind === 'correction' && fills.has(fillKey(entry))) || (entry.kind === 'unbooked' && Date.parse(entry.at) >= since),
  );
}

function sentInLastMinute(entries: readonly Entry[]): readonly Entry[] {
  const oldest = placedInLastMinute(entries)[0];
  if (oldest === undefined) return [];
  return entries.filter((entry) => entry.kind === 'sent' && entry.action === 'place' && Date.parse(entry.at) >= oldest);
}

const ONE_OF_EACH: ReadonlySet<Entry['kind']> = new Set(['losses', 'process', 'identity', 'begin', 'funding', 'sent', 'takeover']);

/** The newest entry of each kind that replaces earlier ones; of sent actions also the last one with a nonce, which not every exchange has. */
function newestOfEach(entries: readonly Entry[]): Iterable<Entry> {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.kind === 'baseline') newest.set(`baseline ${entry.market}`, entry);
    else if (entry.kind === 'market') newest.set(`market ${entry.spec.symbol}`, entry);
    else if (entry.kind === 'memory') newest.set(`memory ${entry.name}`, entry);
    else if (ONE_OF_EACH.has(entry.kind)) newest.set(entry.kind, entry);
    if (entry.kind === 'sent' && entry.nonce !== undefined) newest.set('nonce', entry);
  }
  return newest.values();
}

function carryOf(entries: readonly Entry[], dropped: readonly Entry[]): Carry {
  const markets = new Map(marketsFor(dropped, entries).map((market) => [market.symbol, market]));
  const sums = dropped.filter(({ kind }) => kind !== 'losses');
  const ledger = { ...countsOf(dropped).counts(), ...profitFrom(sums, markets).fills.carry() };
  const at = entries.at(-1)?.at ?? '';
  return { kind: 'carry', at, firstOrder: firstOrderOf(entries), lastClientOrderId: ordersIn(entries).last, ledger };
}

interface Texts {
  readonly price: string;
  readonly size: string;
}

/**
 * Returns the markets of the summed entries, with the specification in the journal that fits the texts of prices and sizes. Ids are valid for this
 * sum only, because an id may have meant another market in an earlier process.
 */
function marketsFor(dropped: readonly Entry[], all: readonly Entry[]): readonly Market[] {
  const specs = all.flatMap((entry) => (entry.kind === 'market' ? [entry.spec] : [])).reverse();
  return [...groupBy(textsIn(dropped), ({ market }) => market)].map(([symbol, texts], id) => {
    const listed = specs.filter((spec) => spec.symbol === symbol).map((spec) => new Market({ ...spec, id }));
    return listed.find((market) => texts.every((text) => market.isOnGrid(text))) ?? unlisted({ symbol, id }, texts);
  });
}

function textsIn(entries: readonly Entry[]): readonly (Texts & { readonly market: string })[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'fill' || entry.kind === 'correction') return [entry];
    if (entry.kind !== 'carry') return [];
    return Object.entries(entry.ledger.markets).map(([market, { position }]) => ({ market, price: '0', size: position }));
  });
}

/** Returns a market with the decimals of its texts, for a journal of an earlier version without markets, or if the decimals became fewer. */
function unlisted({ symbol, id }: { readonly symbol: string; readonly id: number }, texts: readonly Texts[]): Market {
  const maxDecimals = (textOf: (texts: Texts) => string): number =>
    texts.reduce((digits, one) => Math.max(digits, decimalsOf(textOf(one))), 0);
  const decimals = { priceDecimals: maxDecimals(({ price }) => price), sizeDecimals: maxDecimals(({ size }) => size) };
  return new Market({ id, symbol, kind: 'perp', baseTokenId: 0, quoteTokenId: 0, ...decimals, imf: 1, mmf: 1 });
}

const decimalsOf = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
