// Converts the exchange's JSON of an account into an `Account`. Throws for an invalid value, so that no partly valid answer is used.
// `bot/exchange/kit/streams/account-streams.ts` drops an account that is older than the one before.
import type { Account, Margins, Position, RestingOrder } from '../../bot/domain/account.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { lots, type Micros, micros } from '../../bot/domain/numbers.ts';
import type { OwnCount } from '../../bot/exchange/kit/streams/own-counts.ts';
import { invalidValue, lotsOf, moneyOf, ticksOf } from '../../bot/exchange/kit/streams/validate.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { type Directory, marketIn } from './snapshots.ts';

/** Throws for a market that was not listed at the start. */
export function accountOf(id: AccountId, { updateId, balances, positions, orders, margins }: AccountReply, markets: Directory): Account {
  return {
    id,
    updateId,
    balances,
    positions: positions.map((position) => positionOf(position, markets)),
    orders: orders.map((order) => orderOf(order, markets)),
    margins: marginsOf(margins),
  };
}

/** Returns the number of open orders that the reply states for each market, beside the number that it lists. */
export const countsOf = ({ positions, orders }: AccountReply, markets: Directory): readonly OwnCount[] =>
  positions.map(({ marketId, openOrders }) => ({
    what: `open orders in ${markets.get(marketId)?.symbol ?? `market ${marketId}`}`,
    stated: openOrders,
    listed: orders.filter((order) => order.marketId === marketId).length,
  }));

function positionOf({ marketId, perp, actionId }: AccountReply['positions'][number], markets: Directory): Position {
  const flat = { market: marketId, size: lots(0), tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId };
  if (perp === undefined) return flat;
  const market = marketIn(markets, marketId);
  if (perp.isLong && perp.baseSize < 0) throw invalidValue(market, `a long position of ${perp.baseSize}`);
  const size = lotsOf(market, Math.abs(perp.baseSize));
  return {
    ...flat,
    size: lots(perp.isLong ? size : -size),
    ...(size > 0 && { entry: perp.price }),
    tradingPnl: moneyOf(perp.tradingPnl, 'tradingPnl'),
    fundingPaymentPnl: moneyOf(perp.fundingPaymentPnl, 'fundingPaymentPnl'),
    fundingIndex: perp.updatedFundingRateIndex,
  };
}

function orderOf(
  { orderId, marketId, side, price, size, originalOrderSize, clientOrderId }: AccountReply['orders'][number],
  markets: Directory,
): RestingOrder {
  const market = marketIn(markets, marketId);
  return {
    orderId,
    market: marketId,
    side,
    price: ticksOf(market, price),
    size: lotsOf(market, size),
    originalSize: lotsOf(market, originalOrderSize),
    ...(clientOrderId !== undefined && { clientOrderId }),
  };
}

function marginsOf({ bankruptcy, ...amounts }: AccountReply['margins']): Margins {
  const money = (name: keyof typeof amounts): Micros => moneyOf(amounts[name], name);
  return {
    omf: money('omf'),
    mf: money('mf'),
    imf: money('imf'),
    cmf: money('cmf'),
    mmf: money('mmf'),
    pon: money('pon'),
    pn: money('pn'),
    bankruptcy,
  };
}
