// Converts the state of the embedded exchange into domain types, with the same content that the hosted adapter reads from JSON.
import type { Account, Position } from '../../bot/domain/account.ts';
import { opposite } from '../../bot/domain/book.ts';
import { micros } from '../../bot/domain/numbers.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { SimTrade } from '../exchange/history/trades.ts';
import type { PositionState, ShownAccountState } from '../exchange/views.ts';

export const accountOf = (
  { id, updateId, balances, positions, orders, margins }: ShownAccountState,
  fees: { readonly maker: number; readonly taker: number },
): Account => ({
  id,
  updateId,
  balances,
  positions: positions.map(positionOf),
  orders,
  margins,
  feeRate: Math.max(fees.maker, fees.taker),
  fees,
});

function positionOf({ market, size, entry, tradingPnl, fundingPaymentPnl, fundingIndex, actionId }: PositionState): Position {
  if (entry === undefined) return { market, size, tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId };
  return { market, size, entry, tradingPnl, fundingPaymentPnl, fundingIndex, actionId };
}

/** Returns a trade as the fill of an order of ours, which was its maker or its taker. `orderId` names the maker's order in any case, as at the exchange. */
export function fillOf(trade: SimTrade, role: Fill['role']): Fill {
  const { tradeId, actionId, market, takerSide, price, size, orderId, makerFee, takerFee, baseFee, time } = trade;
  const side = role === 'taker' ? takerSide : opposite(takerSide);
  return {
    tradeId,
    actionId,
    orderId,
    market,
    role,
    side,
    price,
    size,
    fee: role === 'maker' ? makerFee : takerFee,
    clientOrderId: undefined,
    time,
    ...(baseFee !== undefined && side === 'bid' && { baseFee }),
  };
}
