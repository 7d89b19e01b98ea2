// The informed taker: takes quotes on the wrong side of the fair price (adverse selection for makers).
import { opposite, SIDES, signOf } from '../../domain/side.ts';
import { happens, pareto } from './draws.ts';
import { type Attach, passiveTick, positionShare } from './trader.ts';

/** Takes per second and basis point of profit: makers can mostly cancel in time, and the remaining stale quotes are taken within a second. */
const TAKES_A_SECOND = 2;
/** MARGIN: minimum profit in basis points. LEAN: by how many basis points a full position shifts its price. */
const MARGIN = 0.3;
const LEAN = 3;
const LIMIT = 500_000;
/** The value of one take in quote money, per basis point of profit plus one. */
const NOTIONAL = { least: 800, tail: 1.5, most: 25_000 };

export const informedTaker: Attach = (attachment) => ({
  act(port, fair) {
    const { trader, rng, sizes } = attachment;
    const view = fair.ticks * (1 - (LEAN * positionShare(port, attachment, LIMIT)) / 1e4);
    for (const side of SIDES) {
      const offered = port.best(opposite(side));
      if (offered === undefined) continue;
      const won = signOf(side) * (view / offered - 1) * 1e4;
      if (won <= MARGIN || !happens(rng, TAKES_A_SECOND * won)) continue;
      const price = passiveTick(side, view * (1 - (signOf(side) * MARGIN) / 1e4));
      const size = sizes.lots(pareto(rng, NOTIONAL) * (1 + won));
      port.place({ trader, side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size });
    }
  },
});
