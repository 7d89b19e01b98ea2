// Gives the account of the bot the position that it holds before the run.
import type { AccountId } from '../../../../bot/domain/ids.ts';
import type { Exchange } from '../../../../embedded/exchange/exchange.ts';
import type { Options } from '../../plan/options.ts';

/** Call it before anything is traded; returns the same exchange. The position was bought or sold at the mark price. */
export function holdBefore(exchange: Exchange, account: AccountId, { opening = 0, maxPosition }: Options): Exchange {
  const perp = exchange.markets.find(({ spec }) => spec.kind === 'perp');
  const mark = perp && exchange.live(perp.id)?.mark;
  if (perp === undefined || mark === undefined || opening === 0) return exchange;
  const size = perp.lots((opening * maxPosition) / perp.price(mark));
  exchange.hold(account, perp.id, { size, cost: perp.notional(mark, size) });
  return exchange;
}
