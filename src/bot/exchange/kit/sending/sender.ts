// The part of a gateway that all exchanges share: sends each action once, cancels first, with a timeout for the answer.
import { merge, type Observable, Subject, share, takeUntil } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { Recent } from '../../../../base/collections/recent.ts';
import { assert } from '../../../../base/errors.ts';
import { orElse } from '../../../../base/transport/client-error.ts';
import type { Action } from '../../../domain/action.ts';
import type { AccountEvent, CancelAnswered, OrderOpened, OrderRejected, OrderUnknown } from '../../../domain/event.ts';
import type { ClientOrderId } from '../../../domain/ids.ts';
import { type SendConditions, whyNotSend } from './outgoing.ts';

/** Maximum number of actions of one batch that await an answer at the same time. */
export const MAX_IN_FLIGHT = 8;

const groupOf = (action: Action): 'question' | Action['kind'] => (isQuestion(action) ? 'question' : action.kind);

/** Number of failed cancels that are remembered. */
const REMEMBERED = 256;

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
  /** Orders whose last cancel was refused or has no answer. */
  readonly #unanswered = new Recent<ClientOrderId, true>(REMEMBERED);
  #closed = false;
  /** Number of actions that were submitted and have no outcome yet. */
  #pending = 0;
  /** When the last outcome came. */
  #settledAt: Millis = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Emits the reported outcomes and the `polled` events, until the gateway closes. */
  events(...polled: readonly Observable<AccountEvent>[]): Observable<AccountEvent> {
    return merge(this.#answers, ...polled).pipe(takeUntil(this.#options.closing), share());
  }

  report(...events: readonly AccountEvent[]): void {
    for (const event of events) {
      if (event.kind === 'cancelAnswered') this.#cancelAnswered(event);
      this.#answers.next(event);
    }
  }

  /** Ends the events with this error. */
  fail(error: unknown): void {
    this.#answers.error(error);
  }

  /** Throws an AssertionError after `close`. */
  requireOpen(): void {
    assert(!this.#closed, 'the gateway is closed');
  }

  /** True if every action that was submitted had its outcome before `moment`. */
  isSettledAt(moment: Millis): boolean {
    return this.#pending === 0 && moment >= this.#settledAt;
  }

  /** Returns why an action may not be sent now, or undefined if it may. */
  whyNotSend(action: Action, conditions: SendConditions, now: Millis): string | undefined {
    if (action.kind === 'place' && action.replaces !== undefined && this.#unanswered.has(action.replaces))
      return `the cancel of order ${action.replaces}, which it replaces at its price, has no answer`;
    return whyNotSend(action, conditions, now);
  }

  #cancelAnswered({ clientOrderId, outcome }: CancelAnswered): void {
    if (outcome === 'unknown' || outcome === 'refused') this.#unanswered.set(clientOrderId, true);
    else this.#unanswered.delete(clientOrderId);
  }

  /** Delivers the cancels, then the placements once every cancel is answered or timed out. A cancel that only asks delays no placement. */
  send<P>(items: readonly P[], { actionOf, deliver }: { actionOf: (item: P) => Action; deliver: (item: P) => Promise<void> }): void {
    this.#pending += items.length;
    let hasFailed = false;
    /** Delivers the first of a group before it returns, so that their requests leave at once. */
    const deliverAll = async (group: ReturnType<typeof groupOf>): Promise<void> => {
      const waiting = items.filter((item) => groupOf(actionOf(item)) === group).values();
      const deliverNext = async (): Promise<void> => {
        for (const item of waiting) {
          if (hasFailed || this.#closed) return;
          await deliver(item);
          this.#pending -= 1;
          this.#settledAt = this.#options.clock.now();
        }
      };
      await Promise.all(Array.from({ length: Math.min(items.length, MAX_IN_FLIGHT) }, deliverNext));
    };
    const fail = (error: unknown): void => {
      hasFailed = true;
      this.fail(error);
    };
    const hasCancels = items.some((item) => groupOf(actionOf(item)) === 'cancel');
    const placed = hasCancels ? deliverAll('cancel').then(() => deliverAll('place')) : deliverAll('place');
    placed.catch(fail);
    deliverAll('question').catch(fail);
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
export function notSent(
  { kind, clientOrderId }: Action,
  { at, reason }: { at: Millis; reason?: string | undefined },
): OrderRejected | CancelAnswered {
  return kind === 'place'
    ? { kind: 'orderRejected', at, clientOrderId, error: 'NOT_SENT' }
    : { kind: 'cancelAnswered', at, clientOrderId, outcome: 'refused', reason: reason === undefined ? 'NOT_SENT' : `NOT_SENT: ${reason}` };
}

export type SendOutcome = OrderOpened | OrderRejected | OrderUnknown | CancelAnswered;

/** False if a later answer to the same action may still decide the outcome. */
export const isDefinite = (outcome: SendOutcome): boolean =>
  outcome.kind !== 'orderUnknown' && !(outcome.kind === 'cancelAnswered' && outcome.outcome === 'unknown');

export const noAnswerWithin = (waited: Millis): string => `no answer within ${waited / 1_000} s`;

/** True for a cancel that asks whether its order is gone: the order is read first, and the cancel is sent only if the read does not show it open. */
export const isQuestion = (action: Action): boolean => action.kind === 'cancel' && action.unlessOpen === true;

/** Returns true if the read shows the order open. A read that fails shows nothing: the exchange may have no such read. */
export const showsOpen = (read: Promise<boolean>): Promise<boolean> => orElse(read, false);

/** Returns the outcome of a cancel that was not sent, because the exchange shows its order open. */
export const stillOpen = ({ clientOrderId }: Pick<Action, 'clientOrderId'>, at: Millis): CancelAnswered => ({
  kind: 'cancelAnswered',
  at,
  clientOrderId,
  outcome: 'open',
});
