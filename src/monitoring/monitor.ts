// What follows a run from outside: the page, the metrics, the alerts. One watch is made for all of them, and updated before each is called.
import type { Turn } from '../domain/turn.ts';
import type { Summary } from '../report/accounting/summary.ts';
import type { Ending } from '../run/core/run.ts';

export interface Monitor {
  /** Called with each turn, after the watch has it. It must return quickly, because the run waits for it. The run does not wait for anything that it starts. */
  add(turn: Turn): void;
  /** Called once when the run has ended. */
  ended?(outcome: { readonly ending: Ending; readonly summary: Summary }): void;
  close(): Promise<void>;
}
