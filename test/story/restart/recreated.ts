// A strategy that loses its variables in every turn, as after restarts.
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';

/** Returns a strategy that is created again in every turn. */
export const recreated = <P extends Params>(strategy: Strategy<P>): Strategy<P> => ({
  ...strategy,
  create: (params, tools) => (view) => strategy.create(params, tools)(view),
});
