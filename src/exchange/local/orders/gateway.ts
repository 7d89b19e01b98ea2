// The gateway to the local process: requests each approved action once, and emits its outcome as an event.
import { filter, type Observable, race, type Subject, take, takeUntil, tap, timer } from 'rxjs';
import { assert } from '../../../base/assert.ts';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { UserError } from '../../../base/errors.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../domain/action.ts';
import type { AccountEvent, AccountSeen, OrderRejected, OrderUnknown } from '../../../domain/event.ts';
import type { AccountId, MarketId, OrderId } from '../../../domain/ids.ts';
import { schedulerFrom } from '../../../streams/scheduler.ts';
import type { OrderEcho } from '../../../wire/json/local.ts';
import type { Log } from '../../kit/log.ts';
import type { SendConditions, WriteAhead } from '../../kit/sending/outgoing.ts';
import { notSent, Sender } from '../../kit/sending/sender.ts';
import type { Gateway } from '../../port.ts';
import { type LocalClient, LocalError } from '../client/client.ts';
import type { ListedMarket } from '../market/listing.ts';
import { FlagVerifier } from './flag-verifier.ts';
import { cancelFailed, cancelUnanswered, closedEvent, echoMismatch, newOrderOf, placeFailed, placeUnanswered } from './outcome.ts';
import { LISTING_LAG, type PendingPlacements } from './pending-placements.ts';

/** How long the gateway waits for an answer; a later answer is still processed. */
const ANSWER_TIMEOUT: Millis = 5_000;
/** How long our orders may take to disappear once placing has stopped. */
const CANCEL_TIMEOUT: Millis = 20_000;

export interface GatewayOptions {
  readonly account: AccountId;
  readonly client: LocalClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly listed: readonly ListedMarket[];
  readonly placed: PendingPlacements;
  /** Writes actions ahead of requesting them. */
  readonly writeAhead: WriteAhead;
  /** The polled events of the account. */
  readonly seen: Observable<AccountEvent>;
  /** Emits when the gateway closes, so that all its streams end. */
  readonly closing: Subject<void>;
}

/** If the process ignores a flag, the gateway stops placing and cancels every resting order; then its events end with a UserError. */
export class LocalGateway implements Gateway {
  readonly account: AccountId;
  readonly events: Observable<AccountEvent>;
  readonly #options: GatewayOptions;
  readonly #sender: Sender;
  readonly #flags = new FlagVerifier();
  /** The number of actions without an answer. */
  #pendingActions = 0;
  /** When the last answer came. */
  #answeredAt: Millis = 0;
  /** Why placing has stopped. */
  #fault: UserError | undefined;
  /** Orders that were cancelled because of the fault. */
  readonly #cancelled = new Set<OrderId>();

  constructor(options: GatewayOptions) {
    const { clock, closing } = options;
    this.#options = options;
    this.#sender = new Sender({ clock, closing, answerTimeoutMs: ANSWER_TIMEOUT });
    this.account = options.account;
    const seen = options.seen.pipe(tap((event) => this.#stopFor(this.#flags.seen(event))));
    this.events = this.#sender.events(seen);
  }

  submit(actions: readonly Action[]): void {
    this.#sender.requireOpen();
    const isAllOrNone = actions.some((action) => action.kind === 'place' && action.fillMode === 'FILL_OR_KILL');
    assert(!isAllOrNone, 'the local process has no fill-or-kill orders');
    this.#pendingActions += actions.length;
    const asked = this.#options.clock.now();
    const conditions = {
      asked,
      permit: this.#options.writeAhead(actions.map(({ kind, clientOrderId }) => ({ action: kind, clientOrderId }))),
    };
    const answered = (): void => {
      this.#pendingActions--;
      this.#answeredAt = this.#options.clock.now();
    };
    const deliver = (action: Action): Promise<void> => (action.kind === 'cancel' ? this.#cancel(action) : this.#place(action, conditions));
    this.#sender.send(actions, { actionOf: (action) => action, deliver: (action) => deliver(action).then(answered) });
  }

  /** Stops sending and polling at once; answers that are still pending are dropped. */
  close(): Promise<void> {
    return this.#sender.close();
  }

  #cancel(action: CancelOrder): Promise<void> {
    const { client, clock } = this.#options;
    const { clientOrderId, orderId } = action;
    const answered = client.cancel(orderId).then(
      () => this.#sender.report({ kind: 'cancelAnswered', at: clock.now(), clientOrderId, outcome: 'queued' }),
      (error: unknown) => this.#sender.report(cancelFailed(action, error, clock.now())),
    );
    return this.#sender.waitForAnswer(answered, () =>
      this.#sender.report(cancelUnanswered(action, { at: clock.now(), waited: ANSWER_TIMEOUT })),
    );
  }

  async #place(action: PlaceOrder, conditions: SendConditions): Promise<void> {
    const { client, clock, placed } = this.#options;
    await Promise.resolve(); // nothing is emitted before `submit` has returned
    const reason = this.#fault?.message ?? this.#sender.whyNotSend(action, conditions, clock.now());
    if (reason !== undefined) return this.#sender.report(notSent(action, { at: clock.now(), reason }));
    const sent = clock.now();
    placed.sent(action, sent);
    this.#flags.sent(action, sent);
    const answered = client.place(newOrderOf(action, this.#listed(action.market))).then(
      (echo) => this.#answer(action, { echo, sent }),
      (error: unknown) => this.#failed(placeFailed(action, error, { at: clock.now(), sent })),
    );
    await this.#sender.waitForAnswer(answered, () =>
      this.#sender.report(...placed.answered(placeUnanswered(action, { at: clock.now(), sent, waited: ANSWER_TIMEOUT }))),
    );
  }

