// Our hand at the local process: each approved action is asked for once, and what becomes of it comes back as an event.
import { concat, from, ignoreElements, merge, mergeMap, type Observable, Subject, share, takeUntil } from 'rxjs';
import { assert } from '../../base/assert.ts';
import { type Clock, type Millis, sleep } from '../../base/clock.ts';
import { messageOf, type UserError } from '../../base/errors.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../domain/action.ts';
import type { AccountEvent } from '../../domain/event.ts';
import type { AccountId, MarketId } from '../../domain/ids.ts';
import type { OrderEcho } from '../../wire/local.ts';
import type { Log } from '../log.ts';
import type { Gateway } from '../port.ts';
import type { LocalClient } from './client.ts';
import type { Listed } from './listing.ts';
import { cancelFailed, cancelUnanswered, closed, newOrderOf, notSent, placeFailed, placeUnanswered, unheeded } from './outcome.ts';
import type { Placed } from './placed.ts';

/** After this an answer is no longer waited for; one that comes all the same is still listened to. */
const PATIENCE: Millis = 5_000;
const IN_FLIGHT = 8;

export interface GatewayOptions {
  readonly account: AccountId;
  readonly client: LocalClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly listed: readonly Listed[];
  readonly placed: Placed;
  /** What is seen of the account by looking. */
  readonly seen: Observable<AccountEvent>;
  /** Emits when the gateway closes, for all that works for it. */
  readonly closing: Subject<void>;
}

/** Its events end with a UserError when the process answers that it did not heed a flag; by then what it placed instead has been cancelled. */
export class LocalGateway implements Gateway {
  readonly account: AccountId;
  readonly events: Observable<AccountEvent>;
  readonly #options: GatewayOptions;
  readonly #answers = new Subject<AccountEvent>();
  readonly #placing = new Set<Promise<void>>();
  /** Why nothing is placed any more. */
  #fault: UserError | undefined;
  #closed = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.account = options.account;
    this.events = merge(this.#answers, options.seen).pipe(takeUntil(options.closing), share());
  }

  submit(actions: readonly Action[]): void {
    assert(!this.#closed, 'the gateway is closed');
    const cancels = actions.filter((action) => action.kind === 'cancel');
    const places = actions.filter((action) => action.kind === 'place');
    assert(!places.some(({ fillMode }) => fillMode === 'FILL_OR_KILL'), 'the local process has no fill-or-kill orders');
    concat(
      inParallel(cancels, (action) => this.#cancel(action)),
      inParallel(places, (action) => this.#place(action)),
    )
      .pipe(takeUntil(this.#options.closing))
      .subscribe({ error: (error: unknown) => this.#answers.error(error) });
  }

  /** Stops sending and looking, at once; an answer still under way is no longer heard. */
  close(): Promise<void> {
    this.#closed = true;
    this.#options.closing.next();
    return Promise.resolve();
  }

  #cancel(action: CancelOrder): Promise<void> {
    const { client, clock } = this.#options;
    const { clientOrderId, orderId } = action;
    const answered = client.cancel(orderId).then(
      () => this.#tell({ kind: 'cancelAnswered', at: clock.now(), clientOrderId, outcome: 'queued' }),
      (error: unknown) => this.#tell(cancelFailed(action, error, clock.now())),
    );
    return this.#patiently(answered, () => this.#tell(cancelUnanswered(action, { at: clock.now(), waited: PATIENCE })));
  }

  async #place(action: PlaceOrder): Promise<void> {
    const { client, clock, placed } = this.#options;
    await Promise.resolve(); // nothing is told before `submit` has returned
    if (this.#fault !== undefined) return this.#tell(notSent(action, { at: clock.now(), reason: this.#fault.message }));
    const sent = clock.now();
    placed.sent(action, sent);
    const answered = client.place(newOrderOf(action, this.#listed(action.market))).then(
      (echo) => this.#answer(action, echo),
      (error: unknown) => this.#tell(...placed.answered(placeFailed(action, error, { at: clock.now(), sent }))),
    );
    this.#placing.add(answered);
    const settled = (): void => void this.#placing.delete(answered);
    answered.then(settled, settled);
    await this.#patiently(answered, () =>
      this.#tell(...placed.answered(placeUnanswered(action, { at: clock.now(), sent, waited: PATIENCE }))),
    );
  }

  async #answer(action: PlaceOrder, echo: OrderEcho): Promise<void> {
    const { clock, placed } = this.#options;
    const fault = unheeded(action, echo);
    if (fault !== undefined && this.#fault === undefined) void this.#stopFor(fault);
    if (this.#fault !== undefined) return this.#withdraw(action);
    const at = clock.now();
    const ended = closed(action, { echo, market: this.#listed(action.market).market, at });
    this.#tell(...(ended === undefined ? placed.taken(action.clientOrderId, at) : placed.answered(ended)));
  }

  /** All that is on its way is waited for, so that it is withdrawn too. */
  async #stopFor(fault: UserError): Promise<void> {
    const { clock, log } = this.#options;
    this.#fault = fault;
    log.warn(fault.message);
    await Promise.race([Promise.allSettled(this.#placing), sleep(clock, PATIENCE)]);
    this.#answers.error(fault);
  }

  async #withdraw({ clientOrderId, market }: PlaceOrder): Promise<void> {
    const { client, log } = this.#options;
    try {
      await client.cancelByClientId({ clientId: clientOrderId, market: this.#listed(market).name });
    } catch (error) {
      log.warn(`the order of client id ${clientOrderId} could not be cancelled, and may rest at the exchange: ${messageOf(error)}`);
    }
  }

  /** Settles when the answer has been told, or is no longer waited for. One that comes after that is told nevertheless. */
  #patiently(answered: Promise<void>, giveUp: () => void): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const stopWaiting = clock.at(clock.now() + PATIENCE, () => {
        giveUp();
        resolve();
      });
      answered.then(
        () => {
          stopWaiting();
          resolve();
        },
        (error: unknown) => this.#answers.error(error),
      );
    });
  }

  #tell(...events: readonly AccountEvent[]): void {
    for (const event of events) this.#answers.next(event);
  }

  #listed(id: MarketId): Listed {
    const listed = this.#options.listed.find(({ market }) => market.id === id);
    assert(listed !== undefined, `market ${id} is not one of this run's`);
    return listed;
  }
}

const inParallel = <A>(actions: readonly A[], deliver: (action: A) => Promise<void>): Observable<never> =>
  from(actions).pipe(mergeMap(deliver, IN_FLIGHT), ignoreElements());
