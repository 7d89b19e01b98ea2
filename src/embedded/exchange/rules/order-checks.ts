// Checks margin and balance for an order before its execution, on the account as the order would leave it.

import { type Side, signOf } from '../../../bot/domain/book.ts';
import { type MarginsWithCancel, mayOpen, worstSize } from '../../../bot/domain/margin.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../../../bot/domain/numbers.ts';
import { canRest, type FillMode } from '../../../bot/domain/order.ts';
import type { Refusal } from '../commands.ts';
import { type ExchangeAccount, type Holding, holdingIn } from '../state/account.ts';
import { type ExchangeState, feePpm } from '../state/exchange-state.ts';
import { baseFeeOn, feeOn, paysInBase } from '../state/fees.ts';
import { QUOTE } from '../state/listing.ts';
import type { MarketState } from '../state/market-state.ts';
import { remaining } from '../state/orders.ts';
import { afterTrade, type PerpPosition } from '../state/position.ts';
import { exposureOf, marginsIf, marginsNow } from './account-margins.ts';

/** An order whose fills are planned in its market's book. */
export interface Planned {
  readonly side: Side;
  readonly fillMode: FillMode;
  readonly price?: Ticks | undefined;
  readonly size: Lots;
}

/** Returns why the account may not place this order; undefined if it may. */
export function orderRefusal(
  state: ExchangeState,
  account: ExchangeAccount,
  marketState: MarketState,
  order: Planned,
): Refusal | undefined {
  if (account.isOtherTrader) return undefined;
  return marketState.market.spec.kind === 'spot'
    ? spotRefusal(state, account, marketState, order)
    : perpRefusal(state, account, marketState, order);
}

/**
 * The margins are those of `bot/domain/margin.ts`. An order that could increase the position must leave omf above imf, counted as if its resting part
 * were open already. An order that can only reduce it may always rest; the part that trades at once must leave omf above cmf, or at least not closer to
 * it than before.
 */
function perpRefusal(state: ExchangeState, account: ExchangeAccount, marketState: MarketState, order: Planned): Refusal | undefined {
  const holding = holdingIn(account, marketState);
  let { position } = holding;
  let money = 0;
  for (const { size, cost, fee } of plannedFills(state, account, marketState, order.side)) {
    const leg = afterTrade(position, { size, cost });
    position = leg.position;
    money += leg.realised - fee;
  }
  const rest = canRest(order.fillMode) ? order.size - marketState.book.fills.total : 0;
  const bids = lots(holding.open.bid + (order.side === 'bid' ? rest : 0));
  const asks = lots(holding.open.ask + (order.side === 'ask' ? rest : 0));
  if (worstSize(position.size, bids, asks) > marketState.sizeLimit) return 'POSITION_SIZE_LIMIT';
  const now = exposureOf(holding);
  const tradingPnl = micros(marketState.market.notional(now.price, position.size) - position.cost);
  const after = marginsIf(state, account, {
    balances: account.balances.with(QUOTE, account.balances[QUOTE]! + money),
    exposure: { ...now, position: position.size, bids, asks, tradingPnl },
  });
  if (mayOpen(after)) return undefined;
  if (!onlyReduces(holding, order)) return 'INSUFFICIENT_FUNDS';
  if (marketState.book.fills.count === 0 || spare(after) > 0 || spare(after) >= spare(marginsNow(state, account))) return undefined;
  return 'RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF';
}

/** The distance to the margin at which the account's orders are cancelled. */
const spare = ({ omf, cmf }: MarginsWithCancel): number => omf - cmf;

/** True if the position could only become smaller, even if this order and all resting orders of its side were filled. */
function onlyReduces({ position, open }: Holding, { side, size }: Planned): boolean {
  return Math.sign(position.size) === -signOf(side) && size + open[side] <= Math.abs(position.size);
}

/**
 * A spot order must be covered by the account's unreserved balance, including fees, and must leave omf above imf if required. A perpetual's loss may
 * later consume the cover of a resting bid: its fill then leaves a debt, which the margins count in full.
 */
function spotRefusal(state: ExchangeState, account: ExchangeAccount, marketState: MarketState, order: Planned): Refusal | undefined {
  const { baseTokenId } = marketState.market.spec;
  const balances = [...account.balances];
  for (const { size, cost, fee } of plannedFills(state, account, marketState, order.side)) {
    balances[baseTokenId]! += size;
    balances[QUOTE]! -= cost + fee;
  }
  if (order.side === 'ask' && account.balances[baseTokenId]! < order.size + holdingIn(account, marketState).open.ask)
    return 'INSUFFICIENT_FUNDS';
  if (order.side === 'bid' && balances[QUOTE]! < reservedByBids(state, account) + restCost(state, account, marketState, order))
    return 'INSUFFICIENT_FUNDS';
  const after = marginsIf(state, account, { balances });
  return mayOpen(after) || after.omf >= marginsNow(state, account).omf ? undefined : 'INSUFFICIENT_FUNDS';
}

interface PlannedFill extends PerpPosition {
  /** In quote money; 0 if the fee is taken from the tokens that are bought: `size` is then without it. */
  readonly fee: Micros;
}

const NO_FILLS: readonly PlannedFill[] = [];

/** Returns the planned fills with their fees; size and cost are negative for sales. */
export function plannedFills(
  state: ExchangeState,
  account: ExchangeAccount,
  { book: { fills }, market }: MarketState,
  side: Side,
): readonly PlannedFill[] {
  if (fills.count === 0) return NO_FILLS;
  const sign = signOf(side);
  const ppm = feePpm(state, account, 'taker');
  const inBase = paysInBase(market, side);
  return Array.from({ length: fills.count }, (_, index) => {
    const size = fills.size(index);
    const notional = market.notional(fills.price(index), size);
    if (inBase) return { size: lots(size - baseFeeOn(size, ppm)), cost: notional, fee: micros(0) };
    return { size: lots(sign * size), cost: micros(sign * notional), fee: feeOn(notional, ppm) };
  });
}

/** Returns the quote money reserved by the account's resting spot bids, with fees at the current rate. */
export function reservedByBids(state: ExchangeState, account: ExchangeAccount): number {
  let total = 0;
  for (const order of account.orders.values()) {
    const marketState = state.marketStates[order.market]!;
    if (marketState.market.spec.kind === 'spot' && order.side === 'bid')
      total += makerCost(state, account, marketState, { price: order.price!, size: remaining(order) });
  }
  return total;
}

function restCost(state: ExchangeState, account: ExchangeAccount, marketState: MarketState, { fillMode, price, size }: Planned): number {
  if (!canRest(fillMode) || price === undefined) return 0;
  return makerCost(state, account, marketState, { price, size: lots(size - marketState.book.fills.total) });
}

function makerCost(
  state: ExchangeState,
  account: ExchangeAccount,
  { market }: MarketState,
  { price, size }: { price: Ticks; size: Lots },
): number {
  const notional = market.notional(price, size);
  return paysInBase(market, 'bid') ? notional : notional + feeOn(notional, feePpm(state, account, 'maker'));
}
