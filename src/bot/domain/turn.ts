// The record of one turn: events, intents, findings and actions.
import type { Millis } from '../../base/clock.ts';
import type { RunTotals } from './accounting/run-totals.ts';
import type { Action } from './action.ts';
import type { Side } from './book.ts';
import type { Event, HealthSeen } from './event.ts';
import type { MarketId } from './ids.ts';
import type { OrderIntent } from './intent.ts';
import type { JsonValue } from './json.ts';
import type { Fill, FillCorrection, Order } from './order.ts';

/** A guard's refusal or shrinking, a gate's hold, or a stale input of the strategy, with the reason as text. */
export interface Finding {
  /** The guard's name: `margin`, `data-age`, … */
  readonly guard: string;
  readonly market?: MarketId | undefined;
  readonly side?: Side | undefined;
  /** `close`: an exit closes a position. `stale`: an input of the strategy fails. */
  readonly verdict: 'shrink' | 'refuse' | 'hold' | 'close' | 'stale';
  readonly reason: string;
}

export type EndedFinding = Omit<Finding, 'reason'>;

/** An event that must not happen and that a person must know of. Raised once per cause. */
export interface Alarm {
  /** `ghost`, `position`, `company`, `mode`, … */
  readonly name: string;
  readonly market?: MarketId | undefined;
  readonly reason: string;
}

/** A log record of the strategy; safe to print, with keys masked. */
export interface LogRecord {
  readonly level: 'info' | 'warn';
  readonly text: string;
  readonly fields?: Readonly<Record<string, JsonValue>> | undefined;
}

/** An order of ours changed its state; a `cancelled` one may have been filled in part. */
export interface OrderChange {
  readonly order: Order;
  readonly status: 'placed' | 'open' | 'filled' | 'cancelled' | 'rejected' | 'unknown';
  readonly reason?: string | undefined;
}

/** Why a turn sent nothing: the first of these that applies. */
export type IdleCause =
  /** `by`: the guards that refused or shrank an order; the gates and others that held a market; the inputs that are stale. */
  | { readonly kind: 'refused' | 'held' | 'staleInput'; readonly by: readonly string[] }
  /** `belowLot`: a size that the strategy returned is below one lot. `nothingReturned`: it returned no order and no position. */
  | { readonly kind: 'belowLot' | 'nothingReturned' };

export interface Turn {
  /** The time of the last event. */
  readonly at: Millis;
  /** All events since the previous turn, in their order; never empty. */
  readonly events: readonly Event[];
  /** The strategy's intents, after its exits were applied. */
  readonly intents: readonly OrderIntent[];
  /** Findings that were not already reported by the previous turn. */
  readonly findings: readonly Finding[];
  /** Earlier findings of guards, gates and inputs that no longer hold; absent if none has ended. */
  readonly ended?: readonly EndedFinding[] | undefined;
  readonly actions: readonly Action[];
  /** Absent if actions were sent, or if all is as the strategy wants it. */
  readonly idle?: IdleCause | undefined;
  readonly changes: readonly OrderChange[];
  /** Our fills in the events, attributed to our orders if possible. */
  readonly fills: readonly Fill[];
  /** Earlier fills that count with another price or fee, or for another order, from this turn on; absent if there are none. */
  readonly corrections?: readonly FillCorrection[] | undefined;
  /** Fills in the events that are not booked, because they repeat a booked one; absent if there are none. */
  readonly unbooked?: readonly Fill[] | undefined;
  readonly alarms: readonly Alarm[];
  /** Changes of health that the engine found itself, in addition to those in the events; absent if there are none. */
  readonly health?: readonly HealthSeen[] | undefined;
  /** Absent if the strategy logged nothing. */
  readonly logs?: readonly LogRecord[] | undefined;
  /** The state to remember from this turn on, by name; absent if nothing has changed. */
  readonly memory?: Readonly<Record<string, unknown>> | undefined;
  /** Absent while it has not changed since the previous turn. */
  readonly totals?: RunTotals | undefined;
}
