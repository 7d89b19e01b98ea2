// Executes a planned order: in the book, in both accounts and in the log. Also limits reduce-only orders to the position, at first and as it shrinks;
// which orders the bot marks reduce-only: `placeOf` in `bot/execution/reconcile.ts`.

import { opposite, type Side, signOf } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../../../bot/domain/numbers.ts';
import { canRest } from '../../../bot/domain/order.ts';
import type { Placed, PlaceRequest, TakerFill } from '../commands.ts';
import type { TradeEntry } from '../history/trades.ts';
import { type ExchangeAccount, holdingIn } from '../state/account.ts';
import { type ExchangeState, feePpm, nextAction, pay, payIn } from '../state/exchange-state.ts';
import { baseFeeOn, feeOn, paysInBase, type Role } from '../state/fees.ts';
import type { MarketState } from '../state/market-state.ts';
import { type LiveOrder, remaining } from '../state/orders.ts';
import { bookLeg } from './clearing.ts';

type Execution = Omit<PlaceRequest, 'account' | 'market'> & { readonly origin?: LiveOrder['origin'] };

/** Executes the last plan of the market's book, which must be for exactly this order. */
export function execute(state: ExchangeState, account: ExchangeAccount, marketState: MarketState, request: Execution): Placed {
  marketState.bookAction = nextAction(state);
  const order = accept(state, account, marketState, request);
  const { book } = marketState;
  const handle = book.commit();
  const fills: TakerFill[] = [];
  for (let index = 0; index < book.fills.count; index++) {
    const price = book.fills.price(index);
    const size = book.fills.size(index);
    const maker =
      marketState.resting.get(book.fills.maker(index)) ??
      recordedTraderOrder(state, marketState, { side: opposite(order.side), price, size });
    trade(state, marketState, { taker: order, maker, price, size });
    fills.push({ orderId: maker.orderId, account: maker.account, price, size });
  }
  const actionId = String(state.actions);
  if (handle === undefined || order.price === undefined) {
    order.finalized = remaining(order) === 0 ? 'filled' : 'canceled';
    return { kind: 'accepted', actionId, fills };
  }
  order.handle = handle;
  marketState.resting.set(handle, order);
  account.orders.set(order.orderId, order);
  changeOpenSize(state, order, remaining(order));
  return { kind: 'accepted', actionId, posted: { orderId: order.orderId, price: order.price, size: remaining(order) }, fills };
}

/** Fills a resting order by a trader of the recording, as reported by the book. */
export function fillByTraders(
  state: ExchangeState,
  marketState: MarketState,
  maker: LiveOrder,
  { price, size }: { price: Ticks; size: Lots },
): void {
  marketState.bookAction = nextAction(state);
  const taker = recordedTraderOrder(state, marketState, { side: opposite(maker.side), price, size });
  trade(state, marketState, { taker, maker, price, size });
}

/** Cancels a resting order. */
export function removeResting(state: ExchangeState, order: LiveOrder): void {
  const marketState = state.marketStates[order.market]!;
  marketState.bookAction = state.actions;
  marketState.book.cancel(order.handle!);
  changeOpenSize(state, order, -remaining(order));
  markChanged(state, order);
  endResting(state, order, 'canceled');
}

/** Removes a part of a resting order, or the whole order. */
function shrink(state: ExchangeState, order: LiveOrder, size: Lots): void {
  if (size === remaining(order)) {
    removeResting(state, order);
    return;
  }
  const marketState = state.marketStates[order.market]!;
  marketState.bookAction = state.actions;
  marketState.book.shrink(order.handle!, size);
  order.size = lots(order.size - size);
  changeOpenSize(state, order, -size);
  markChanged(state, order);
}

/** Cancels all orders of an account, as one action. */
export function removeAllResting(state: ExchangeState, account: ExchangeAccount): void {
  if (account.orders.size === 0) return;
  nextAction(state);
  for (const order of account.orders.values()) removeResting(state, order);
}

/** Returns the order of a recorded trader who trades with us: of exactly this size, never resting. */
const recordedTraderOrder = (
  state: ExchangeState,
  marketState: MarketState,
  { side, price, size }: { side: Side; price: Ticks; size: Lots },
): LiveOrder =>
  accept(state, state.accounts[marketState.recordedTraders!]!, marketState, { side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size });

function accept(
  state: ExchangeState,
  account: ExchangeAccount,
  marketState: MarketState,
  { side, fillMode, price, size, clientOrderId, reduceOnly = false, origin = 'user' }: Execution,
): LiveOrder {
  const order: LiveOrder = {
    orderId: String(++state.orders),
    account: account.id,
    market: marketState.market.id,
    side,
    fillMode,
    price,
    size,
    filled: lots(0),
    notional: micros(0),
    clientOrderId,
    reduceOnly,
    origin,
    addedAt: state.now,
    updatedAt: state.now,
    updateActionId: String(state.actions),
  };
  if (!account.isOtherTrader) account.history.add(order);
  return order;
}

interface Match {
  readonly taker: LiveOrder;
  readonly maker: LiveOrder;
  readonly price: Ticks;
  readonly size: Lots;
}

