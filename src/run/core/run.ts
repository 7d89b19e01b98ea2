// One run: events go through the inbox into the engine, its actions to the gateway, its turns to whoever watches.
import { type Observable, Subject, Subscription } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { Digest } from '../../base/digest.ts';
import type { Action } from '../../domain/action.ts';
import type { Event } from '../../domain/event.ts';
import { isStricter } from '../../domain/mode.ts';
import type { Turn } from '../../domain/turn.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Venue } from '../../exchange/port.ts';
import type { KillSwitch } from '../../journal/kill-switch.ts';
import { countAnew, modeWanted } from '../../risk/escalation.ts';
import type { Stop } from '../../risk/stop.ts';
import type { World } from '../../world/world.ts';
import { notSent } from '../state/unsent.ts';
import { ClockWatch } from './clock-watch.ts';
import { CLOSING, type Ending, reasonOf, UNPROVED } from './ending.ts';
import { Inbox } from './inbox.ts';
import { Timers } from './timers.ts';

export { CLOSING, type Ending } from './ending.ts';

/** Turns come at least this often, so that the guards see time pass when nothing arrives. */
const HEARTBEAT: Millis = 1_000;
export interface RunOptions {
  readonly clock: Clock;
  readonly venue: Venue;
  readonly world: World;
  readonly engine: Engine;
  /** Told each turn before anything of it is sent. What it throws fails the run. */
  readonly record?: ((turn: Turn) => void) | undefined;
  /** How many times slower than live everything is looked at: 1 unless told. */
  readonly pace?: number | undefined;
  /** Where modes are asked for; without one, the run has only its own. */
  readonly latch?: KillSwitch | undefined;
  /** Limits on losses; acted on where there is a latch. */
  readonly stops?: readonly Stop[] | undefined;
  /** Why what happens cannot be written down; undefined while it can. */
  readonly trouble?: (() => string | undefined) | undefined;
}

export interface Run {
  readonly world: World;
  /** Completes with the run. */
  readonly turns: Observable<Turn>;
  readonly done: Promise<Ending>;
  /** Wants nothing more, cancels all, and ends when all is proved gone. Asked again, it goes on doing so. */
  stop(reason: string): void;
  /** Closes as `stop` does, and ends as failed by the first such error. */
  fail(error: unknown): void;
  /** Ends now, whatever is still at the exchange. */
  endNow(reason: string): void;
  /** SHA-256 of all actions so far. */
  fingerprint(): string;
}

