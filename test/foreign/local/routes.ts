// The endpoints of the local process, as a table of paths and handlers. Differences switch some of them on or off.
import type { Json } from '../json.ts';
import { LISTINGS, type Listing } from '../market.ts';
import { accountInfo, balances, fillsIn, paymentInfo, positions, transferInfo } from './account-views.ts';
import { ApiError } from './api-error.ts';
import type { DifferenceName, Differences } from './differences.ts';
import { type MarkHistory, resolutionIn } from './mark-history.ts';
import { listingNamed, nameOf } from './market-names.ts';
import { coins, marketInfo, orderbook, rateInfo, tradeInfo } from './market-views.ts';
import { type BodyFields, parseFields, parseOrderRequest } from './order-request.ts';
import { modifiedOrder, oneOrder, openOrder, placedOrder, transactionOf } from './order-views.ts';
import { countIn, type Page, pageIn, pageOf, type Query } from './pages.ts';
import type { ProcessState } from './process-state.ts';
import { lotsOf, ticksOf } from './units.ts';

/** `params`: the parameters of the path, in order. `body`: undefined if none was sent. */
export interface Call {
  readonly state: ProcessState;
  readonly differences: Differences;
  readonly params: readonly string[];
  readonly query: Query;
  readonly body: unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly result: (call: Call) => Json;
  /** The field `hasMoreData` of the envelope, if the endpoint has one. */
  readonly hasMoreData?: (call: Call) => boolean;
  /** Served only while this difference is on. */
  readonly on?: DifferenceName;
  /** Served only while this difference is off. */
  readonly off?: DifferenceName;
  /** True for a GET that changes state. */
  readonly isWrite?: true;
}

/** The first match is used. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/markets', result: ({ state }) => LISTINGS.map((listing) => marketInfo(state, listing)) },
  { method: 'GET', path: '/markets/{market}', result: (call) => marketInfo(call.state, listingIn(call)) },
  { method: 'GET', path: '/markets/{market}/orderbook', result: (call) => orderbook(call.state, listingIn(call), depthIn(call)) },
  { method: 'GET', path: '/markets/{market}/candles', result: candles },
  { method: 'GET', path: '/markets/{market}/trades', result: trades },
  { method: 'GET', path: '/wallet/coins', result: coins },
  { method: 'GET', path: '/funding_rates', result: fundingRates },
  { method: 'GET', path: '/account', result: ({ state }) => accountInfo(state) },
  { method: 'GET', path: '/positions', result: positionList },
  { method: 'GET', path: '/wallet/balances', result: ({ state }) => balances(state) },
  { method: 'GET', path: '/wallet/transfers', result: transfers },
  {
    method: 'GET',
    path: '/wallet/deposits',
    result: (call) => moveFunds('deposit', moveInQuery(call)),
    off: 'walletByPost',
    isWrite: true,
  },
  {
    method: 'GET',
    path: '/wallet/withdrawals',
    result: (call) => moveFunds('withdrawal', moveInQuery(call)),
    off: 'walletByPost',
    isWrite: true,
  },
  { method: 'POST', path: '/wallet/deposits', result: (call) => moveFunds('deposit', moveInBody(call)), on: 'walletByPost' },
  { method: 'POST', path: '/wallet/withdrawals', result: (call) => moveFunds('withdrawal', moveInBody(call)), on: 'walletByPost' },
  { method: 'GET', path: '/orders', result: openOrders },
  {
    method: 'POST',
    path: '/orders',
    result: ({ state, differences, body }) => placedOrder(state, state.gateway.place(parseOrderRequest(body, differences))),
  },
  { method: 'DELETE', path: '/orders', result: cancelAll },
  { method: 'GET', path: '/orders/history', result: fills, hasMoreData: (call) => fillPage(call).hasMoreData, off: 'historyPath' },
  { method: 'GET', path: '/trades/history', result: fills, on: 'historyPath' },
  { method: 'GET', path: '/orders/{order}', result: (call) => orderWithId(call, call.params[0]) },
  { method: 'POST', path: '/orders/{order}/modify', result: modify },
  { method: 'DELETE', path: '/orders/{order}', result: cancelById },
  { method: 'DELETE', path: '/orders/by_client_id/{client}', result: cancelByClientId, off: 'clientIdPath' },
  { method: 'DELETE', path: '/orders/by_client_id/{market}/{client}', result: cancelByClientId, on: 'clientIdPath' },
  { method: 'DELETE', path: '/positions/{market}', result: (call) => transactionOf(call.state.gateway.close(listingIn(call))) },
  { method: 'GET', path: '/funding_payments', result: fundingPayments },
];

const QUEUED = 'queued for cancellation';
const CANDLES_PER_PAGE = 100;
/** Most candles per answer at the real process's data source. */
const MAX_CANDLES = 300;

const listingIn = ({ params }: Call): Listing => listingNamed(params[0] ?? '');
const depthIn = ({ query, differences }: Call): number =>
  (differences.depthIgnored ? undefined : countIn(query, 'depth')) ?? Number.POSITIVE_INFINITY;

