// The gateway to the embedded exchange: each action is sent once, and its outcome is emitted as an event.
import type { Observable } from 'rxjs';
import type { Cancel, Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { Broadcast } from '../../base/streams/broadcast.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountEvent, CancelAnswered, OrderOpened, OrderRejected } from '../../bot/domain/event.ts';
import type { AccountId, MarketId } from '../../bot/domain/ids.ts';
import { lots } from '../../bot/domain/numbers.ts';
import { meaningOf } from '../../bot/exchange/error-meanings.ts';
import { cancelRefused, orderRefused } from '../../bot/exchange/kit/sending/client-gateway.ts';
import type { SendPermit } from '../../bot/exchange/kit/sending/outgoing.ts';
import { MAX_IN_FLIGHT, notSent } from '../../bot/exchange/kit/sending/sender.ts';
import type { Gateway } from '../../bot/exchange/port.ts';
import type { CancelOutcome, PlaceOutcome } from '../exchange/commands.ts';
import { accountStream, fillStream } from './own-events.ts';
import type { VenueContext } from './venue-context.ts';

interface Batch {
  readonly actions: readonly Action[];
  sent: number;
  answered: number;
  readonly whenAnswered: () => void;
  /** The market whose stop was judged in the turn that sends the batch, if any; see `Looks.arrivalOf`. */
  readonly judgedMarket: MarketId | undefined;
}

export class EmbeddedGateway implements Gateway {
  readonly account: AccountId;
  readonly events: Observable<AccountEvent>;
  readonly #context: VenueContext;
  readonly #broadcast: Broadcast<AccountEvent>;
  readonly #close: () => void;
  #closed = false;
  /** The permit of the last submission. */
  #permit: SendPermit = () => undefined;

  constructor(context: VenueContext, close: () => void) {
    this.#context = context;
    this.#close = close;
    this.account = context.account;
    const start = (emit: (event: AccountEvent) => void): Cancel => {
      const streams = [accountStream(context, emit), fillStream(context, emit)];
      return () => {
        for (const stop of streams) stop();
      };
    };
    this.#broadcast = new Broadcast({ start, closing: context.closing });
    this.events = this.#broadcast.events;
  }

  submit(actions: readonly Action[]): void {
    assert(!this.#closed, 'the gateway is closed');
    this.#context.looks?.followUp();
    this.#permit = this.#context.writeAhead(actions.map(({ kind: action, clientOrderId }) => ({ action, clientOrderId })));
    const cancels = actions.filter((action) => action.kind === 'cancel');
    const places = actions.filter((action) => action.kind === 'place');
    const judgedMarket = this.#context.looks?.end.takeTurn();
    this.#sendAll(cancels, judgedMarket, () => this.#sendAll(places, judgedMarket, () => undefined));
  }

  /** Stops sending. Actions that were sent before still arrive. */
  close(): Promise<void> {
    this.#closed = true;
    this.#close();
    return Promise.resolve();
  }

  #sendAll(actions: readonly Action[], judgedMarket: MarketId | undefined, whenAnswered: () => void): void {
    if (actions.length === 0) return whenAnswered();
    const batch: Batch = { actions, sent: 0, answered: 0, whenAnswered, judgedMarket };
    for (let lane = 0; lane < MAX_IN_FLIGHT; lane++) this.#sendNext(batch);
  }

  #sendNext(batch: Batch): void {
    const action = batch.actions[batch.sent];
    if (action === undefined || this.#closed) return;
    batch.sent += 1;
    this.#send(action, batch.judgedMarket, () => {
      batch.answered += 1;
      if (batch.answered === batch.actions.length) batch.whenAnswered();
      else this.#sendNext(batch);
    });
  }

  #send(action: Action, judgedMarket: MarketId | undefined, whenAnswered: () => void): void {
    const { network, clock, looks } = this.#context;
    const reason = action.kind === 'place' ? this.#permit() : undefined;
    if (reason !== undefined) {
      clock.at(clock.now(), () => {
        this.#broadcast.emit(notSent(action, { at: clock.now(), reason }));
        whenAnswered();
      });
      return;
    }
    network.request(
      'sent',
      () => execute(action, this.#context),
      (outcomeAt) => {
        this.#broadcast.emit(outcomeAt(clock.now()));
        whenAnswered();
      },
      looks?.arrivalOf(action, judgedMarket),
    );
  }
}

/** Executes an action on the exchange at once. Returns a function from the answer's arrival time to its event. */
export function execute(action: Action, { exchange, account }: Pick<VenueContext, 'exchange' | 'account'>): (at: Millis) => AccountEvent {
  if (action.kind === 'place') {
    const { market, side, price, size, fillMode, clientOrderId, reduceOnly } = action;
    const outcome = exchange.place({ account, market, side, price, size, fillMode, clientOrderId, reduceOnly });
    return (at) => placeEvent(action, outcome, at);
  }
  const outcome = exchange.cancel({ account, orderId: action.orderId });
  return (at) => cancelEvent(action, outcome, at);
}

function placeEvent({ clientOrderId }: PlaceOrder, outcome: PlaceOutcome, at: Millis): OrderOpened | OrderRejected {
  if (outcome.kind === 'refused') return orderRefused({ at, clientOrderId }, outcome.error);
  const { actionId, posted, fills } = outcome;
  const taken = fills.map(({ price, size }) => ({ price, size }));
  if (posted === undefined) return { kind: 'orderOpened', at, clientOrderId, actionId, taken, resting: lots(0) };
  return { kind: 'orderOpened', at, clientOrderId, actionId, taken, orderId: posted.orderId, resting: posted.size };
}

function cancelEvent({ clientOrderId }: CancelOrder, outcome: CancelOutcome, at: Millis): CancelAnswered {
  if (outcome.kind === 'accepted') return { kind: 'cancelAnswered', at, clientOrderId, outcome: 'cancelled' };
  if (meaningOf(outcome.error) !== 'orderNotFound') return cancelRefused({ at, clientOrderId }, outcome.error);
  return { kind: 'cancelAnswered', at, clientOrderId, outcome: 'notFound', reason: outcome.error };
}
