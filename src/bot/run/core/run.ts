// One run: events go through the inbox into the engine, its actions to the gateway, its turns to the watchers.
import { type Observable, Subscription } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import { Broadcast } from '../../../base/streams/broadcast.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Action } from '../../domain/action.ts';
import type { Event } from '../../domain/event.ts';
import { isStricter } from '../../domain/mode.ts';
import type { Turn } from '../../domain/turn.ts';
import type { Engine } from '../../engine/engine.ts';
import { notSent } from '../../exchange/kit/sending/sender.ts';
import type { Venue } from '../../exchange/port.ts';
import type { KillSwitch } from '../../journal/kill-switch.ts';
import { countAnew, modeWanted } from '../../risk/escalation.ts';
import type { Stop } from '../../risk/stop.ts';
import type { World } from '../../world/world.ts';
import { CLOSING, ClosingRun, ENDS_KNOWN_WITHIN, type Ending, reasonOf, UNPROVED } from './ending.ts';
import { Fingerprint } from './fingerprint.ts';
import { Inbox } from './inbox.ts';
import { OwnEvents, type OwnEventsOptions } from './own-events.ts';
import { ReadAgain } from './read-again.ts';
import { Timers } from './timers.ts';

export type { Ending } from './ending.ts';

/** Maximum time between two turns, so that guards are run as time passes even without events. */
const HEARTBEAT: Millis = 1_000;
export interface RunOptions extends OwnEventsOptions {
  readonly venue: Pick<Venue, 'gateway' | 'readAgain' | 'isInProcess'> & { readonly feed: { readonly events: Observable<Event> } };
  readonly engine: Pick<Engine, 'step'>;
  readonly books?: Books | undefined;
  /** Factor by which polling is slower than live; default 1. */
  readonly pace?: number | undefined;
  /** The kill switch; without one, no other process can set a mode. */
  readonly killSwitch?: KillSwitch | undefined;
  /** Loss limits; they act only if there is a kill switch. */
  readonly stops?: readonly Stop[] | undefined;
}

/** The journal of a run. */
export interface Books {
  /** Called with each turn before its actions are sent. An error that it throws fails the run. */
  record(turn: Turn): void;
  /** Makes what was recorded durable. Called after the actions of a turn were submitted, which does the same unless it failed. */
  flush(): void;
}

export interface Run {
  readonly world: World;
  /** Each turn before its actions are sent, for checks of the actions. All other watchers use `turns`, which delays no action. */
  readonly decided: Observable<Turn>;
  /** All turns, after their actions were sent; completes when the run ends. */
  readonly turns: Observable<Turn>;
  readonly done: Promise<Ending>;
  /** Stops asking the strategy, cancels all orders, and ends when all are proved gone. Idempotent. */
  stop(reason: string): void;
  /** Stops as `stop` does, and ends as failed with the first such error. */
  fail(error: unknown): void;
  /** Ends now, even if orders are still at the exchange. */
  endNow(reason: string): void;
  /** SHA-256 of all actions so far, in hex. */
  fingerprint(): string;
}

/** Starts a run. The first event comes with the clock's next step, so the caller can subscribe to `turns` first. */
export function startRun(options: RunOptions): Run {
  const live = new LiveRun(options);
  return {
    world: live.world,
    decided: live.decided.events,
    turns: live.turns.events,
    done: live.done,
    stop: (reason) => live.stop(reason),
    fail: (error) => live.fail(error),
    endNow: (reason) => live.endNow(reason),
    fingerprint: () => live.fingerprint(),
  };
}

