// Converts the exchange's JSON of an account into an `Account`. Throws for an invalid value, so that no partly valid answer is used.
// `bot/exchange/kit/streams/account-streams.ts` drops an account that is older than the one before.
import type { Account, Position } from '../../bot/domain/account.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { lots, micros } from '../../bot/domain/numbers.ts';
import type { OwnCount } from '../../bot/exchange/kit/streams/own-counts.ts';
import { inMicros, orderIn, positionIn } from '../shared/convert.ts';
import { invalidValue } from '../shared/validate.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { type Directory, marketIn } from './snapshots.ts';

/** Throws for a position or an order in a market that was not listed at the start. */
export function accountOf(id: AccountId, { updateId, balances, positions, orders, margins }: AccountReply, markets: Directory): Account {
  const { bankruptcy, ...amounts } = margins;
  return {
    id,
    updateId,
    balances,
    positions: positions.map((position) => positionOf(position, markets)),
    orders: orders.map(({ marketId, originalOrderSize: originalSize, ...order }) =>
      orderIn(marketIn(markets, marketId), { ...order, originalSize }),
    ),
    margins: { ...inMicros(amounts), bankruptcy },
  };
}

/** Returns the number of open orders that the reply states for each market, beside the number that it lists. */
export const countsOf = ({ positions, orders }: AccountReply, markets: Directory): readonly OwnCount[] =>
  positions.map(({ marketId, openOrders }) => ({
    what: `open orders in ${markets.get(marketId)?.symbol ?? `market ${marketId}`}`,
    stated: openOrders,
    listed: orders.filter((order) => order.marketId === marketId).length,
  }));

/** An entry without `perp` holds no position. Its market may be one that was not listed at the start. */
function positionOf({ marketId, perp, actionId }: AccountReply['positions'][number], markets: Directory): Position {
  if (perp === undefined) return { market: marketId, size: lots(0), tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId };
  const { isLong, baseSize, price: entry, tradingPnl, fundingPaymentPnl, updatedFundingRateIndex: fundingIndex } = perp;
  const market = marketIn(markets, marketId);
  if (isLong && baseSize < 0) throw invalidValue(market, `a long position of ${baseSize}`);
  // The exchange does not document whether the size of a short is signed.
  const size = isLong ? baseSize : -Math.abs(baseSize);
  return positionIn(market, { size, entry, tradingPnl, fundingPaymentPnl, actionId, fundingIndex });
}
