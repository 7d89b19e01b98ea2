// A strategy whose process is replaced again and again: whatever it kept in variables is lost.
import type { Params, Strategy } from '../../../src/strategy/contract.ts';

/** The same strategy, created anew in every turn. */
export const recreated = <P extends Params>(strategy: Strategy<P>): Strategy<P> => ({
  ...strategy,
  create: (params, tools) => (view) => strategy.create(params, tools)(view),
});
