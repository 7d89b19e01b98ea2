// The endpoints of the local process: a table of paths, each with what it answers, and by which row it is there.
import type { Json } from '../json.ts';
import { LISTINGS, type Listing } from '../market.ts';
import { accountInfo, balances, fillsIn, paymentInfo, positions, transferInfo } from './account-views.ts';
import { type Chart, resolutionIn } from './candles.ts';
import type { House } from './house.ts';
import { coins, marketInfo, orderbook, rateInfo, tradeInfo } from './market-views.ts';
import { listingNamed, nameOf } from './names.ts';
import { lotsOf, ticksOf } from './numbers.ts';
import { modifiedOrder, oneOrder, openOrder, placedOrder, transactionOf } from './order-views.ts';
import { countIn, type Page, pageIn, pageOf, type Query } from './pages.ts';
import { Problem } from './problem.ts';
import type { RowName, Rows } from './rows.ts';
import { type BodyFields, fieldsIn, wantedIn } from './wanted.ts';

/** `params` are the path's, by their place in it; `body` is undefined where none was sent. */
export interface Call {
  readonly house: House;
  readonly rows: Rows;
  readonly params: readonly string[];
  readonly query: Query;
  readonly body: unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly result: (call: Call) => Json;
  /** Beside the result, where there is such a thing. */
  readonly hasMoreData?: (call: Call) => boolean;
  /** Here only while this row is on. */
  readonly on?: RowName;
  /** Here only while this row is off. */
  readonly off?: RowName;
  /** Whether it changes something though it is a GET. */
  readonly deed?: true;
}

/** The first that fits is meant. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/markets', result: ({ house }) => LISTINGS.map((listing) => marketInfo(house, listing)) },
  { method: 'GET', path: '/markets/{market}', result: (call) => marketInfo(call.house, listingIn(call)) },
  { method: 'GET', path: '/markets/{market}/orderbook', result: (call) => orderbook(call.house, listingIn(call), depthIn(call)) },
  { method: 'GET', path: '/markets/{market}/candles', result: candles },
  { method: 'GET', path: '/markets/{market}/trades', result: trades },
  { method: 'GET', path: '/wallet/coins', result: coins },
  { method: 'GET', path: '/funding_rates', result: fundingRates },
  { method: 'GET', path: '/account', result: ({ house }) => accountInfo(house) },
  { method: 'GET', path: '/positions', result: positionList },
  { method: 'GET', path: '/wallet/balances', result: ({ house }) => balances(house) },
  { method: 'GET', path: '/wallet/transfers', result: transfers },
  { method: 'GET', path: '/wallet/deposits', result: (call) => moved('deposit', asked(call)), off: 'walletByPost', deed: true },
  { method: 'GET', path: '/wallet/withdrawals', result: (call) => moved('withdrawal', asked(call)), off: 'walletByPost', deed: true },
  { method: 'POST', path: '/wallet/deposits', result: (call) => moved('deposit', sent(call)), on: 'walletByPost' },
  { method: 'POST', path: '/wallet/withdrawals', result: (call) => moved('withdrawal', sent(call)), on: 'walletByPost' },
  { method: 'GET', path: '/orders', result: openOrders },
  { method: 'POST', path: '/orders', result: ({ house, rows, body }) => placedOrder(house, house.desk.place(wantedIn(body, rows))) },
  { method: 'DELETE', path: '/orders', result: cancelAll },
  { method: 'GET', path: '/orders/history', result: fills, hasMoreData: (call) => fillPage(call).hasMoreData, off: 'historyPath' },
  { method: 'GET', path: '/trades/history', result: fills, on: 'historyPath' },
  { method: 'GET', path: '/orders/{order}', result: (call) => orderWithId(call, call.params[0]) },
  { method: 'POST', path: '/orders/{order}/modify', result: modify },
  { method: 'DELETE', path: '/orders/{order}', result: cancelById },
  { method: 'DELETE', path: '/orders/by_client_id/{client}', result: cancelByClientId, off: 'clientIdPath' },
  { method: 'DELETE', path: '/orders/by_client_id/{market}/{client}', result: cancelByClientId, on: 'clientIdPath' },
  { method: 'DELETE', path: '/positions/{market}', result: (call) => transactionOf(call.house.desk.close(listingIn(call))) },
  { method: 'GET', path: '/funding_payments', result: fundingPayments },
];

const QUEUED = 'queued for cancellation';
const CANDLES_A_PAGE = 100;
/** What the real process's source of candles gives at most. */
const MAX_CANDLES = 300;

const listingIn = ({ params }: Call): Listing => listingNamed(params[0] ?? '');
const depthIn = ({ query, rows }: Call): number => (rows.depthIgnored ? undefined : countIn(query, 'depth')) ?? Number.POSITIVE_INFINITY;

