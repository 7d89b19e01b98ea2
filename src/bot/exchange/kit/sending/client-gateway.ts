// The gateway over a `VenueClient`: writes approved actions ahead, sends each once, and emits its outcome as an event.
import { type Observable, type Subject, takeUntil, tap } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { assert } from '../../../../base/errors.ts';
import { ClientError } from '../../../../base/transport/client-error.ts';
import type { Action, CancelOrder } from '../../../domain/action.ts';
import type { AccountEvent, CancelAnswered, OrderRejected } from '../../../domain/event.ts';
import type { AccountRef, ClientOrderId, MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import { saysFrozen } from '../../error-meanings.ts';
import type { AdapterLog, Gateway } from '../../port.ts';
import type { ExecutedAction } from '../streams/account-series.ts';
import type { ActionResult, PreparedAction, VenueClient } from '../venue-client.ts';
import { FaultStop } from './fault-stop.ts';
import { LONGEST_WAIT, type SendConditions, type WriteAhead } from './outgoing.ts';
import { isDefinite, isQuestion, noAnswerWithin, notSent, Sender, type SendOutcome, showsOpen, stillOpen } from './sender.ts';
import { Settlements } from './settlements.ts';

export interface ClientGatewayOptions {
  readonly account: AccountRef;
  readonly client: Pick<VenueClient, 'rules' | 'prepare' | 'isOpen' | 'settle' | 'observe' | 'events' | 'faults' | 'close'>;
  readonly clock: Clock;
  readonly log: AdapterLog;
  readonly markets: readonly Market[];
  /** Journals the actions before they are sent. */
  readonly writeAhead: WriteAhead;
  /** Returns the latest second that the exchange's clock may show at a local time. */
  readonly secondsAt: (moment: Millis) => number;
  /** The polled events of the account. */
  readonly seen: Observable<AccountEvent>;
  /** Called when the exchange confirms that it executed an action. */
  readonly executed: (action: ExecutedAction) => void;
  /** Emits when the gateway closes, so that all its streams end. */
  readonly closing: Subject<void>;
}

type Ready = Extract<PreparedAction, { kind: 'ready' }>;

export class ClientGateway implements Gateway {
  readonly account: AccountRef;
  readonly events: Observable<AccountEvent>;
  readonly #options: ClientGatewayOptions;
  readonly #sender: Sender;
  readonly #stop: FaultStop;
  readonly #settlements: Settlements | undefined;

  constructor(options: ClientGatewayOptions) {
    const { client, clock, log, closing } = options;
    this.#options = options;
    this.account = options.account;
    this.#sender = new Sender({ clock, closing, answerTimeoutMs: client.rules.answerTimeoutMs });
    const seen = options.seen.pipe(tap((event) => client.observe?.(event)));
    this.events = this.#sender.events(...(client.events === undefined ? [] : [client.events]), seen);
    const { listingLagMs } = client.rules;
    const cancel = (orders: readonly CancelOrder[]): void => this.submit(orders);
    this.#stop = new FaultStop({ clock, log, closing, sender: this.#sender, events: () => this.events, listingLagMs, cancel });
    const settle = client.settle?.bind(client);
    this.#settlements =
      settle &&
      new Settlements({
        clock,
        settle,
        absent: ({ clientOrderId }) => this.#report(neverAdmitted({ at: clock.now(), clientOrderId })),
        fail: (error) => this.#sender.fail(error),
      });
    client.faults?.pipe(takeUntil(closing)).subscribe((fault) => this.#stop.begin(fault));
  }

  /** Prepares all actions and writes all of them ahead before any is sent. An AssertionError thrown here means that nothing was sent. */
  submit(actions: readonly Action[]): void {
    this.#sender.requireOpen();
    const { clock, client, writeAhead, secondsAt } = this.#options;
    const asked = clock.now();
    const latestSecond = secondsAt(asked + LONGEST_WAIT);
    const prepared = client.prepare(actions, { latestSecond, marketOf: (id) => this.#marketOf(id) });
    const ready = prepared.filter((item) => item.kind === 'ready');
    const conditions: SendConditions = { permit: writeAhead(ready.map(({ record }) => record)), asked };
    this.#sender.send(prepared, { actionOf: ({ action }) => action, deliver: (item) => this.#deliver(item, conditions) });
  }

  /** Stops sending, polling and signing at once; answers that are still pending are dropped. */
  close(): Promise<void> {
    this.#options.client.close?.();
    this.#settlements?.close();
    return this.#sender.close();
  }

  /** Settles when the action is answered or timed out. A later answer is still emitted if it is definite. */
  async #deliver(item: PreparedAction, conditions: SendConditions): Promise<void> {
    const { clock, client } = this.#options;
    const { action } = item;
    if (isQuestion(action) && (await this.#isOpen(action))) return this.#sender.report(stillOpen(action, clock.now()));
    const sent = clock.now();
    const reason = item.kind === 'unsent' ? item.reason : this.#whyNotSend(action, conditions, sent);
    if (item.kind === 'unsent' || reason !== undefined) {
      await Promise.resolve(); // nothing is emitted before `submit` has returned
      return this.#sender.report(notSent(action, { at: sent, reason }));
    }
    let reported = false;
    const report = (outcome: SendOutcome): void => {
      const executed = executedAction(action, outcome, sent);
      if (executed !== undefined) this.#options.executed(executed);
      if (!reported || isDefinite(outcome)) this.#sender.report(outcome);
      reported = true;
      client.observe?.(outcome);
      if (outcome.kind === 'orderUnknown' && action.kind === 'place') this.#settlements?.begin(action, item.life);
      else this.#settlements?.end(action.clientOrderId);
    };
    const answered = item.send().then(
      (result) => (result === 'accepted' ? undefined : report(answeredOutcome(action, result, clock.now()))),
      (thrown: unknown) => report(failedOutcome(item, clientError(thrown), clock.now())),
    );
    await this.#sender.waitForAnswer(answered, () =>
      report(unansweredOutcome(item, noAnswerWithin(client.rules.answerTimeoutMs), clock.now())),
    );
  }

  #report(outcome: SendOutcome): void {
    this.#sender.report(outcome);
    this.#options.client.observe?.(outcome);
  }

  #whyNotSend(action: Action, conditions: SendConditions, now: Millis): string | undefined {
    const stopped = action.kind === 'place' ? this.#stop.reason : undefined;
    return stopped ?? this.#sender.whyNotSend(action, conditions, now);
  }

  #isOpen(action: Action): Promise<boolean> {
    const { client } = this.#options;
    const read = action.kind === 'cancel' ? client.isOpen?.(action) : undefined;
    return showsOpen(read ?? Promise.resolve(false));
  }

  #marketOf(id: MarketId): Market {
    const market = this.#options.markets.find((one) => one.id === id);
    assert(market !== undefined, `market ${id} is not one of this run's`);
    return market;
  }
}

