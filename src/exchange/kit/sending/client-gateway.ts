// The gateway over a `VenueClient`: sends each approved action once and emits its outcome as an event.
import type { Observable, Subject } from 'rxjs';
import { assert } from '../../../base/assert.ts';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../domain/action.ts';
import type { AccountEvent, CancelAnswered, OrderOpened } from '../../../domain/event.ts';
import type { AccountRef, MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import type { Gateway } from '../../port.ts';
import { ClientError } from '../client-error.ts';
import type { PlaceReceipt, VenueClient } from '../venue-client.ts';
import { LONGEST_WAIT, type SendConditions, type WriteAhead, whyNotSend } from './outgoing.ts';
import { cancelRefused, orderRefused } from './refusal.ts';
import { isDefinite, noAnswerWithin, notSent, type Outcome, Sender } from './sender.ts';

export interface ClientGatewayOptions {
  readonly account: AccountRef;
  readonly client: VenueClient;
  readonly clock: Clock;
  readonly markets: readonly Market[];
  /** Journals the actions before they are sent. */
  readonly writeAhead: WriteAhead;
  /** Returns the latest second that the exchange's clock may show at a local time. */
  readonly secondsAt: (moment: Millis) => number;
  readonly seen: Observable<AccountEvent>;
  readonly closing: Subject<void>;
}

export class ClientGateway implements Gateway {
  readonly account: AccountRef;
  readonly events: Observable<AccountEvent>;
  readonly #options: ClientGatewayOptions;
  readonly #sender: Sender;

  constructor(options: ClientGatewayOptions) {
    const { client, clock, closing } = options;
    this.#options = options;
    this.account = options.account;
    this.#sender = new Sender({ clock, closing, answerTimeoutMs: client.rules.answerTimeoutMs });
    this.events = this.#sender.events(options.seen);
  }

  submit(actions: readonly Action[]): void {
    this.#sender.requireOpen();
    const { clock, client, writeAhead, secondsAt } = this.#options;
    const asked = clock.now();
    const deadAfter = secondsAt(asked + LONGEST_WAIT) + client.rules.orderLife;
    const sealed = actions.map(({ kind, clientOrderId }) => ({ action: kind, clientOrderId, ...(kind === 'place' && { deadAfter }) }));
    const conditions: SendConditions = { permit: writeAhead(sealed), asked };
    this.#sender.send(actions, { kindOf: ({ kind }) => kind, deliver: (action) => this.#deliver(action, { conditions, deadAfter }) });
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  async #deliver(action: Action, { conditions, deadAfter }: { conditions: SendConditions; deadAfter: number }): Promise<void> {
    const { clock, client } = this.#options;
    await Promise.resolve(); // nothing is reported before `submit` has returned
    const sent = clock.now();
    const reason = whyNotSend(action, conditions, sent);
    if (reason !== undefined) return this.#sender.report(notSent(action, { at: sent, reason }));
    let reported = false;
    const report = (outcome: Outcome): void => {
      if (!reported || isDefinite(outcome)) this.#sender.report(outcome);
      reported = true;
    };
    const attempt = action.kind === 'place' ? this.#place(action, deadAfter) : this.#cancel(action);
    await this.#sender.waitForAnswer(attempt.then(report), () =>
      report(this.#unanswered(action, deadAfter, noAnswerWithin(client.rules.answerTimeoutMs))),
    );
  }

  async #place(action: PlaceOrder, deadAfter: number): Promise<Outcome> {
    const { client, clock } = this.#options;
    const { clientOrderId } = action;
    try {
      return opened(action, await client.place(action, this.#market(action.market)), clock.now());
    } catch (thrown) {
      const error = clientError(thrown);
      if (error.kind === 'notSent') return notSent(action, { at: clock.now(), reason: error.message });
      if (error.kind === 'refused') return orderRefused({ at: clock.now(), clientOrderId }, reasonOf(error));
      return this.#unanswered(action, deadAfter, reasonOf(error));
    }
  }

  async #cancel(action: CancelOrder): Promise<Outcome> {
    const { client, clock } = this.#options;
    const answered = (outcome: CancelAnswered['outcome'], reason?: string): CancelAnswered => {
      const { clientOrderId } = action;
      return { kind: 'cancelAnswered', at: clock.now(), clientOrderId, outcome, ...(reason !== undefined && { reason }) };
    };
    try {
      return answered(await client.cancel(action, this.#market(action.market)));
    } catch (thrown) {
      const error = clientError(thrown);
      if (error.kind === 'notSent') return notSent(action, { at: clock.now(), reason: error.message });
      if (error.kind === 'notFound') return answered('notFound', reasonOf(error));
      if (error.kind === 'refused') return cancelRefused({ at: clock.now(), clientOrderId: action.clientOrderId }, reasonOf(error));
      return answered('unknown', reasonOf(error));
    }
  }

  #unanswered({ kind, clientOrderId }: Action, deadAfter: number, reason: string): Outcome {
    const at = this.#options.clock.now();
    return kind === 'place'
      ? { kind: 'orderUnknown', at, clientOrderId, reason, deadAfter }
      : { kind: 'cancelAnswered', at, clientOrderId, outcome: 'unknown', reason };
  }

  #market(id: MarketId): Market {
    const market = this.#options.markets.find((one) => one.id === id);
    assert(market !== undefined, `market ${id} is not one of this run's`);
    return market;
  }
}

function opened({ clientOrderId }: PlaceOrder, { actionId = clientOrderId, ...result }: PlaceReceipt, at: Millis): OrderOpened {
  return { kind: 'orderOpened', at, clientOrderId, actionId, ...result };
}

/** Returns the error of the client; rethrows any other error, which is a bug. */
function clientError(thrown: unknown): ClientError {
  if (thrown instanceof ClientError) return thrown;
  throw thrown;
}

const reasonOf = ({ reason, message }: ClientError): string => reason ?? message;
