// What the invariants of a run observe: the exchange's own record on one side, what the bot reports and does on the other.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { Ending } from '../../../bot/run/core/run.ts';
import type { Trading } from '../../../bot/run/core/trading.ts';
import type { CancelAllEnd } from '../../../venues/operate/cancel-all.ts';
import type { Receipt, WireAction } from '../../../venues/wire/codec.ts';
import type { FaultBox } from '../plan/fault-box.ts';
import type { Options } from '../plan/options.ts';
import type { DurableRecord } from '../record/durable-record.ts';
import type { SignedAction } from '../record/signed-action.ts';
import type { Situation } from '../record/situations.ts';
import type { ToleratedFaults } from '../record/tolerated-faults.ts';
import type { Undone } from '../record/truth.ts';
import type { Trace } from '../trace.ts';
import type { SimDisk } from './disk/sim-disk.ts';
import type { Life } from './processes/life.ts';
import type { SimulatedVenue } from './venue.ts';

/** One process of the bot. */
export interface Process {
  /** From 1. */
  readonly number: number;
  readonly life: Life;
  /** Undefined until it has connected. */
  trading: Trading | undefined;
  /** Levels that its strategy wanted in its last turn. */
  wanted: number;
}

export interface Scene {
  readonly options: Options;
  /** The clock of the simulation. */
  readonly clock: Clock;
  /** Since the start of the run. */
  readonly now: () => Millis;
  readonly venue: SimulatedVenue;
  readonly disk: SimDisk;
  readonly faults: FaultBox;
  readonly trace: Trace;
  /** What the bot has written and synced. */
  readonly record: DurableRecord;
  readonly tolerated: ToleratedFaults;
  readonly isAlive: (process: number) => boolean;
  /** The mode that a person has set by the kill switch, and when. */
  readonly requestedMode: () => { readonly mode: Mode; readonly at: Millis } | undefined;
  readonly reached: (situation: Situation) => void;
  /** Records that the invariant with this number in docs/reliability.md is violated. */
  readonly fail: (invariant: string, message: string) => void;
}

/** One invariant. Each method is called when the event of its name happens; `quiescent` is called once, at the end. */
export interface Invariant {
  /** A signed body is about to be sent; not one byte of it has left. */
  sent?(signedAction: SignedAction, by: Process): void;
  /** Any request is about to be sent. */
  requested?(request: HttpRequest, by: Process): void;
  received?(
    request: HttpRequest,
    reply: HttpReply,
    details: { readonly asked: Millis; readonly altered: boolean; readonly by: Process },
  ): void;
  /** The exchange has handled an action, whether or not the reply arrives; `copy` counts the copies of its bytes from 1. */
  answered?(action: WireAction, receipt: Receipt, copy: number): void;
  rolledBack?(undone: Undone): void;
  turn?(turn: Turn, by: Process): void;
  /** A process has started, and knows the state of the one before it. */
  started?(by: Process): void;
  died?(by: Process): void;
  /** Its strategy throws, or leaves a rejected promise behind. */
  strategyFailed?(by: Process): void;
  ended?(by: Process, ending: Ending): void;
  /** `kill` or the watchdog begins to cancel all orders. */
  clearing?(command: string): void;
  /** It has ended. */
  cleared?(command: string, kind: CancelAllEnd['kind']): void;
  /** Nothing is in flight any more, no fault is left, and the bot has ended cleanly. */
  quiescent?(): void;
}

export type MakeCheck = (scene: Scene) => Invariant;

/** Returns the number of levels that the intents quote. */
export const levelsIn = (intents: Turn['intents']): number =>
  intents.reduce((sum, intent) => sum + (intent.kind === 'quote' ? intent.bids.length + intent.asks.length : 0), 0);
