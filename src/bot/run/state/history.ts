// Derives the state left by earlier processes of the same run from the journal: orders, fills, positions. An order without an answer is unknown;
// `bot/world/orders/proof.ts` decides how it ended.
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { PROGRAM } from '../../../base/package.ts';
import { type FillLine, fillKey, fillOf, type OrderLine } from '../../accounting/lines.ts';
import { RunCounts } from '../../accounting/run-counts.ts';
import { type ClientOrderId, compareIds, type MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import { type Fill, type FillMode, type Order, positionChange } from '../../domain/order.ts';
import type { Profit } from '../../world/position/profit.ts';
import type { EndedOrder, RecoveredFill, RecoveredState } from '../../world/recovered-state.ts';
import { type BookedLine, bookedFills, newestLines, withFoundOrders } from './booked-fills.ts';
import type { EarlierIds } from './client-order-ids.ts';
import { type Entry, isLine, type Sent } from './entries.ts';
import { accountingOf, profitFrom } from './loss-entries.ts';
import { placedInLastMinute } from './send-rate.ts';

export interface EarlierHistory extends RecoveredState, EarlierIds {
  readonly ended: readonly EndedOrder[];
  readonly baselines: readonly (readonly [MarketId, Lots])[];
}

/** The history of a new run. */
export const NO_HISTORY: EarlierHistory = { orders: [], fills: [], ended: [], baselines: [], lastClientOrderId: undefined };

/** The last line of each order, and its sent action. */
export interface JournaledOrders {
  readonly newest: ReadonlyMap<ClientOrderId, OrderLine>;
  readonly placed: ReadonlyMap<ClientOrderId, Sent>;
  readonly last: ClientOrderId | undefined;
  /** Time of the last entry about any order. It need not be the latest time, since the clock may have been set back. */
  readonly lately: Millis;
}

/** Maximum lag of the exchange's clock and of the list of trades. The bytes of an order expire long before. */
export const OVERLAP: Millis = 600_000;

const ENDED: ReadonlySet<OrderLine['status']> = new Set(['filled', 'cancelled', 'rejected']);
export const hasEnded = ({ status }: OrderLine): boolean => ENDED.has(status);

/** How long a lagging account may list an ended order that was seen at the exchange. */
const SHOWN_AGAIN: Millis = 60_000;

/** True if an ended order may still reappear; `lately` is the time of the last entry about any order. */
export function mayReappear({ status, orderId, at }: OrderLine, lately: Millis): boolean {
  const wasSeen = status === 'filled' || orderId !== undefined;
  return Date.parse(at) >= lately - (wasSeen ? SHOWN_AGAIN : OVERLAP);
}

/** True if an earlier process may have left an order at the exchange. */
export function mayRest(entries: Iterable<Entry>): boolean {
  const { newest, placed } = ordersIn(entries);
  return [...newest.values()].some((line) => !hasEnded(line)) || [...placed.keys()].some((id) => !newest.has(id));
}

export function ordersIn(entries: Iterable<Entry>): JournaledOrders {
  const newest = new Map<ClientOrderId, OrderLine>();
  const placed = new Map<ClientOrderId, Sent>();
  let last: ClientOrderId | undefined;
  let lastLine: OrderLine | undefined;
  for (const entry of entries) {
    if (entry.kind === 'sent' && entry.action === 'place' && entry.clientOrderId !== undefined) placed.set(entry.clientOrderId, entry);
    if (entry.kind === 'order') {
      newest.set(entry.clientOrderId, entry);
      lastLine = entry;
    }
    const id = newestIdIn(entry);
    if (id !== undefined && (last === undefined || compareIds(id, last) > 0)) last = id;
  }
  return { newest, placed, last, lately: lastLine === undefined ? -Infinity : Date.parse(lastLine.at) };
}

function newestIdIn(entry: Entry): ClientOrderId | undefined {
  if (entry.kind === 'order') return entry.clientOrderId;
  return entry.kind === 'carry' ? entry.lastClientOrderId : undefined;
}

/** The time of the newest line; -Infinity if there is none. */
export const newestTime = (lines: Iterable<{ readonly at: string }>): Millis => {
  let newest = -Infinity;
  for (const { at } of lines) newest = Math.max(newest, Date.parse(at));
  return newest;
};

/** Derives the history. Throws a UserError if an order that reached the book cannot be written with the decimals that its market has now. */
export function historyOf(journal: readonly Entry[], markets: ReadonlyMap<string, Market>): EarlierHistory {
  const entries = withFoundOrders(journal);
  const found = ordersIn(entries);
  const { newest, placed, last, lately } = found;
  const orders: Order[] = [];
  const ended: EndedOrder[] = [];
  const byAge = [...newest.values()].sort((a, b) => compareIds(a.clientOrderId, b.clientOrderId));
  for (const line of byAge) {
    const market = markets.get(line.market);
    if (market === undefined) continue; // not traded by this process
    if (!market.isOnGrid(line)) {
      if (isNeverPlaced(line)) continue; // it has no fills; if it appears, it counts as foreign
      throw offGrid(line, market);
    }
    const order = orderOf(line, { market, sent: placed.get(line.clientOrderId) });
    if (!hasEnded(line)) orders.push(order);
    else if (mayReappear(line, lately)) ended.push(endedOf(line, order));
  }
  const newestThen = newestAtFills(entries);
  const asBooked = newestLines(entries);
  const fills = fillsOf(entries, found).flatMap((line): RecoveredFill[] => {
    const market = markets.get(line.market);
    if (market === undefined) return [];
    return [
      {
        ...recovered({ ...(asBooked.get(fillKey(line)) ?? line), clientOrderId: line.clientOrderId }, market),
        newestThen: newestThen.get(line),
      },
    ];
  });
  const profit = profitFrom(entries, markets);
  const baselines = baselinesOf(entries, { markets, profit });
  const hasPlaced = firstOrderOf(entries) !== undefined;
  const newestFills = hasPlaced ? newestFillsOf(entries, { markets, known: new Map(baselines), within: OVERLAP }) : {};
  const carried = { placedAt: placedInLastMinute(entries), ...newestFills, ...accountingOf(entries, profit), ...memoryOf(entries) };
  return { orders, fills, ended, baselines, lastClientOrderId: last, ...carried, ...bookedFills(entries, { markets, within: OVERLAP }) };
}

/**
 * Returns the history with no time later than `now`, since the clock may have been set back: an account requested from now on must be younger than
 * all of it.
 */
export function notLater(history: EarlierHistory, now: Millis): EarlierHistory {
  const notAfterNow = (order: Order): Order =>
    order.touchedAt <= now && order.sentAt <= now
      ? order
      : { ...order, sentAt: Math.min(order.sentAt, now), touchedAt: Math.min(order.touchedAt, now) };
  const ended = history.ended.map((end) => ({ ...end, order: notAfterNow(end.order), at: Math.min(end.at, now) }));
  return { ...history, orders: history.orders.map(notAfterNow), ended };
}

function offGrid({ clientOrderId, price, size }: OrderLine, { symbol, spec: { priceDecimals, sizeDecimals } }: Market): UserError {
  const now = `${priceDecimals} and ${sizeDecimals} decimals`;
  const message = `order ${clientOrderId} of ${size} at ${price} was placed when ${symbol} had finer prices or sizes; the exchange lists it with ${now} now`;
  return new UserError({
    code: 'market',
    message,
    hint: `cancel its orders with ${PROGRAM} kill, and start with another --state DIR`,
  });
}

/** Returns the fills of live orders, and the latest fills without a known order, which a live order may have had. */
function fillsOf(entries: readonly Entry[], { newest, placed }: JournaledOrders): readonly FillLine[] {
  const fills = entries.filter((entry) => entry.kind === 'fill');
  const from = Math.min(newestTime(fills), liveSince(newest.values(), placed)) - OVERLAP;
  const isLive = (id: ClientOrderId): boolean => {
    const line = newest.get(id);
    return line !== undefined && !hasEnded(line);
  };
  return fills.filter(({ clientOrderId, at }) => (clientOrderId === undefined ? Date.parse(at) >= from : isLive(clientOrderId)));
}

/** Returns, for each fill, the newest of our orders recorded before it. Later orders have higher ids, independent of clocks. */
function newestAtFills(entries: readonly Entry[]): ReadonlyMap<FillLine, ClientOrderId> {
  const found = new Map<FillLine, ClientOrderId>();
  let newest: ClientOrderId | undefined;
  for (const entry of entries) {
    if (entry.kind === 'fill' && newest !== undefined) found.set(entry, newest);
    if ((entry.kind !== 'sent' && entry.kind !== 'order') || entry.clientOrderId === undefined) continue;
    if (newest === undefined || compareIds(entry.clientOrderId, newest) > 0) newest = entry.clientOrderId;
  }
  return found;
}

/** Returns when the oldest live order was sent, by our clock or the exchange's, whichever is earlier; Infinity if none is live. */
export function liveSince(newest: Iterable<OrderLine>, placed: JournaledOrders['placed']): Millis {
  let since = Infinity;
  for (const line of newest) {
    if (hasEnded(line)) continue;
    const sent = placed.get(line.clientOrderId);
    const { at, timestamp = Infinity } = { ...line, ...sent };
    since = Math.min(since, Date.parse(at), timestamp * 1_000);
  }
  return since;
}

/** Returns the counts of the run so far. */
export function countsOf(entries: Iterable<Entry>, guards: readonly string[] = []): RunCounts {
  const counts = new RunCounts(guards);
  for (const entry of entries) {
    if (isLine(entry)) counts.addLine(entry);
    else if (entry.kind === 'carry') counts.resume(entry.ledger);
  }
  return counts;
}

/** When the first order was placed, RFC 3339. */
export function firstOrderOf(entries: Iterable<Entry>): string | undefined {
  for (const entry of entries) {
    if (entry.kind === 'order') return entry.at;
    if (entry.kind === 'carry' && entry.firstOrder !== undefined) return entry.firstOrder;
  }
  return undefined;
}

/**
 * Returns the baselines by market. A run that has placed no order has none: the position at its next start counts as held before. A `begin` entry
 * starts the run anew, so baselines before it no longer count.
 */
function baselinesOf(
  entries: readonly Entry[],
  { markets, profit }: { readonly markets: ReadonlyMap<string, Market>; readonly profit: Profit },
): EarlierHistory['baselines'] {
  if (firstOrderOf(entries) === undefined) return [];
  const first = new Map<MarketId, Lots>();
  for (const entry of entries) {
    if (entry.kind === 'begin') first.clear();
    const market = entry.kind === 'baseline' ? markets.get(entry.market) : undefined;
    if (entry.kind === 'baseline' && market !== undefined) first.set(market.id, market.parseSize(entry.size));
  }
  return [...first].sort(([a], [b]) => a - b).map(([market, size]) => [market, lots(size + profit.fills.position(market))] as const);
}

/** Returns the last remembered values, by name. */
function memoryOf(entries: readonly Entry[]): Pick<RecoveredState, 'memory'> {
  const values = entries.flatMap((entry) => (entry.kind === 'memory' ? [[entry.name, entry.value] as const] : []));
  return values.length === 0 ? {} : { memory: Object.fromEntries(values) };
}

/** True if we reported that the order never reached the book. */
const isNeverPlaced = ({ status, orderId, deadAfter }: OrderLine): boolean =>
  status === 'rejected' || (status === 'cancelled' && orderId === undefined && deadAfter !== undefined);

function endedOf(line: OrderLine, order: Order): EndedOrder {
  const { status, reason, at } = line;
  const reportedAs = reason === undefined ? status : `${status}: ${reason}`;
  return { order, reportedAs: status === 'filled' ? undefined : reportedAs, neverPlaced: isNeverPlaced(line), at: Date.parse(at) };
}

function orderOf(line: OrderLine, { market, sent }: { market: Market; sent: Sent | undefined }): Order {
  const at = Date.parse(line.at);
  const size = market.parseSize(line.size);
  const deadAfter = line.deadAfter ?? (line.status === 'open' ? undefined : sent?.deadAfter);
  const life = deadAfter === undefined || sent?.heard === undefined ? undefined : (deadAfter - sent.heard) * 1_000;
  return {
    clientOrderId: line.clientOrderId,
    orderId: line.orderId,
    ...(line.uncertainId === true && { uncertainId: true }),
    market: market.id,
    side: line.side,
    price: market.parsePrice(line.price),
    size,
    remaining: size,
    fillMode: line.fillMode as FillMode,
    status: line.status === 'open' ? 'open' : 'unknown',
    sentAt: sent === undefined ? at : Date.parse(sent.at),
    touchedAt: at,
    deadAfter,
    ...(sent !== undefined && withoutUndefined({ life, engineThen: sent.heard ?? sent.timestamp, accountThen: sent.account })),
  };
}

/** Removes undefined fields: a recording's header has none, and its replay must build the same order. */
const withoutUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Returns the fill without its fee, which the world does not need. */
function recovered(line: BookedLine, market: Market): Fill {
  const { fee: _, ...fill } = fillOf(line, market);
  return fill;
}

/** Maximum number of fills by market: more than an account of the first moments can lack. */
const MAX_FILLS = 200;

/**
 * Returns the fills of the last `within` milliseconds by market, newest first, in signed lots: the first accounts of the next process may come from a cache,
 * and be older than these fills. Markets with a known baseline are left out.
 */
function newestFillsOf(
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
    else if (changes.length < MAX_FILLS) changes.push(change);
  }
  return found.size === 0 ? {} : { newestFills: [...found] };
}
