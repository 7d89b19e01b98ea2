// The interface that shows a run while it lasts and at its end: plain.ts, json.ts and ../terminal/live.ts implement it.
import type { Millis } from '../../base/clock.ts';
import type { Line } from '../../bot/accounting/lines.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import type { Order } from '../../bot/domain/order.ts';
import type { Ending } from '../../bot/run/core/run.ts';
import type { Trading } from '../../bot/run/core/trading.ts';
import type { StatusExtras } from '../monitoring/page/status.ts';
import type { RunWatch } from '../monitoring/watch.ts';

/** The facts of a run before it trades. */
export interface ShownFacts {
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  /** True for a paper run: nothing is sent, and fills are simulated on the exchange's data. */
  readonly paper?: true | undefined;
  readonly seed: string;
  /** The state directory. */
  readonly state: string;
  /** Symbols. */
  readonly markets: readonly string[];
}

export interface ShownOutcome {
  readonly summary: Summary;
  readonly ending: Ending;
  /** Orders that are, or may be, still at the exchange. */
  readonly open: readonly (Pick<Order, 'orderId' | 'clientOrderId' | 'status' | 'side'> & {
    readonly symbol: string;
    readonly price: string;
    readonly size: string;
  })[];
}

export type ServiceName = 'ui' | 'metrics' | 'signals';

export interface Presenter {
  /** Interval between two calls of `update`. */
  readonly everyMs: Millis;
  /** Called before the first request to the exchange. */
  opening(): void;
  /** Shows an address: the one-time link of the run's web page, the address of its metrics, or that of a signal, which only programs use. */
  served(what: ServiceName, url: string): void;
  /** Receives the watch of the run before its first turn. Absent if the presenter shows only lines and statuses. */
  follow?(watch: RunWatch, extras: () => StatusExtras): void;
  /** Called when the run begins. */
  begin(trading: Trading): void;
  /** Called when all data is fresh: the run may trade from now on. */
  ready(at: string): void;
  /** Called when a market that a gate held trades again; `reason`: why it was held. */
  resumed(at: string, reason: string): void;
  line(line: Line): void;
  /** Called when the run begins to stop. */
  stopping(at: string, reason: string): void;
  /** Shows the present status. */
  update(): void;
  /** Shows the result; nothing is written to standard output after it. */
  end(outcome: ShownOutcome): void;
}
