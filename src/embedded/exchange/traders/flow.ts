// The other traders of one market and the oracle they use, all from one seed.
import { assert } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import { opposite, SIDES, signOf } from '../../../bot/domain/book.ts';
import { decay, happens, meanReverting, pareto } from './draws.ts';
import type { Fair } from './fair-price.ts';
import type { CreateFlow, FlowPort } from './flow-port.ts';
import { marketMaker } from './maker.ts';
import { momentumTaker } from './momentum-taker.ts';
import { noiseTaker } from './noise-taker.ts';
import { Oracle } from './oracle.ts';
import { patientTrader } from './patient-trader.ts';
import { type BasisRules, DEFAULT_REGIME, fairPriceOf, REGIMES, type Regime, type RegimeName } from './regimes.ts';
import { type Attach, passiveTick, positionShare, sizesOf } from './trader.ts';

/**
 * The traders by name, in the order in which they act: takers meet quotes that the makers have not yet moved, and at the end of each step the makers
 * refill the book.
 */
const tradersOf = ({ makers }: Regime): readonly (readonly [name: string, attachTrader: Attach])[] => [
  ['informed', informedTaker],
  ['noise', noiseTaker],
  ['momentum', momentumTaker],
  ...makers.map((style) => [`maker/${style.name}`, marketMaker(style)] as const),
  ['patient', patientTrader],
];

/**
 * Returns the flow of one market. Markets with equal `rng`s share the fair price and its oracle but have separate traders, which keeps a token's spot
 * and perpetual markets together. `common`: the randomness that all markets share.
 */
export const flowOf =
  (regime: Regime = REGIMES[DEFAULT_REGIME]): CreateFlow =>
  ({ rng, common, market, basePrice }) => {
    const base = market.ticksNear(basePrice);
    assert(base !== undefined, `market ${market.symbol}: no price can start at ${basePrice}`);
    const fair = fairPriceOf(regime, { base, rng: rng.fork('fair'), common });
    const oracle = new Oracle({ fair, rng: rng.fork('oracle') });
    const sizes = sizesOf(market, basePrice);
    const ownRng = rng.fork(market.symbol);
    const basis = market.spec.kind === 'perp' && regime.basis !== undefined ? basisOf(regime.basis, rng.fork('basis')) : undefined;
    const traders = tradersOf(regime).map(([name, attachTrader], trader) =>
      attachTrader({ trader, rng: ownRng.fork(name), sizes, regime }),
    );
    return {
      traderCount: traders.length,
      get index() {
        return oracle.index;
      },
      get indexConf() {
        return oracle.confidence;
      },
      step(port: FlowPort) {
        fair.step(port.now);
        oracle.observe(fair);
        const traded = basis === undefined ? fair : withBasis(fair, basis());
        for (const trader of traders) trader.act(port, traded);
      },
    };
  };

/** Returns the fair price shifted by `basis` basis points above the index. */
const withBasis = ({ ticks, volatility, activity }: Fair, basis: number): Fair => ({
  ticks: ticks * (1 + basis / 1e4),
  volatility,
  activity,
});

/** Returns the process of the distance from the index, in basis points, with a random start in its usual range. */
function basisOf({ mean, deviation, seconds }: BasisRules, rng: Rng): () => number {
  const step = meanReverting(rng, { deviation, seconds });
  const kept = decay(seconds);
  let startOffset = deviation * rng.fork('start').normal();
  return () => {
    startOffset *= kept; // towards 0
    return mean + startOffset + step();
  };
}

/** Returns the flow of a named regime. */
export const flowNamed = (name: RegimeName): CreateFlow => flowOf(REGIMES[name]);

/** Takes per second for each basis point of profit: so few that makers mostly cancel in time, and so many that a stale quote lasts about a second. */
const TAKES_PER_SECOND = 2;
/** It takes only if the profit is above this. */
const MIN_PROFIT_BPS = 0.3;
/** By how much a full position shifts its fair price. */
const SKEW_BPS = 3;
/** The value of a full position, in quote money. */
const MAX_POSITION = 500_000;
/** The notional of a take in quote money: a draw of this (Pareto), times (1 + its profit in basis points). */
const NOTIONAL = { least: 800, tail: 1.5, most: 25_000 };

/** A trader who knows the fair price, and takes quotes on the wrong side of it (adverse selection for makers). */
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
