// One run: events go through the inbox into the engine, its actions to the gateway, its turns to whoever watches.
import { merge, Subject, Subscription } from 'rxjs';
import type { Cancel, Clock, Millis } from '../base/clock.ts';
import { Digest } from '../base/digest.ts';
import type { Action } from '../domain/action.ts';
import type { Event } from '../domain/event.ts';
import { isStricter } from '../domain/mode.ts';
import type { Turn } from '../domain/turn.ts';
import type { Engine } from '../engine/engine.ts';
import type { Venue } from '../exchange/port.ts';
import type { Latch } from '../journal/latch.ts';
import { modeWanted } from '../risk/escalation.ts';
import type { Stop } from '../risk/stop.ts';
import type { World } from '../world/world.ts';
import { ClockWatch } from './clock-watch.ts';
import { Inbox } from './inbox.ts';

/** Turns come at least this often, so that the guards see time pass when nothing arrives. */
const HEARTBEAT: Millis = 1_000;
/** How long a stopping run waits for its orders to be proved gone: longer than the life of a signed action. */
export const CLOSING: Millis = 90_000;

export interface RunOptions {
  readonly clock: Clock;
  readonly venue: Venue;
  readonly world: World;
  readonly engine: Engine;
  /** Told each turn before anything of it is sent. What it throws ends the run. */
  readonly record?: ((turn: Turn) => void) | undefined;
  /** How many times slower than live everything is looked at: 1 unless told. */
  readonly pace?: number | undefined;
  /** Where modes are asked for; without one, the run has only its own. */
  readonly latch?: Latch | undefined;
  /** Limits on losses; acted on where there is a latch. */
  readonly stops?: readonly Stop[] | undefined;
  /** Why what happens cannot be written down; undefined while it can. */
  readonly trouble?: (() => string | undefined) | undefined;
}

export type Ending =
  /** Everything of ours is proved gone. */
  | { readonly kind: 'settled' }
  /** A person was in a hurry, or the exchange could not be asked for too long: `reason` says which. */
  | { readonly kind: 'unsettled'; readonly reason: string }
  /** The strategy's code, or ours, threw, or the record could not be kept. Cancels were sent for all that was known to rest. */
  | { readonly kind: 'failed'; readonly error: unknown };

const UNPROVED: Ending = { kind: 'unsettled', reason: 'the exchange did not prove every order gone in time' };

export interface Run {
  readonly world: World;
  /** Completes with the run. */
  readonly turns: Subject<Turn>;
  readonly done: Promise<Ending>;
  /** Wants nothing more, cancels all, and ends when all is proved gone. Asked again, it ends at once. */
  stop(reason: string): void;
  /** SHA-256 of all actions so far. */
  fingerprint(): string;
}

/** Nothing happens before the caller has subscribed to `turns`: the first event comes with the clock's next step. */
export function startRun(options: RunOptions): Run {
  const live = new LiveRun(options);
  return {
    world: live.world,
    turns: live.turns,
    done: live.done,
    stop: (reason) => live.stop(reason),
    fingerprint: () => live.fingerprint(),
  };
}

