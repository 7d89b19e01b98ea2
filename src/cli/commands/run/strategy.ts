// Creates a strategy before anything is opened; the markets are passed to it later.
import type { Rng } from '../../../base/rng.ts';
import type { Market } from '../../../domain/market.ts';
import type { Decide, Params, Strategy } from '../../../strategy/contract.ts';
import { deciderOf } from '../../../strategy/decide.ts';

export type Created = (markets: readonly Market[]) => ReturnType<typeof deciderOf>;

/** Throws at once what the strategy's `create` throws, so that contradictory parameters are reported before a session is opened. */
export function create(strategy: Strategy<Params>, params: Params, rng: Rng): Created {
  let decide: Decide | undefined;
  const { name, defaults } = strategy;
  const once: Strategy<Params> = {
    name,
    defaults,
    create(given, tools) {
      decide ??= strategy.create(given, tools);
      return decide;
    },
  };
  const decider: Created = (markets) => deciderOf(once, params, { rng, markets });
  decider([]);
  return decider;
}
