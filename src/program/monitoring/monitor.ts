// The interface of observers of a run: page, metrics, alerts. All share one watch, which is updated before they are called.

import type { Summary } from '../../bot/accounting/summary.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import type { Ending } from '../../bot/run/core/run.ts';

export interface Monitor {
  /** Called with each turn, after the watch was updated. The run waits until it returns, but not for asynchronous work that it starts. */
  add(turn: Turn): void;
  /** Called once when the run has ended. */
  ended?(outcome: { readonly ending: Ending; readonly summary: Summary }): void;
  /** Called last, after `ended`. */
  close?(): Promise<void>;
}