class LiveRun {
  readonly world: World;
  readonly turns = new Subject<Turn>();
  readonly done: Promise<Ending>;
  readonly #options: RunOptions;
  readonly #pace: number;
  /** Opened when somebody can have heard what becomes of the actions of a turn. */
  readonly #inbox = new Inbox(() => this.#soon(() => this.#takeTurn()));
  readonly #subscription = new Subscription();
  readonly #timers = new Set<Cancel>();
  readonly #actions = new Digest();
  readonly #clockWatch: ClockWatch;
  #end: (ending: Ending) => void = () => undefined;
  #phase: 'running' | 'failing' | 'ended' = 'running';
  #emptySince: Millis | undefined;
  #trouble: string | undefined;
  /** A person asked for the end; the second time it comes at once. */
  #asked = false;
  #windingUp = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#pace = options.pace ?? 1;
    this.world = options.world;
    this.#clockWatch = new ClockWatch(options.clock);
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#soon(() => this.#open());
  }

  stop(reason: string): void {
    if (this.#phase !== 'running') return;
    if (this.#asked) return this.#soon(() => this.#close({ kind: 'unsettled', reason: 'stopped twice' }));
    this.#asked = true;
    this.#windUp(reason);
  }

  /** By whomever: what is asked for a second time changes nothing. */
  #windUp(reason: string): void {
    if (this.#windingUp) return;
    this.#windingUp = true;
    this.#receive({ kind: 'command', at: this.#options.clock.now(), command: 'stop', reason });
    this.#after(CLOSING * this.#pace, () => this.#close(this.world.settled ? { kind: 'settled' } : UNPROVED));
  }

  fingerprint(): string {
    return this.#actions.hex();
  }

  #open(): void {
    const { feed, gateway } = this.#options.venue;
    const seen = merge(gateway.events, feed.events);
    const broken = (error: unknown): void => this.#soon(() => this.#fail(error));
    this.#subscription.add(seen.subscribe({ next: (event) => this.#receive(event), error: broken }));
    this.#inbox.open();
    this.#beat();
  }

  #beat(): void {
    this.#heedLatch();
    this.#after(HEARTBEAT * this.#pace, () => {
      this.#receive({ kind: 'timerFired', at: this.#options.clock.now() });
      this.#beat();
    });
  }

  /** A stricter mode, whoever asked for it, is on disk before it is acted on; the last ones leave nothing more to do than to end. */
  #heedLatch(): void {
    const asked = this.#options.latch?.unheeded();
    if (asked === undefined) return;
    const { mode, cause } = asked;
    this.#options.latch?.heed(mode);
    const reason = `${mode} since ${cause?.at ?? 'some time'}: ${cause?.reason ?? 'nobody said why'}`;
    this.#receive({ kind: 'command', at: this.#options.clock.now(), command: 'mode', mode, reason, by: cause?.by });
    if (mode === 'halted') this.#soon(() => this.#close({ kind: 'unsettled', reason }));
    else if (mode === 'cancel-all') this.#windUp(reason);
  }

  /** Told as the health of a stream, once a change. */
  #lookForTrouble(): void {
    const trouble = this.#options.trouble?.();
    if ((trouble === undefined) === (this.#trouble === undefined)) return;
    this.#trouble = trouble;
    const reason = trouble === undefined ? 'the journal is written again' : `the journal cannot be written: ${trouble}`;
    this.#receive({ kind: 'healthSeen', at: this.#options.clock.now(), stream: 'journal', healthy: trouble === undefined, reason });
  }

  #escalate(): void {
    const { latch, clock, stops } = this.#options;
    const wanted = modeWanted(this.world, stops);
    if (wanted === undefined || latch === undefined || !isStricter(wanted.mode, this.world.mode)) return;
    latch.raise(wanted.mode, { reason: wanted.reason, at: new Date(clock.now()).toISOString(), by: wanted.by ?? 'bot' });
    this.#heedLatch();
  }

  #receive(event: Event): void {
    if (this.#phase === 'running') this.#inbox.add(event);
  }

  #takeTurn(): void {
    try {
      const late = this.#clockWatch.look(this.#inbox.latest);
      if (late !== undefined) this.#receive(late);
      this.#turn(this.#inbox.take());
    } catch (error) {
      this.#fail(error);
    }
  }

  #turn(events: readonly Event[]): void {
    const turn = this.#options.engine.step(...events);
    for (const action of turn.actions) this.#actions.addLine(JSON.stringify(action));
    this.#options.record?.(turn);
    this.turns.next(turn);
    if (turn.actions.length > 0) this.#options.venue.gateway.submit(turn.actions);
    this.#escalate();
    this.#lookForTrouble();
    if (this.world.stopping !== undefined) this.#closeWhenSettled();
  }

  /** Settled, and the account that the summary will show was asked for after that; without one, the end comes when the time is over. */
  #closeWhenSettled(): void {
    if (!this.world.settled) {
      this.#emptySince = undefined;
      return;
    }
    this.#emptySince ??= this.world.now;
    if ((this.world.account?.asked ?? 0) > this.#emptySince) this.#close({ kind: 'settled' });
  }

  /** Nothing of the engine is trusted any more: cancel what rests, and end. */
  #fail(error: unknown): void {
    if (this.#phase !== 'running') return;
    this.#phase = 'failing';
    const sent = this.#cancelAll();
    this.#release();
    this.#after(sent ? 2 * HEARTBEAT : 0, () => this.#close({ kind: 'failed', error }));
  }

  /** False when there was nothing to cancel, or no way to. */
  #cancelAll(): boolean {
    const cancels = this.world
      .orders()
      .flatMap(({ clientOrderId, market, orderId }): Action[] =>
        orderId === undefined ? [] : [{ kind: 'cancel', clientOrderId, market, orderId }],
      );
    try {
      if (cancels.length > 0) this.#options.venue.gateway.submit(cancels);
      return cancels.length > 0;
    } catch {
      return false; // what broke first is what is told
    }
  }

  #close(ending: Ending): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#release();
    this.turns.complete();
    this.#end(ending);
  }

  #release(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#subscription.unsubscribe();
  }

  /** After all that is due already, a turn for what has come among it. */
  #soon(run: () => void): void {
    this.#after(0, run);
  }

  #after(span: Millis, run: () => void): void {
    const { clock } = this.#options;
    const cancel = clock.at(clock.now() + span, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }
}
