// The record of one turn: what had happened, what was wanted, what was held back and why, what was done.
import type { Millis } from '../base/clock.ts';
import type { Action } from './action.ts';
import type { Event } from './event.ts';
import type { MarketId } from './ids.ts';
import type { Intent } from './intent.ts';
import type { Fill, Order } from './order.ts';
import type { Side } from './side.ts';

/** A guard's refusal or shrinking, or a gate's hold, in words for a person. */
export interface Finding {
  /** The guard's name: `margin`, `data-age`, … */
  readonly guard: string;
  readonly market?: MarketId | undefined;
  readonly side?: Side | undefined;
  readonly verdict: 'shrink' | 'refuse' | 'hold';
  readonly reason: string;
}

/** Something that must not happen did, and a person must know of it. Told once a cause. */
export interface Alarm {
  /** `ghost`, `position`, `company`, `mode`, … */
  readonly name: string;
  readonly market?: MarketId | undefined;
  readonly reason: string;
}

/** An order of ours came into another state; `cancelled` may have been filled in part. */
export interface OrderChange {
  readonly order: Order;
  readonly status: 'placed' | 'open' | 'filled' | 'cancelled' | 'rejected' | 'unknown';
  readonly reason?: string | undefined;
}

export interface Turn {
  /** Of the last event. */
  readonly at: Millis;
  /** All that had come since the turn before, in its order; never none. */
  readonly events: readonly Event[];
  readonly intents: readonly Intent[];
  /** Those that were not already said in the turn before. */
  readonly findings: readonly Finding[];
  readonly actions: readonly Action[];
  readonly changes: readonly OrderChange[];
  /** Told by the events, and attributed to our orders where they could be. */
  readonly fills: readonly Fill[];
  readonly alarms: readonly Alarm[];
}