class LiveRun {
  readonly world: World;
  readonly decided = new Broadcast<Turn>();
  readonly turns = new Broadcast<Turn>();
  readonly done: Promise<Ending>;
  readonly #options: RunOptions;
  readonly #pace: number;
  /** Opened after the subscription to the gateway, so that no event about an action is missed. */
  readonly #inbox = new Inbox(() => this.#timers.soon(() => this.#takeTurn()));
  readonly #subscription = new Subscription();
  readonly #timers: Timers;
  readonly #fingerprint = new Fingerprint();
  readonly #ownEvents: OwnEvents;
  #end: (ending: Ending) => void = () => undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #closing = new ClosingRun();
  /** The last turn, until `#afterSending` was called with it. */
  #unfinished: Turn | undefined;
  #isStopping = false;
  readonly #readAgain: ReadAgain;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#pace = options.pace ?? 1;
    this.#timers = new Timers(options.clock, (error) => this.fail(error));
    this.world = options.world;
    this.#readAgain = new ReadAgain(options);
    this.#ownEvents = new OwnEvents(options);
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#timers.soon(() => this.#open());
  }

  stop(reason: string): void {
    if (this.#isStopping || this.#ended) return;
    this.#isStopping = true;
    this.#receive({ kind: 'command', at: this.#options.clock.now(), command: 'stop', reason });
    this.#timers.afterAwake(CLOSING * this.#pace, () => this.#timeIsOver());
  }

  /** Ends the run. If every order is gone and only how they ended is unknown, first waits for the turns that may show it. */
  #timeIsOver(): void {
    const end = (): void => this.#close(this.world.settled ? { kind: 'settled' } : UNPROVED);
    if (this.#failure !== undefined || !this.world.awaitsEnds) end();
    else this.#timers.afterAwake(ENDS_KNOWN_WITHIN * this.#pace, end);
  }

  /** Records the first error and stops. Later failures do not prevent the run from closing. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop(reasonOf(error));
  }

  endNow(reason: string): void {
    this.#timers.soon(() => this.#close({ kind: 'unsettled', reason }));
  }

  fingerprint(): string {
    return this.#fingerprint.hex();
  }

  #open(): void {
    const { feed, gateway } = this.#options.venue;
    const observer = { next: (event: Event): void => this.#receive(event) };
    this.#subscription.add(gateway.events.subscribe({ ...observer, error: (error) => this.#timers.soon(() => this.#endUnproved(error)) }));
    this.#subscription.add(feed.events.subscribe({ ...observer, error: (error) => this.#timers.soon(() => this.fail(error)) }));
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

  /** Applies a stricter mode of the kill switch, which is on disk by then; `cancel-all` stops the run, `halted` ends it at once. */
  #obeyKillSwitch(): void {
    const asked = this.#options.killSwitch?.pending();
    if (asked === undefined) return;
    const { mode, cause } = asked;
    this.#options.killSwitch?.acknowledge(mode);
    const reason = `${mode} since ${cause?.at ?? 'an unknown time'}: ${cause?.reason ?? 'no reason recorded'}`;
    this.#receive({ kind: 'command', at: this.#options.clock.now(), command: 'mode', mode, reason, by: cause?.by });
    if (mode === 'halted') this.#timers.soon(() => this.#close({ kind: 'unsettled', reason }));
    else if (mode === 'cancel-all') this.stop(reason);
  }

  #escalate(): void {
    const { killSwitch, clock, stops = [] } = this.#options;
    const resumed = countAnew(this.world, stops, clock.now());
    if (resumed !== undefined) this.#receive(resumed);
    const wanted = modeWanted(this.world, stops);
    if (wanted === undefined || killSwitch === undefined || !isStricter(wanted.mode, this.world.mode)) return;
    killSwitch.raise(wanted.mode, { reason: wanted.reason, at: timeText(clock.now()), by: wanted.by ?? 'bot' });
    this.#obeyKillSwitch();
  }

  #receive(event: Event): void {
    if (!this.#ended) this.#inbox.add(event);
  }

  #takeTurn(): void {
    const failedBefore = this.#failure !== undefined;
    try {
      this.#finish();
      for (const event of this.#ownEvents.beforeTurn(this.#inbox.latest)) this.#receive(event);
      this.#turn(this.#inbox.take());
    } catch (error) {
      this.fail(error);
      if (failedBefore) this.#cancelOpen();
    }
    if (this.world.stopping !== undefined && this.#closing.isDone(this.world, { failed: this.#failure !== undefined }))
      this.#close({ kind: 'settled' });
  }

  #turn(events: readonly Event[]): void {
    const turn = this.#options.engine.step(...events);
    this.#fingerprint.add(turn.actions);
    if (turn.actions.length === 0) {
      this.#record(turn);
      this.#unfinished = turn;
      return this.#finish();
    }
    try {
      this.#send(turn.actions, () => {
        this.#record(turn);
        this.#unfinished = turn;
        this.#options.venue.gateway.submit(turn.actions);
      });
    } finally {
      this.#options.books?.flush();
    }
    // A request leaves in the next round of the event loop, so what else a turn has to do waits for the round after it.
    if (this.#options.venue.isInProcess) this.#finish();
    else this.#timers.soon(() => this.#finish());
  }

  /** Does what is left of the last turn after its actions were sent: `#afterSending`. */
  #finish(): void {
    const turn = this.#unfinished;
    this.#unfinished = undefined;
    if (turn !== undefined) this.#afterSending(turn);
  }

  /** Calls `#finish` at the end of the run, which no error may prevent: an error becomes the failure of the run. */
  #finishAtEnd(): void {
    try {
      this.#finish();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #afterSending(turn: Turn): void {
    this.#tolerant(() => this.turns.emit(turn));
    this.#readAgain.check();
    this.#escalate();
    for (const event of this.#ownEvents.afterTurn()) this.#receive(event);
  }

  /** Passes the turn to the record, and to those who check it, before its actions are sent. */
  #record(turn: Turn): void {
    this.#tolerant(() => {
      this.#options.books?.record(turn);
      this.decided.emit(turn);
    });
  }

  /** Passes a turn to the record or the watchers. A failed run ignores their errors, so that it still cancels. */
  #tolerant(pass: () => void): void {
    try {
      pass();
    } catch (error) {
      if (this.#failure === undefined) throw error;
    }
  }

  /** Calls `send`. If it throws, nothing was sent: each action is reported to the world as not sent, and the error is thrown again. */
  #send(actions: readonly Action[], send: () => void): void {
    try {
      send();
    } catch (error) {
      for (const action of actions) this.#receive(notSent(action, { at: this.#options.clock.now() }));
      throw error;
    }
  }

  /** Called when the gateway's events have failed, so that nothing can be proved: cancels all orders known to rest, and ends. */
  #endUnproved(error: unknown): void {
    this.fail(error);
    this.#cancelOpen();
    this.#timers.after(2 * HEARTBEAT, () => this.#close(UNPROVED));
  }

  /** Cancels all open orders without the engine, which has failed. */
  #cancelOpen(): void {
    const open = this.world.orders().filter(({ status }) => status === 'open');
    const cancels = open.flatMap(({ clientOrderId, market, orderId }): Action[] =>
      orderId === undefined ? [] : [{ kind: 'cancel', clientOrderId, market, orderId }],
    );
    try {
      this.world.markSent(cancels);
      this.#send(cancels, () => this.#options.venue.gateway.submit(cancels));
    } catch {} // the first failure is the one that is reported
  }

  #close(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#finishAtEnd();
    this.#timers.clear();
    this.#subscription.unsubscribe();
    this.turns.complete();
    this.#end(this.#failure === undefined ? ending : { kind: 'failed', settled: ending.kind === 'settled', ...this.#failure });
  }
}