interface Leg {
  readonly role: Role;
  readonly price: Ticks;
  readonly size: Lots;
  readonly notional: Micros;
}

interface FeeTerms extends Omit<Leg, 'role'> {
  readonly market: Market;
  readonly ppm: number;
  readonly side: Side;
}

function trade(state: ExchangeState, marketState: MarketState, { taker, maker, price, size }: Match): void {
  const notional = marketState.market.notional(price, size);
  if (maker.handle !== undefined) changeOpenSize(state, maker, -size);
  const ofTaker = settle(state, taker, { role: 'taker', price, size, notional });
  const ofMaker = settle(state, maker, { role: 'maker', price, size, notional });
  const entry: TradeEntry = {
    time: state.now,
    action: state.actions,
    market: marketState.market.id,
    takerId: taker.account,
    takerSide: taker.side,
    makerId: maker.account,
    order: Number(maker.orderId),
    takerOrder: Number(taker.orderId),
    price,
    size,
    makerFee: ofMaker.fee,
    takerFee: ofTaker.fee,
    baseFee: ofMaker.baseFee ?? ofTaker.baseFee,
    liquidation: taker.origin === 'liquidation',
  };
  marketState.statistics.add(entry, notional);
  const trade = state.trades.record(entry);
  for (const order of [taker, maker]) order.lastTradeId = String(trade);
  if (remaining(maker) === 0) endResting(state, maker, 'filled');
}

/** The fee of one side of a trade. `baseFee`: with what it was paid, if that was not quote money. */
interface PaidFee {
  readonly fee: Micros;
  readonly baseFee?: Lots | undefined;
}

/** Books one side of a trade: the order, its account, its fee. */
function settle(state: ExchangeState, order: LiveOrder, { role, price, size, notional }: Leg): PaidFee {
  const account = state.accounts[order.account]!;
  const marketState = state.marketStates[order.market]!;
  bookLeg(state, account, marketState, { side: order.side, size, notional });
  const ppm = feePpm(state, account, role);
  const paid = payFee(state, account, { market: marketState.market, ppm, side: order.side, price, size, notional });
  account.volume.at(state.now).quote += notional;
  order.filled = lots(order.filled + size);
  order.notional = micros(order.notional + notional);
  markChanged(state, order);
  return paid;
}

function payFee(state: ExchangeState, account: ExchangeAccount, { market, ppm, side, price, size, notional }: FeeTerms): PaidFee {
  if (paysInBase(market, side)) {
    const baseFee = baseFeeOn(size, ppm);
    payIn(market.spec.baseTokenId, account, state.vault, baseFee);
    return { fee: market.notional(price, baseFee), baseFee };
  }
  const fee = feeOn(notional, ppm);
  pay(account, state.vault, fee);
  return { fee };
}

/** Records the time and the action of a change of the order. */
function markChanged(state: ExchangeState, order: LiveOrder): void {
  order.updatedAt = state.now;
  order.updateActionId = String(state.actions);
}

/** Changes the open size of the order's account. */
function changeOpenSize(state: ExchangeState, order: LiveOrder, change: number): void {
  const holding = holdingIn(state.accounts[order.account]!, state.marketStates[order.market]!);
  holding.open[order.side] = lots(holding.open[order.side] + change);
  holding.action = state.actions;
}

/** Removes an order from the resting ones and records how it ended. */
function endResting(state: ExchangeState, order: LiveOrder, reason: 'filled' | 'canceled'): void {
  if (order.handle !== undefined) state.marketStates[order.market]!.resting.delete(order.handle);
  state.accounts[order.account]!.orders.delete(order.orderId);
  order.handle = undefined;
  order.finalized = reason;
}

/**
 * Returns a reduce-only order, reduced to a size that can only close the position. For an order that may rest, minus the resting orders of its side, so that
 * together they cannot open a position in any order of fills. Undefined if the size becomes 0.
 */
export function limitedToPosition<Order extends Pick<PlaceRequest, 'side' | 'fillMode' | 'size'>>(
  account: ExchangeAccount,
  marketState: MarketState,
  order: Order,
): Order | undefined {
  const { position, open } = holdingIn(account, marketState);
  const closableSize = closable(position.size, order.side) - (canRest(order.fillMode) ? open[order.side] : 0);
  return closableSize <= 0 ? undefined : { ...order, size: lots(Math.min(order.size, closableSize)) };
}

/** Reduces resting reduce-only orders, newest first, until their side can only close again. For an account that has just placed or taken. */
export function trimReduceOnly(state: ExchangeState, account: ExchangeAccount, marketState: MarketState): void {
  const holding = holdingIn(account, marketState);
  for (const order of [...account.orders.values()].reverse()) {
    if (!order.reduceOnly || order.market !== marketState.market.id) continue;
    const excess = holding.open[order.side] - closable(holding.position.size, order.side);
    if (excess > 0) shrink(state, order, lots(Math.min(excess, remaining(order))));
  }
}

/** Returns the size of a position that orders of a side can close. */
const closable = (position: Lots, side: Side): number => Math.max(0, -signOf(side) * position);
