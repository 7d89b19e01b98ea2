// The part of a gateway that all exchanges share: sends each action once, cancels first, with a timeout for the answer.
import { concat, from, ignoreElements, merge, mergeMap, type Observable, Subject, share, takeUntil } from 'rxjs';
import { assert } from '../../../base/assert.ts';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Action } from '../../../domain/action.ts';
import type { AccountEvent, CancelAnswered, OrderOpened, OrderRejected, OrderUnknown } from '../../../domain/event.ts';

/** Maximum number of actions of one batch that await an answer at the same time. */
export const MAX_IN_FLIGHT = 8;

export interface SenderOptions {
  readonly clock: Clock;
  /** Timeout of an answer. A later answer is still reported. */
  readonly answerTimeoutMs: Millis;
  /** Emits when the gateway closes. */
  readonly closing: Subject<void>;
}

/** Sends the actions of one gateway and emits their outcomes. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #answers = new Subject<AccountEvent>();
  #closed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Emits the reported outcomes and the `polled` events, until the gateway closes. */
  events(...polled: readonly Observable<AccountEvent>[]): Observable<AccountEvent> {
    return merge(this.#answers, ...polled).pipe(takeUntil(this.#options.closing), share());
  }

  report(...events: readonly AccountEvent[]): void {
    for (const event of events) this.#answers.next(event);
  }

  /** Ends the events with this error. */
  fail(error: unknown): void {
    this.#answers.error(error);
  }

  /** Throws an AssertionError after `close`. */
  requireOpen(): void {
    assert(!this.#closed, 'the gateway is closed');
  }

  /** Delivers the cancels, then the placements once every cancel is answered or timed out. */
  send<P>(items: readonly P[], { kindOf, deliver }: { kindOf: (item: P) => Action['kind']; deliver: (item: P) => Promise<void> }): void {
    const inParallel = (kind: Action['kind']): Observable<never> =>
      from(items.filter((item) => kindOf(item) === kind)).pipe(mergeMap(deliver, MAX_IN_FLIGHT), ignoreElements());
    concat(inParallel('cancel'), inParallel('place'))
      .pipe(takeUntil(this.#options.closing))
      .subscribe({ error: (error: unknown) => this.fail(error) });
  }

  /** Settles when the answer has been reported or has timed out; calls `timedOut` on a timeout. A later answer is still reported. */
  waitForAnswer(answered: Promise<void>, timedOut: () => void): Promise<void> {
    const { clock, answerTimeoutMs } = this.#options;
    return new Promise((resolve) => {
      const stopWaiting = clock.at(clock.now() + answerTimeoutMs, () => {
        timedOut();
        resolve();
      });
      answered.then(
        () => {
          stopWaiting();
          resolve();
        },
        (error: unknown) => this.fail(error),
      );
    });
  }

  /** Stops sending and polling at once. Pending answers are ignored. */
  close(): Promise<void> {
    this.#closed = true;
    this.#options.closing.next();
    return Promise.resolve();
  }
}

/** Returns the outcome of an action that was never sent: nothing was placed, and nothing was cancelled. */
export function notSent({ kind, clientOrderId }: Action, { at, reason }: { at: Millis; reason?: string }): OrderRejected | CancelAnswered {
  return kind === 'place'
    ? { kind: 'orderRejected', at, clientOrderId, error: 'NOT_SENT' }
    : { kind: 'cancelAnswered', at, clientOrderId, outcome: 'refused', reason: reason === undefined ? 'NOT_SENT' : `NOT_SENT: ${reason}` };
}

export type Outcome = OrderOpened | OrderRejected | OrderUnknown | CancelAnswered;

/** False if a later answer to the same action may still decide the outcome. */
export const isDefinite = (outcome: Outcome): boolean =>
  outcome.kind !== 'orderUnknown' && !(outcome.kind === 'cancelAnswered' && outcome.outcome === 'unknown');

export const noAnswerWithin = (waited: Millis): string => `no answer within ${waited / 1_000} s`;
