// The state of a run that keeps nothing. Not in `bot/run/state/state.ts`, so that a backtest does not load what keeps a state: disks, locks, keys.
import type { State } from '../../bot/run/state/state.ts';

/** A state that stores nothing, for runs that can be repeated at any time. */
export const NO_STATE: State = {
  earlier: [],
  recordActions: () => undefined,
  trouble: () => undefined,
  sessionKey: (make) => make(),
  close: () => undefined,
};
