// How a run is shown while it lasts and when it is over: one interface, three ways.
import type { Millis } from '../../base/clock.ts';
import type { Order } from '../../domain/order.ts';
import type { Line } from '../../report/accounting/lines.ts';
import type { Summary } from '../../report/accounting/summary.ts';
import type { Ending } from '../../run/core/run.ts';
import type { Trading } from '../../run/core/trading.ts';

/** What is known of a run before it trades. */
export interface Facts {
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  readonly seed: string;
  /** The state directory. */
  readonly state: string;
  /** Symbols. */
  readonly markets: readonly string[];
}

export interface Outcome {
  readonly summary: Summary;
  readonly ending: Ending;
  /** What is, or may be, still at the exchange. */
  readonly open: readonly (Pick<Order, 'orderId' | 'clientOrderId' | 'status' | 'side'> & {
    readonly symbol: string;
    readonly price: string;
    readonly size: string;
  })[];
}

export interface Presenter {
  /** How often `tick` is to be called. */
  readonly everyMs: Millis;
  /** The exchange is about to be asked for the first time. */
  opening(): void;
  begin(trading: Trading): void;
  /** Its data is fresh: from now on it may trade. */
  ready(at: string): void;
  /** Nothing holds a market any more that was held for this reason. */
  resumed(at: string, reason: string): void;
  line(line: Line): void;
  stopping(at: string, reason: string): void;
  tick(): void;
  /** Nothing is written to standard output after this. */
  end(outcome: Outcome): void;
}
