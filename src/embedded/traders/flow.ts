// The other traders of one market and the oracle they use, all from one seed.
import { assert } from '../../base/assert.ts';
import type { CreateFlow, FlowPort } from './flow-port.ts';
import { informedTaker } from './informed-taker.ts';
import { marketMaker } from './maker.ts';
import { MAKER_STYLES } from './maker-styles.ts';
import { momentumTaker } from './momentum-taker.ts';
import { noiseTaker } from './noise-taker.ts';
import { Oracle } from './oracle.ts';
import { patientTrader } from './patient-trader.ts';
import { DEFAULT_REGIME, REGIMES, type Regime, type RegimeName } from './regimes.ts';
import { type Attach, sizesOf } from './trader.ts';

/**
 * The traders by name, in the order in which they act: takers meet quotes that the makers have not yet moved, and at the end of each step the makers
 * refill the book.
 */
const TRADERS: readonly (readonly [name: string, attachTrader: Attach])[] = [
  ['informed', informedTaker],
  ['noise', noiseTaker],
  ['momentum', momentumTaker],
  ...MAKER_STYLES.map((style) => [`maker/${style.name}`, marketMaker(style)] as const),
  ['patient', patientTrader],
];

/**
 * One market's flow. Markets with equal `rng`s share the moves of the fair price and its oracle, and have traders of their own: this keeps a token's
 * spot and perpetual markets together.
 */
const flowOf =
  (regime: Regime): CreateFlow =>
  ({ rng, market, basePrice }) => {
    const base = market.ticksNear(basePrice);
    assert(base !== undefined, `market ${market.symbol}: no price can start at ${basePrice}`);
    const fair = regime.price({ base, rng: rng.fork('fair') });
    const oracle = new Oracle({ fair, rng: rng.fork('oracle') });
    const sizes = sizesOf(market, basePrice);
    const ownRng = rng.fork(market.symbol);
    const traders = TRADERS.map(([name, attachTrader], trader) => attachTrader({ trader, rng: ownRng.fork(name), sizes, regime }));
    return {
      traders: traders.length,
      get index() {
        return oracle.index;
      },
      get indexConf() {
        return oracle.confidence;
      },
      step(port: FlowPort) {
        fair.step();
        oracle.observe(fair);
        for (const trader of traders) trader.act(port, fair);
      },
    };
  };

/** The flow of a named regime. */
export const flowNamed = (name: RegimeName = DEFAULT_REGIME): CreateFlow => flowOf(REGIMES[name]);
export const usualFlow: CreateFlow = flowNamed();