function chartIn(call: Call): Chart {
  const listing = listingIn(call);
  const chart = call.house.charts.find((candidate) => candidate.listing === listing);
  if (chart === undefined) throw new Problem('unknown', `there are no candles of ${nameOf(listing)}`);
  return chart;
}

function candles(call: Call): Json {
  const { house, query, rows } = call;
  const chart = chartIn(call);
  const resolution = resolutionIn(query.get('resolution'));
  const span = rows.candleSpan
    ? { from: countIn(query, 'start_time'), to: countIn(query, 'end_time'), skip: 0, count: MAX_CANDLES }
    : { skip: (pageIn(query) - 1) * CANDLES_A_PAGE, count: CANDLES_A_PAGE };
  return chart.candles({ resolution, ...span }, Math.floor(house.now() / 1_000));
}

/** By the document this is where a single order is found, too. */
function trades(call: Call): Json {
  const { house, query, rows } = call;
  if (!rows.orderPath && query.has('order_id')) return orderWithId(call, query.get('order_id'));
  const listing = listingIn(call);
  const here = house.floor.trades.filter((trade) => trade.listing === listing);
  const page = rows.pageNaN && !query.has('page') ? Number.NaN : pageIn(query);
  return pageOf(here, page).items.map((trade) => tradeInfo(trade, rows));
}

function fundingRates({ house, query, rows }: Call): Json {
  const name = query.get(rows.fundingRateFilter ? 'market_name' : 'future');
  return pageOf(ofMarket(house.funding.rates, name), pageIn(query)).items.map(rateInfo);
}

function fundingPayments({ house, query, rows }: Call): Json {
  const name = query.get(rows.fundingPaymentFilter ? 'market' : 'future');
  return pageOf(ofMarket(house.funding.payments, name), pageIn(query)).items.map(paymentInfo);
}

function positionList({ house, query, rows }: Call): Json {
  const asked = query.get('showAvgPrice') ?? 'false';
  if (!rows.showAvgPriceIgnored && asked !== 'true' && asked !== 'false')
    throw new Problem('malformed', `showAvgPrice ${asked} is neither true nor false`);
  return positions(house);
}

function transfers({ house, query, rows }: Call): Json {
  return pageOf(house.wallet.transfers, pageIn(query)).items.map((transfer) => transferInfo(transfer, rows));
}

function openOrders({ house, query, rows }: Call): Json {
  const name = rows.marketFilterIgnored ? undefined : query.get('market');
  return ofMarket(house.desk.orders, name).map((order) => openOrder(house, order));
}

/** The real process knows of those that are open, no others. */
function orderWithId({ house, rows }: Call, id = ''): Json {
  const order = rows.orderPath ? house.desk.openOrder(id) : house.desk.order(id);
  if (order === undefined) throw new Problem('unknown', `there is no order ${id}`);
  return oneOrder(order);
}

function modify({ house, params, body }: Call): Json {
  const order = house.desk.openOrder(params[0] ?? '');
  const { price, size } = fieldsIn(body);
  const placement = house.desk.modify(order, { price: ticksOf(order.listing, price), size: lotsOf(order.listing, size) });
  return modifiedOrder(house, placement, order);
}

function cancelById({ house, params }: Call): Json {
  house.desk.cancel(house.desk.openOrder(params[0] ?? ''));
  return QUEUED;
}

/** The client id is the last part of the path; the real process wants the market before it. */
function cancelByClientId(call: Call): Json {
  const { house, params, rows } = call;
  house.desk.cancel(house.desk.openOrderOf(params.at(-1) ?? '', rows.clientIdPath ? listingIn(call) : undefined));
  return QUEUED;
}

function cancelAll({ house }: Call): Json {
  house.desk.cancelAll();
  return QUEUED;
}

function fills(call: Call): Json {
  return fillPage(call).items;
}

function fillPage({ house, query }: Call): Page<Json> {
  const listing = listingNamed(query.get('market') ?? '');
  const ours = house.floor.trades.filter((trade) => trade.listing === listing).flatMap((trade) => fillsIn(trade, house.account));
  return pageOf(ours, pageIn(query));
}

interface Move {
  readonly house: House;
  readonly fields: BodyFields;
}

const asked = ({ house, query }: Call): Move => ({ house, fields: { coin: query.get('coin'), size: Number(query.get('size')) } });
const sent = ({ house, body }: Call): Move => ({ house, fields: fieldsIn(body) });
const moved = (type: 'deposit' | 'withdrawal', { house, fields: { coin, size } }: Move): Json => house.wallet.move(type, { coin, size });

/** Of one market where a name is given, else of all. */
function ofMarket<T extends { readonly listing: Listing }>(items: readonly T[], name: string | undefined): readonly T[] {
  if (name === undefined) return items;
  const listing = listingNamed(name);
  return items.filter((item) => item.listing === listing);
}