/** Returns the action if the exchange has executed it. */
function executedAction(action: Action, outcome: SendOutcome, sent: Millis): ExecutedAction | undefined {
  const answered = outcome.at;
  if (outcome.kind === 'orderOpened') return { sent, answered, orderId: outcome.orderId, rests: true };
  const isCancelled = outcome.kind === 'cancelAnswered' && outcome.outcome === 'cancelled' && action.kind === 'cancel';
  return isCancelled ? { sent, answered, orderId: action.orderId, rests: false } : undefined;
}

function answeredOutcome({ kind, clientOrderId }: Action, result: Exclude<ActionResult, 'accepted'>, at: Millis): SendOutcome {
  if (typeof result === 'string') {
    assert(kind === 'cancel', `an order was answered with ${result}`);
    return { kind: 'cancelAnswered', at, clientOrderId, outcome: result };
  }
  assert(kind === 'place', 'a cancel was answered with the receipt of an order');
  const { actionId = clientOrderId, ...receipt } = result;
  return { kind: 'orderOpened', at, clientOrderId, actionId, ...receipt };
}

/** Returns the outcome of an action without a result: unknown, unless the error proves that it was not executed. */
function failedOutcome(item: Ready, error: ClientError, at: Millis): SendOutcome {
  const { action } = item;
  const { clientOrderId } = action;
  const reason = error.reason ?? error.message;
  if (error.kind === 'notSent') return notSent(action, { at, reason: error.message });
  if (error.kind === 'refused')
    return action.kind === 'place' ? orderRefused({ at, clientOrderId }, reason) : cancelRefused({ at, clientOrderId }, reason);
  if (error.kind === 'notFound' && action.kind === 'cancel') return cancelOutcome(action, { outcome: 'notFound', reason, at });
  return unansweredOutcome(item, reason, at);
}

function unansweredOutcome({ action, deadAfter, life }: Ready, reason: string, at: Millis): SendOutcome {
  if (action.kind === 'cancel') return cancelOutcome(action, { outcome: 'unknown', reason, at });
  return { kind: 'orderUnknown', at, clientOrderId: action.clientOrderId, reason, deadAfter, life };
}

const cancelOutcome = ({ clientOrderId }: CancelOrder, answer: Pick<CancelAnswered, 'outcome' | 'reason' | 'at'>): CancelAnswered => ({
  kind: 'cancelAnswered',
  clientOrderId,
  ...answer,
});

/** Returns the error of the client; rethrows any other error, which is a bug. */
function clientError(thrown: unknown): ClientError {
  if (thrown instanceof ClientError) return thrown;
  throw thrown;
}

interface Refused {
  readonly at: Millis;
  readonly clientOrderId: ClientOrderId;
}

/** Returns the event of a refused order; `error` is the reason of the exchange, and says whether the market is frozen. */
export const orderRefused = ({ at, clientOrderId }: Refused, error: string): OrderRejected => ({
  kind: 'orderRejected',
  at,
  clientOrderId,
  error,
  ...(saysFrozen(error) && { frozen: true }),
});

/** Returns the event of an order without an answer of which the exchange has said that it was never admitted and never can be. */
const neverAdmitted = ({ at, clientOrderId }: Refused): OrderRejected => ({
  kind: 'orderRejected',
  at,
  clientOrderId,
  error: 'NEVER_ADMITTED',
  settled: true,
});

/** Returns the event of a refused cancel. */
export const cancelRefused = ({ at, clientOrderId }: Refused, reason: string): CancelAnswered => ({
  kind: 'cancelAnswered',
  at,
  clientOrderId,
  outcome: 'refused',
  reason,
  ...(saysFrozen(reason) && { frozen: true }),
});
