// The answers of the local API about its account: margins, positions, orders, fills and payments.

import type { Json } from '../../../base/server/reply.ts';
import { timeText } from '../../../base/text/duration.ts';
import { opposite, type Side } from '../../../bot/domain/book.ts';
import { mustLiquidate } from '../../../bot/domain/margin.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Micros, micros, toDecimal } from '../../../bot/domain/numbers.ts';
import type { FundingPayment } from '../../exchange/history/statement.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import { type OrderRecord, remaining } from '../../exchange/state/orders.ts';
import type { PositionState, ShownAccountState } from '../../exchange/views.ts';
import { orNull, profitAtMark, requireKnown } from '../reply-values.ts';
import { type LocalApiContext, marketOf, nameOf } from './context.ts';
import { sideWord } from './market-replies.ts';

/**
 * Values and notionals of positions are at the mark price. `freeCollateral`, both requirements and `openMarginFraction` are at the index price, as in
 * the hosted API; the exchange decides by them. It accepts an order that does not reduce if `openMarginFraction` stays above `initialMarginRequirement`.
 */
export function accountReply(context: LocalApiContext, state: ShownAccountState): Json {
  const { margins } = state;
  const futures = state.positions.filter(({ market }) => marketOf(context, market).spec.kind === 'perp');
  const sum = (amount: (position: PositionState) => number): Micros => micros(futures.reduce((total, held) => total + amount(held), 0));
  const funding = sum(({ fundingPaymentPnl }) => fundingPaymentPnl);
  const collateral = micros(margins.mf - sum(({ tradingPnl }) => tradingPnl) - funding);
  const value = micros(collateral + funding + sum((position) => unrealized(context, position)));
  const held = sum(({ market, size }) => marketOf(context, market).notional(markOf(context, market), lots(Math.abs(size))));
  return {
    backstopProvider: false,
    collateral: toDecimal(collateral),
    freeCollateral: toDecimal(micros(Math.max(0, margins.omf - margins.imf))),
    initialMarginRequirement: fraction(margins.imf, margins.pon),
    maintenanceMarginRequirement: fraction(margins.mmf, margins.pn),
    liquidating: mustLiquidate(margins),
    makerFee: feeRate(context, 'maker'),
    takerFee: feeRate(context, 'taker'),
    marginFraction: fraction(value, held),
    openMarginFraction: fraction(margins.omf, margins.pon),
    totalAccountValue: toDecimal(value),
    totalPositionSize: toDecimal(held),
    username: String(context.account),
    leverage: 1 / Math.min(...context.exchange.markets.filter(({ spec }) => spec.kind === 'perp').map(({ spec }) => spec.imf)),
    positions: futures.map((position) => positionReply(context, state, position)),
  };
}

/** A notional of 0 counts as one quote token: the margin fraction of a flat account is its value, and its requirements are 0. */
const fraction = (numerator: Micros, notional: Micros): number => numerator / (notional === 0 ? MICROS_PER_UNIT : notional);

const feeRate = ({ exchange, account }: LocalApiContext, role: 'maker' | 'taker'): number =>
  requireKnown(exchange.feeRatePpm({ account, role })) / 1e6;

const markOf = ({ exchange }: LocalApiContext, market: number) => requireKnown(exchange.live(market)?.mark);

const unrealized = (context: LocalApiContext, position: PositionState): Micros =>
  profitAtMark({ market: marketOf(context, position.market), mark: markOf(context, position.market) }, position);

/** `entryPrice` is the average price of the open size, 0 for a flat position. Profit is realised only when the position shrinks. */
export function positionReply(context: LocalApiContext, { orders }: ShownAccountState, position: PositionState): Json {
  const market = marketOf(context, position.market);
  const { imf, mmf } = market.spec;
  const openOn = (side: Side): Lots =>
    lots(orders.filter((order) => order.market === market.id && order.side === side).reduce((total, { size }) => total + size, 0));
  const [longs, shorts] = [openOn('bid'), openOn('ask')];
  const openSize = lots(longs + shorts);
  return {
    future: context.names.of(market),
    cost: toDecimal(position.cost),
    entryPrice: position.entry ?? 0,
    initialMarginRequirement: imf,
    maintenanceMarginRequirement: mmf,
    netSize: market.size(position.size),
    size: market.size(lots(Math.abs(position.size))),
    side: sideWord(position.size < 0 ? 'ask' : 'bid'),
    openSize: market.size(openSize),
    longOrderSize: market.size(longs),
    shortOrderSize: market.size(shorts),
    unrealizedPnl: toDecimal(unrealized(context, position)),
    collateralUsed: withoutNoise(imf * toDecimal(market.notional(markOf(context, market.id), openSize))),
  };
}

/** Rounds to millionths, the unit of money: the product of two doubles has digits that mean nothing. */
const withoutNoise = (amount: number): number => Math.round(amount * 1e6) / 1e6;

/**
 * Returns an order, for all answers. `size` is the requested size, minus the part that a reduce-only order could not use; `remainingSize` is its
 * unfilled part. The price of a market order is the average of its fills.
 */
export function orderReply(context: LocalApiContext, order: OrderRecord): Json {
  const market = marketOf(context, order.market);
  const name = context.names.of(market);
  return {
    id: order.orderId,
    market: name,
    future: name,
    type: order.price === undefined ? 'market' : 'limit',
    side: sideWord(order.side),
    price: order.price === undefined ? averagePrice(order, market.size(order.filled)) : market.price(order.price),
    size: market.size(order.size),
    status: order.finalized === undefined ? 'open' : 'closed',
    createdAt: timeText(order.addedAt),
    remainingSize: market.size(remaining(order)),
    reduceOnly: order.reduceOnly,
    ioc: order.fillMode === 'IMMEDIATE_OR_CANCEL',
    postOnly: order.fillMode === 'POST_ONLY',
    clientId: orNull(order.clientOrderId, (id) => context.clientIds.textOf(id)),
  };
}

/** Returns the average price of an order without a limit price. It has fills, or it would have been refused. */
const averagePrice = ({ notional }: OrderRecord, filled: number): number => toDecimal(notional) / filled;

/** Returns the account's fills in a trade: two if it traded with itself. */
export function fillReplies(context: LocalApiContext, trade: SimTrade): readonly Json[] {
  const market = marketOf(context, trade.market);
  const name = context.names.of(market);
  const fill = (liquidity: 'taker' | 'maker', side: Side): Json => ({
    symbol: name,
    future: name,
    market: name,
    liquidity,
    price: market.price(trade.price),
    size: market.size(trade.size),
    side: sideWord(side),
    time: timeText(trade.time),
  });
  return [
    ...(trade.takerId === context.account ? [fill('taker', trade.takerSide)] : []),
    ...(trade.makerId === context.account ? [fill('maker', opposite(trade.takerSide))] : []),
  ];
}

/** `payment` is positive if the account paid. */
export const fundingPaymentReply = (context: LocalApiContext, { time, market, rate, payment }: FundingPayment): Json => ({
  future: nameOf(context, market),
  rate,
  payment: toDecimal(payment),
  date: timeText(time),
});
