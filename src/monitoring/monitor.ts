// The interface of observers of a run: page, metrics, alerts. All share one watch, which is updated before they are called.
import type { Turn } from '../domain/turn.ts';
import type { Summary } from '../report/accounting/summary.ts';
import type { Ending } from '../run/core/run.ts';

export interface Monitor {
  /** Called with each turn, after the watch was updated. The run waits until it returns, but not for asynchronous work that it starts. */
  add(turn: Turn): void;
  /** Called once when the run has ended. */
  ended?(outcome: { readonly ending: Ending; readonly summary: Summary }): void;
  /** Called last, after `ended`. */
  close?(): Promise<void>;
}
