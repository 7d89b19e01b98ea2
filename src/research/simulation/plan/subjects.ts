// Strategies of the simulation itself, which trade what the built-in ones do not: a spot market, and a spot market against a perpetual.
import { type Rng, rngFrom } from '../../../base/rng.ts';
import { defineStrategy, type Params, type Strategy } from '../../../bot/strategy/contract.ts';
import type { SimulatedStrategy } from '../trial.ts';
import { DEFAULT_EXCHANGE, type ExchangeName } from './faults-by-exchange.ts';
import type { Profile } from './options.ts';

const SPOT = 'SOLUSDC-SPOT';
const PERP = 'SOLUSDC';
/** Mean milliseconds between two changes of the target. */
const EVERY = 15_000;
/** Fractions of the largest position. */
const SHARES = [0, 0.25, 0.5, 1];

/** The position to hold, in base units: a share of `notional` that changes now and then. */
function wantedBy(rng: Rng, notional: number): (now: number, price: number) => number {
  let [until, share, held] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (now, price) => {
    if (now < until) return held;
    until = now + rng.exponential(EVERY);
    share = SHARES[rng.below(SHARES.length)] ?? 0;
    held = (share * notional) / price;
    return held;
  };
}

const spotTarget = defineStrategy({
  name: 'spot-target',
  defaults: { market: SPOT, notional: 1_000, maxSlippageBps: 20 },
  create({ market, notional, maxSlippageBps }, { rng }) {
    const wanted = wantedBy(rng, notional);
    return (view) => {
      const { mid, target } = view.market(market);
      return mid === undefined ? [] : [target({ position: wanted(view.now, mid), maxSlippageBps })];
    };
  },
});

const spotCarry = defineStrategy({
  name: 'spot-carry',
  defaults: { market: SPOT, perp: PERP, notional: 1_000, maxSlippageBps: 20 },
  create({ market, perp, notional, maxSlippageBps }, { rng }) {
    const wanted = wantedBy(rng, notional);
    return (view) => {
      const [long, short] = [view.market(market), view.market(perp)];
      if (long.mid === undefined || short.mid === undefined) return [];
      const size = wanted(view.now, long.mid);
      return [long.target({ position: size, maxSlippageBps }), short.target({ position: -size, maxSlippageBps })];
    };
  },
});

const subjectFor = <P extends Params>(strategy: Strategy<P>, markets: readonly string[]): SimulatedStrategy => ({
  name: strategy.name,
  strategy,
  params: strategy.defaults,
  markets,
});

/** The share of the `swarm` and `rollback` runs that each of these two strategies gets. */
const SPOT_SHARE = 0.06;

/** The strategy of a seed if none is given. */
export function defaultStrategyFor(
  seed: string,
  { profile, exchange = 'hosted' }: { profile: Profile; exchange?: ExchangeName | undefined },
): string {
  if (exchange !== DEFAULT_EXCHANGE || (profile !== 'swarm' && profile !== 'rollback')) return 'grid';
  const drawn = rngFrom(seed).fork('strategy').next();
  return drawn < SPOT_SHARE ? spotTarget.name : drawn < 2 * SPOT_SHARE ? spotCarry.name : 'grid';
}

export const OWN_SUBJECTS: ReadonlyMap<string, SimulatedStrategy> = new Map(
  [subjectFor(spotTarget, [SPOT]), subjectFor(spotCarry, [PERP, SPOT])].map((subject) => [subject.name, subject]),
);
