// What an earlier process of the same run left behind, read from its lines.
import { type ClientOrderId, compareIds } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { Fill, FillMode, Order } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import type { FillLine, Line, OrderLine } from './lines.ts';

export interface History {
  /** Those not known to have ended. One that was placed and never answered is unknown. */
  readonly orders: readonly Order[];
  /** Of those orders. */
  readonly fills: readonly Fill[];
  readonly lastClientOrderId: ClientOrderId | undefined;
}

export function historyOf(lines: Iterable<Line>, markets: ReadonlyMap<string, Market>): History {
  const newest = new Map<ClientOrderId, OrderLine>();
  const fills: FillLine[] = [];
  let last: ClientOrderId | undefined;
  for (const line of lines) {
    if (line.kind === 'fill') fills.push(line);
    if (line.kind !== 'order') continue;
    newest.set(line.clientOrderId, line);
    if (last === undefined || compareIds(line.clientOrderId, last) > 0) last = line.clientOrderId;
  }
  const orders = [...newest.values()].filter(({ status }) => !ENDED.has(status)).flatMap((line) => ofMarket(line, markets, orderOf));
  const live = new Set(orders.map(({ clientOrderId }) => clientOrderId));
  const theirs = fills.filter(({ clientOrderId }) => clientOrderId !== undefined && live.has(clientOrderId));
  return { orders, fills: theirs.flatMap((line) => ofMarket(line, markets, fillOf)), lastClientOrderId: last };
}

/** From where our trades have to be read again, and which of them the lines hold already; undefined for a run without a past. */
export function tradesToResume(
  lines: readonly Line[],
): { readonly since: number; readonly told: readonly Pick<Fill, 'tradeId' | 'time'>[] } | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const fills = lines.filter((line) => line.kind === 'fill');
  const told = fills.map(({ tradeId, at }) => ({ tradeId, time: Date.parse(at) }));
  const since = told.reduce((latest, { time }) => Math.max(latest, time), Date.parse(first.at)) - OVERLAP;
  return { since, told };
}

/** The exchange's clock may be so far behind ours, and a trade may be listed late. */
const OVERLAP = 600_000;

const ENDED: ReadonlySet<OrderLine['status']> = new Set(['filled', 'cancelled', 'rejected']);

function orderOf(line: OrderLine, market: Market): Order {
  const at = Date.parse(line.at);
  const size = market.parseSize(line.size);
  return {
    clientOrderId: line.clientOrderId,
    orderId: line.orderId,
    market: market.id,
    side: line.side as Side,
    price: market.parsePrice(line.price),
    size,
    remaining: size,
    fillMode: line.fillMode as FillMode,
    status: line.status === 'open' ? 'open' : 'unknown',
    sentAt: at,
    touchedAt: at,
    deadAfter: line.deadAfter,
  };
}

function fillOf(line: FillLine, market: Market): Fill {
  const { role, orderId, tradeId, clientOrderId } = line;
  const price = market.parsePrice(line.price);
  const size = market.parseSize(line.size);
  return {
    tradeId,
    actionId: '0',
    market: market.id,
    side: line.side as Side,
    price,
    size,
    role,
    orderId,
    clientOrderId,
    time: Date.parse(line.at),
  };
}

/** None of a market that this process does not trade. */
function ofMarket<L extends OrderLine | FillLine, T>(
  line: L,
  markets: ReadonlyMap<string, Market>,
  make: (line: L, market: Market) => T,
): T[] {
  const market = markets.get(line.market);
  return market === undefined ? [] : [make(line, market)];
}
