// Paginated lists: filters, and a cursor that is the id of the next item, null at the end.
import type { Account, Order } from './accounts.ts';
import type { Reply, Settings } from './faults.ts';
import type { Json } from './json.ts';
import { priceOf, sizeOf } from './market.ts';
import type { Trade } from './trading.ts';
import { timeText } from './views.ts';

export type Query = ReadonlyMap<string, string>;

const PAGE = { default: 50, max: 50 } as const;
const BAD_REQUEST: Reply = { status: 400, json: null };

/** Trades, newest first. `since` is inclusive, `until` exclusive. */
export function pageOfTrades(trades: readonly Trade[], settings: Settings, query: Query): Reply {
  const wants = (name: string, actual: string | number): boolean => (query.get(name) ?? String(actual)) === String(actual);
  const [since, until] = [timeIn(query, 'since') ?? Number.NEGATIVE_INFINITY, timeIn(query, 'until') ?? Number.POSITIVE_INFINITY];
  if (Number.isNaN(since) || Number.isNaN(until) || !['ask', 'bid', undefined].includes(query.get('takerSide'))) return BAD_REQUEST;
  const matching = trades.filter(
    (trade) =>
      wants('marketId', trade.listing.marketId) &&
      wants('makerId', trade.makerId) &&
      wants('takerId', trade.takerId) &&
      wants('takerSide', trade.takerSide) &&
      trade.time >= since &&
      trade.time < until,
  );
  return page(matching.reverse(), { idOf: (trade) => trade.tradeId, show: tradeInfo, settings, query });
}

/** All orders of an account that have ever rested, newest first. */
export function pageOfOrders(account: Account, settings: Settings, query: Query): Reply {
  return page([...account.history].reverse(), { idOf: (order) => order.orderId, show: orderInfo, settings, query });
}

type ShowId = (value: bigint) => Json;

function page<T>(
  items: readonly T[],
  given: { idOf: (item: T) => bigint; show: (item: T, id: ShowId, settings: Settings) => Json; settings: Settings; query: Query },
): Reply {
  const { idOf, show, settings, query } = given;
  const start = query.get('startInclusive');
  const size = query.get('pageSize');
  if ([start, size].some((text) => text !== undefined && !/^\d+$/.test(text)) || size === '0') return BAD_REQUEST;
  const from = start === undefined ? items : items.filter((item) => idOf(item) <= BigInt(start));
  const shown = from.slice(0, Math.min(PAGE.max, Number(size ?? PAGE.default)));
  const next = from[shown.length];
  const id: ShowId = (value) => (settings.idsAsStrings ? value.toString() : value);
  return {
    status: 200,
    json: { items: shown.map((item) => show(item, id, settings)), nextStartInclusive: next === undefined ? null : id(idOf(next)) },
  };
}

const tradeInfo = (trade: Trade, id: ShowId): Json => ({
  time: timeText(trade.time),
  actionId: id(trade.actionId),
  tradeId: id(trade.tradeId),
  takerId: trade.takerId,
  takerSide: trade.takerSide,
  makerId: trade.makerId,
  marketId: trade.listing.marketId,
  orderId: id(trade.orderId),
  price: priceOf(trade.listing, trade.price),
  baseSize: sizeOf(trade.listing, trade.size),
  makerFee: trade.makerFee / 1e6,
  takerFee: trade.takerFee / 1e6,
});

const orderInfo = (order: Order, id: ShowId, { echoClientOrderId }: Settings): Json => ({
  addedAt: timeText(order.placedAt),
  updatedAt: timeText(order.updatedAt),
  orderId: id(order.orderId),
  traderId: order.account.id,
  marketId: order.listing.marketId,
  marketSymbol: order.listing.symbol,
  side: order.side,
  fillMode: order.fillMode.charAt(0).toUpperCase() + order.fillMode.slice(1),
  placedPrice: priceOf(order.listing, order.price),
  placedSize: sizeOf(order.listing, order.originalSize),
  filledSize: sizeOf(order.listing, order.originalSize - order.remaining),
  clientOrderId: order.clientOrderId === undefined || !echoClientOrderId ? null : id(order.clientOrderId),
  updateActionId: id(order.actionId),
  finalizationReason: order.end ?? null,
});

/** Milliseconds of an RFC 3339 time in the query; NaN if it is not a time. */
function timeIn(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}