function markHistoryIn(call: Call): MarkHistory {
  const listing = listingIn(call);
  const markHistory = call.state.markHistories.find((candidate) => candidate.listing === listing);
  if (markHistory === undefined) throw new ApiError('unknown', `there are no candles of ${nameOf(listing)}`);
  return markHistory;
}

function candles(call: Call): Json {
  const { state, query, differences } = call;
  const markHistory = markHistoryIn(call);
  const resolution = resolutionIn(query.get('resolution'));
  const span = differences.candleSpan
    ? { from: countIn(query, 'start_time'), to: countIn(query, 'end_time'), skip: 0, count: MAX_CANDLES }
    : { skip: (pageIn(query) - 1) * CANDLES_PER_PAGE, count: CANDLES_PER_PAGE };
  return markHistory.candles({ resolution, ...span }, Math.floor(state.now() / 1_000));
}

/** Returns public trades. By the document this endpoint also returns a single order. */
function trades(call: Call): Json {
  const { state, query, differences } = call;
  if (!differences.orderPath && query.has('order_id')) return orderWithId(call, query.get('order_id'));
  const listing = listingIn(call);
  const here = state.engine.trades.filter((trade) => trade.listing === listing);
  const page = differences.pageNaN && !query.has('page') ? Number.NaN : pageIn(query);
  return pageOf(here, page).items.map((trade) => tradeInfo(trade, differences));
}

function fundingRates({ state, query, differences }: Call): Json {
  const name = query.get(differences.fundingRateFilter ? 'market_name' : 'future');
  return pageOf(ofMarket(state.funding.rates, name), pageIn(query)).items.map(rateInfo);
}

function fundingPayments({ state, query, differences }: Call): Json {
  const name = query.get(differences.fundingPaymentFilter ? 'market' : 'future');
  return pageOf(ofMarket(state.funding.payments, name), pageIn(query)).items.map(paymentInfo);
}

function positionList({ state, query, differences }: Call): Json {
  const showAvgPrice = query.get('showAvgPrice') ?? 'false';
  if (!differences.showAvgPriceIgnored && showAvgPrice !== 'true' && showAvgPrice !== 'false')
    throw new ApiError('malformed', `showAvgPrice ${showAvgPrice} is neither true nor false`);
  return positions(state);
}

function transfers({ state, query, differences }: Call): Json {
  return pageOf(state.wallet.transfers, pageIn(query)).items.map((transfer) => transferInfo(transfer, differences));
}

function openOrders({ state, query, differences }: Call): Json {
  const name = differences.marketFilterIgnored ? undefined : query.get('market');
  return ofMarket(state.gateway.orders, name).map((order) => openOrder(state, order));
}

/** Returns a single order. The real process finds open orders only. */
function orderWithId({ state, differences }: Call, id = ''): Json {
  const order = differences.orderPath ? state.gateway.openOrder(id) : state.gateway.order(id);
  if (order === undefined) throw new ApiError('unknown', `there is no order ${id}`);
  return oneOrder(order);
}

function modify({ state, params, body }: Call): Json {
  const order = state.gateway.openOrder(params[0] ?? '');
  const { price, size } = parseFields(body);
  const placement = state.gateway.modify(order, { price: ticksOf(order.listing, price), size: lotsOf(order.listing, size) });
  return modifiedOrder(state, placement, order);
}

function cancelById({ state, params }: Call): Json {
  state.gateway.cancel(state.gateway.openOrder(params[0] ?? ''));
  return QUEUED;
}

/** Cancels by client id, the last part of the path. The real process expects the market before it. */
function cancelByClientId(call: Call): Json {
  const { state, params, differences } = call;
  state.gateway.cancel(state.gateway.openOrderOf(params.at(-1) ?? '', differences.clientIdPath ? listingIn(call) : undefined));
  return QUEUED;
}

function cancelAll({ state }: Call): Json {
  state.gateway.cancelAll();
  return QUEUED;
}

function fills(call: Call): Json {
  return fillPage(call).items;
}

function fillPage({ state, query }: Call): Page<Json> {
  const listing = listingNamed(query.get('market') ?? '');
  const ours = state.engine.trades.filter((trade) => trade.listing === listing).flatMap((trade) => fillsIn(trade, state.account));
  return pageOf(ours, pageIn(query));
}

interface FundsMove {
  readonly state: ProcessState;
  readonly fields: BodyFields;
}

const moveInQuery = ({ state, query }: Call): FundsMove => ({
  state,
  fields: { coin: query.get('coin'), size: Number(query.get('size')) },
});
const moveInBody = ({ state, body }: Call): FundsMove => ({ state, fields: parseFields(body) });
const moveFunds = (type: 'deposit' | 'withdrawal', { state, fields: { coin, size } }: FundsMove): Json =>
  state.wallet.move(type, { coin, size });

/** Returns the items of one market; all items if `name` is undefined. */
function ofMarket<T extends { readonly listing: Listing }>(items: readonly T[], name: string | undefined): readonly T[] {
  if (name === undefined) return items;
  const listing = listingNamed(name);
  return items.filter((item) => item.listing === listing);
}
