// From a planned order to what it does: to the book, to both sides' accounts and to the record.
import { type Lots, lots, type Micros, micros, type Ticks } from '../domain/numbers.ts';
import { opposite, type Side } from '../domain/side.ts';
import { type Account, holdingIn } from './account.ts';
import { clear } from './clearing.ts';
import type { Placed, PlaceRequest, TakerFill } from './commands.ts';
import { feeOn, type Role } from './fees.ts';
import { feePpm, type House, nextAction, pay } from './house.ts';
import { type LiveOrder, remaining } from './orders.ts';
import type { Pit } from './pit.ts';
import type { TradeEntry } from './trades.ts';

type Execution = Omit<PlaceRequest, 'account' | 'market'> & { readonly origin?: LiveOrder['origin'] };

/** Does what the pit's book planned last, which must have been exactly this order. */
export function execute(house: House, account: Account, pit: Pit, request: Execution): Placed {
  pit.bookAction = nextAction(house);
  const order = accept(house, account, pit, request);
  const handle = pit.book.commit();
  const fills: TakerFill[] = [];
  for (let index = 0; index < pit.book.fills.count; index++) {
    const [price, size] = [pit.book.fills.price(index), pit.book.fills.size(index)];
    const maker = pit.resting.get(pit.book.fills.maker(index)) ?? crowdOrder(house, pit, { side: opposite(order.side), price, size });
    trade(house, pit, { taker: order, maker, price, size });
    fills.push({ orderId: maker.orderId, account: maker.account, price, size });
  }
  const actionId = String(house.actions);
  if (handle === undefined || order.price === undefined) {
    order.finalized = remaining(order) === 0 ? 'filled' : 'canceled';
    return { kind: 'accepted', actionId, fills };
  }
  order.handle = handle;
  pit.resting.set(handle, order);
  account.orders.set(order.orderId, order);
  openSize(house, order, remaining(order));
  return { kind: 'accepted', actionId, posted: { orderId: order.orderId, price: order.price, size: remaining(order) }, fills };
}

/** An order that rests is traded with by someone of the recording, as the book says. */
export function fillByCrowd(house: House, pit: Pit, maker: LiveOrder, { price, size }: { price: Ticks; size: Lots }): void {
  pit.bookAction = nextAction(house);
  const taker = crowdOrder(house, pit, { side: opposite(maker.side), price, size });
  trade(house, pit, { taker, maker, price, size });
}

/** Cancels an order that rests. */
export function takeOut(house: House, order: LiveOrder): void {
  const pit = house.pits[order.market]!;
  pit.bookAction = house.actions;
  pit.book.cancel(order.handle!);
  openSize(house, order, -remaining(order));
  touch(house, order);
  leave(house, order, 'canceled');
}

/** Takes out a part of an order that rests, or all of it. */
export function shrink(house: House, order: LiveOrder, size: Lots): void {
  if (size === remaining(order)) {
    takeOut(house, order);
    return;
  }
  const pit = house.pits[order.market]!;
  pit.bookAction = house.actions;
  pit.book.shrink(order.handle!, size);
  order.size = lots(order.size - size);
  openSize(house, order, -size);
  touch(house, order);
}

/** All at once, as one action. */
export function takeOutAll(house: House, account: Account): void {
  if (account.orders.size === 0) return;
  nextAction(house);
  for (const order of account.orders.values()) takeOut(house, order);
}

/** What someone of a recording trades with us: an order for just that, which never rests. */
const crowdOrder = (house: House, pit: Pit, { side, price, size }: { side: Side; price: Ticks; size: Lots }): LiveOrder =>
  accept(house, pit.crowd!, pit, { side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size });

function accept(
  house: House,
  account: Account,
  pit: Pit,
  { side, fillMode, price, size, clientOrderId, reduceOnly = false, origin = 'user' }: Execution,
): LiveOrder {
  const order: LiveOrder = {
    orderId: String(++house.orders),
    account: account.id,
    market: pit.market.id,
    side,
    fillMode,
    price,
    size,
    filled: lots(0),
    notional: micros(0),
    clientOrderId,
    reduceOnly,
    origin,
    addedAt: house.now,
    updatedAt: house.now,
    updateActionId: String(house.actions),
  };
  if (!account.house) account.history.add(order);
  return order;
}

interface Match {
  readonly taker: LiveOrder;
  readonly maker: LiveOrder;
  readonly price: Ticks;
  readonly size: Lots;
}

function trade(house: House, pit: Pit, { taker, maker, price, size }: Match): void {
  const notional = pit.market.notional(price, size);
  if (maker.handle !== undefined) openSize(house, maker, -size);
  const takerFee = settle(house, taker, { role: 'taker', size, notional });
  const makerFee = settle(house, maker, { role: 'maker', size, notional });
  const entry: TradeEntry = {
    time: house.now,
    action: house.actions,
    market: pit.market.id,
    takerId: taker.account,
    takerSide: taker.side,
    makerId: maker.account,
    order: Number(maker.orderId),
    price,
    size,
    makerFee,
    takerFee,
    liquidation: taker.origin === 'liquidation',
  };
  pit.statistics.add(entry, notional);
  const trade = house.trades.record(entry);
  for (const order of [taker, maker]) order.lastTradeId = String(trade);
  if (remaining(maker) === 0) leave(house, maker, 'filled');
}

/** One side of a trade: the order, its account, its fee. */
function settle(house: House, order: LiveOrder, { role, size, notional }: { role: Role; size: Lots; notional: Micros }): Micros {
  const account = house.accounts[order.account]!;
  const fee = feeOn(notional, feePpm(house, account, role));
  clear(house, account, house.pits[order.market]!, { side: order.side, size, notional });
  pay(account, house.vault, fee);
  account.volume.at(house.now).quote += notional;
  order.filled = lots(order.filled + size);
  order.notional = micros(order.notional + notional);
  touch(house, order);
  return fee;
}

function touch(house: House, order: LiveOrder): void {
  order.updatedAt = house.now;
  order.updateActionId = String(house.actions);
}

/** The order's account has so much more open, or less. */
function openSize(house: House, order: LiveOrder, change: number): void {
  const holding = holdingIn(house.accounts[order.account]!, house.pits[order.market]!);
  holding.open[order.side] = lots(holding.open[order.side] + change);
  holding.action = house.actions;
}

/** An order that rested does no more. */
function leave(house: House, order: LiveOrder, reason: 'filled' | 'canceled'): void {
  if (order.handle !== undefined) house.pits[order.market]!.resting.delete(order.handle);
  house.accounts[order.account]!.orders.delete(order.orderId);
  order.handle = undefined;
  order.finalized = reason;
}
