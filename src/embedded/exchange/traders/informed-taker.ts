// The informed taker: takes quotes on the wrong side of the fair price (adverse selection for makers).
import { opposite, SIDES, signOf } from '../../../bot/domain/book.ts';
import { happens, pareto } from './draws.ts';
import { type Attach, passiveTick, positionShare } from './trader.ts';

/** Takes per second and basis point of profit: makers can mostly cancel in time, and the remaining stale quotes are taken within a second. */
const TAKES_PER_SECOND = 2;
/** It takes only if the profit is above this. */
const MIN_PROFIT_BPS = 0.3;
/** By how much a full position shifts its fair price. */
const SKEW_BPS = 3;
/** The value of a full position, in quote money. */
const MAX_POSITION = 500_000;
/** The value of one take in quote money, per basis point of profit plus one. */
const NOTIONAL = { least: 800, tail: 1.5, most: 25_000 };

export const informedTaker: Attach = (attachment) => ({
  act(port, fair) {
    const { trader, rng, sizes } = attachment;
    const fairPrice = fair.ticks * (1 - (SKEW_BPS * positionShare(port, attachment, MAX_POSITION)) / 1e4);
    for (const side of SIDES) {
      const best = port.best(opposite(side));
      if (best === undefined) continue;
      const profitBps = signOf(side) * (fairPrice / best - 1) * 1e4;
      if (profitBps <= MIN_PROFIT_BPS || !happens(rng, TAKES_PER_SECOND * profitBps)) continue;
      const price = passiveTick(side, fairPrice * (1 - (signOf(side) * MIN_PROFIT_BPS) / 1e4));
      const size = sizes.lots(pareto(rng, NOTIONAL) * (1 + profitBps));
      port.place({ trader, side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size });
    }
  },
});