  #answer(action: PlaceOrder, { echo, sent }: { echo: OrderEcho; sent: Millis }): void {
    const { client, clock, placed } = this.#options;
    const at = clock.now();
    const mismatch = echoMismatch(action, echo, this.#listed(action.market));
    if (mismatch !== undefined) {
      client.reset(mismatch);
      return this.#failed(placeFailed(action, new LocalError({ kind: 'noReply', message: mismatch }), { at, sent }));
    }
    this.#stopFor(this.#flags.answered(action, echo, at));
    const closed = closedEvent(action, { echo, market: this.#listed(action.market).market, at });
    this.#sender.report(...(closed === undefined ? placed.accepted(action.clientOrderId, at) : placed.answered(closed)));
  }

  #failed(failed: OrderRejected | OrderUnknown): void {
    if (failed.kind === 'orderRejected') this.#flags.refused(failed.clientOrderId);
    this.#sender.report(...this.#options.placed.answered(failed));
  }

  /** Ends the events once two account snapshots, requested far enough apart, list none of our orders, and all fills until then were reported. */
  #stopFor(fault: UserError | undefined): void {
    if (fault === undefined || this.#fault !== undefined) return;
    const { clock, log, closing } = this.#options;
    this.#fault = fault;
    log.warn(fault.message);
    this.#sender.report({ kind: 'healthSeen', at: clock.now(), stream: 'session', healthy: false, reason: fault.message });
    let lackedSince: Millis | undefined;
    let goneAt: Millis | undefined;
    const gone = this.events.pipe(
      filter((event) => {
        if (event.kind === 'accountSeen') {
          if (this.#cancelOurs(event)) {
            lackedSince = undefined;
            goneAt = undefined;
          } else if (lackedSince === undefined) lackedSince = event.asked;
          else if (event.asked >= lackedSince + LISTING_LAG) goneAt ??= event.at;
        }
        return event.kind === 'fillsSeen' && goneAt !== undefined && event.asked >= goneAt;
      }),
    );
    race(gone, timer(CANCEL_TIMEOUT, schedulerFrom(clock)))
      .pipe(take(1), takeUntil(closing))
      .subscribe({ next: () => this.#sender.fail(fault), error: () => undefined }); // the events have already reported any error
  }

  /** Cancels each of our listed orders once. Returns true while the account lists any, or is too early to show the result of a pending action. */
  #cancelOurs({ account, asked }: AccountSeen): boolean {
    const ours = this.#flags.ours(account);
    const fresh = ours.filter(({ orderId }) => !this.#cancelled.has(orderId));
    for (const { orderId } of fresh) this.#cancelled.add(orderId);
    this.submit(fresh.map(({ orderId, market, clientOrderId = '' }) => ({ kind: 'cancel', clientOrderId, market, orderId })));
    return ours.length > 0 || this.#pendingActions > 0 || asked < this.#answeredAt;
  }

  #listed(id: MarketId): ListedMarket {
    const listed = this.#options.listed.find(({ market }) => market.id === id);
    assert(listed !== undefined, `market ${id} is not one of this run's`);
    return listed;
  }
}