/** Nothing happens before the caller has subscribed to `turns`: the first event comes with the clock's next step. */
export function startRun(options: RunOptions): Run {
  const live = new LiveRun(options);
  return {
    world: live.world,
    turns: live.turns.asObservable(),
    done: live.done,
    stop: (reason) => live.stop(reason),
    fail: (error) => live.fail(error),
    endNow: (reason) => live.endNow(reason),
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
  readonly #inbox = new Inbox(() => this.#timers.soon(() => this.#takeTurn()));
  readonly #subscription = new Subscription();
  readonly #timers: Timers;
  readonly #actions = new Digest();
  readonly #clockWatch: ClockWatch;
  #end: (ending: Ending) => void = () => undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #emptySince: Millis | undefined;
  #trouble: string | undefined;
  #windingUp = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#pace = options.pace ?? 1;
    this.#timers = new Timers(options.clock, (error) => this.fail(error));
    this.world = options.world;
    this.#clockWatch = new ClockWatch(options.clock);
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#timers.soon(() => this.#open());
  }

  stop(reason: string): void {
    if (this.#windingUp || this.#ended) return;
    this.#windingUp = true;
    this.#receive({ kind: 'command', at: this.#options.clock.now(), command: 'stop', reason });
    this.#timers.after(CLOSING * this.#pace, () => this.#close(this.world.settled ? { kind: 'settled' } : UNPROVED));
  }

  /** A later failure, or one while the run closes, does not keep it from closing. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop(reasonOf(error));
  }

  endNow(reason: string): void {
    this.#timers.soon(() => this.#close({ kind: 'unsettled', reason }));
  }

  fingerprint(): string {
    return this.#actions.hex();
  }

  #open(): void {
    const { feed, gateway } = this.#options.venue;
    const told = { next: (event: Event): void => this.#receive(event) };
    this.#subscription.add(gateway.events.subscribe({ ...told, error: (error) => this.#timers.soon(() => this.#endBlind(error)) }));
    this.#subscription.add(feed.events.subscribe({ ...told, error: (error) => this.#timers.soon(() => this.fail(error)) }));
    this.#inbox.open();
    this.#beat();
  }

  #beat(): void {
    try {
      this.#obeyKillSwitch();
    } finally {
      this.#timers.after(HEARTBEAT * this.#pace, () => {
        this.#receive({ kind: 'timerFired', at: this.#options.clock.now() });
        this.#beat();
      });
    }
  }

  /** A stricter mode, whoever asked for it, is on disk before it is acted on; the last ones leave nothing more to do than to end. */
  #obeyKillSwitch(): void {
    const asked = this.#options.latch?.pending();
    if (asked === undefined) return;
    const { mode, cause } = asked;
    this.#options.latch?.acknowledge(mode);
    const reason = `${mode} since ${cause?.at ?? 'some time'}: ${cause?.reason ?? 'nobody said why'}`;
    this.#receive({ kind: 'command', at: this.#options.clock.now(), command: 'mode', mode, reason, by: cause?.by });
    if (mode === 'halted') this.#timers.soon(() => this.#close({ kind: 'unsettled', reason }));
    else if (mode === 'cancel-all') this.stop(reason);
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
    const { latch, clock, stops = [] } = this.#options;
    const resumed = countAnew(this.world, stops, clock.now());
    if (resumed !== undefined) this.#receive(resumed);
    const wanted = modeWanted(this.world, stops);
    if (wanted === undefined || latch === undefined || !isStricter(wanted.mode, this.world.mode)) return;
    latch.raise(wanted.mode, { reason: wanted.reason, at: new Date(clock.now()).toISOString(), by: wanted.by ?? 'bot' });
    this.#obeyKillSwitch();
  }

  #receive(event: Event): void {
    if (!this.#ended) this.#inbox.add(event);
  }

  #takeTurn(): void {
    const failedBefore = this.#failure !== undefined;
    try {
      const late = this.#clockWatch.look(this.#inbox.latest);
      if (late !== undefined) this.#receive(late);
      this.#turn(this.#inbox.take());
    } catch (error) {
      this.fail(error);
      if (failedBefore) this.#cancelOpen();
    }
    if (this.world.stopping !== undefined) this.#closeWhenSettled();
  }

  #turn(events: readonly Event[]): void {
    const turn = this.#options.engine.step(...events);
    for (const action of turn.actions) this.#actions.addLine(JSON.stringify(action));
    this.#send(turn.actions, () => {
      this.#tell(turn);
      if (turn.actions.length > 0) this.#options.venue.gateway.submit(turn.actions);
    });
    this.#escalate();
    this.#lookForTrouble();
  }

  /** Before anything is sent. A run that has failed cancels, whether or not that can be told. */
  #tell(turn: Turn): void {
    try {
      this.#options.record?.(turn);
      this.turns.next(turn);
    } catch (error) {
      if (this.#failure === undefined) throw error;
    }
  }

  /** What `send` throws means that nothing was sent: the world is told so of each action. */
  #send(actions: readonly Action[], send: () => void): void {
    try {
      send();
    } catch (error) {
      for (const action of actions) this.#receive(notSent(action, this.#options.clock.now()));
      throw error;
    }
  }

  /** Settled, and the account that the summary will show was asked for after that; a run that failed does not wait for the account. */
  #closeWhenSettled(): void {
    if (!this.world.settled) {
      this.#emptySince = undefined;
      return;
    }
    this.#emptySince ??= this.world.now;
    if (this.#failure !== undefined || (this.world.account?.asked ?? 0) > this.#emptySince) this.#close({ kind: 'settled' });
  }

  /** Nothing more is heard of our orders, so nothing can be proved: cancels all that is known to rest, and ends. */
  #endBlind(error: unknown): void {
    this.fail(error);
    this.#cancelOpen();
    this.#timers.after(2 * HEARTBEAT, () => this.#close(UNPROVED));
  }

  /** Without the engine, which has failed again. */
  #cancelOpen(): void {
    const open = this.world.orders().filter(({ status }) => status === 'open');
    const cancels = open.flatMap(({ clientOrderId, market, orderId }): Action[] =>
      orderId === undefined ? [] : [{ kind: 'cancel', clientOrderId, market, orderId }],
    );
    try {
      this.world.sent(cancels);
      this.#send(cancels, () => this.#options.venue.gateway.submit(cancels));
    } catch {} // what failed first is what is told
  }

  #close(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timers.clear();
    this.#subscription.unsubscribe();
    this.turns.complete();
    this.#end(this.#failure === undefined ? ending : { kind: 'failed', settled: ending.kind === 'settled', ...this.#failure });
  }
}
