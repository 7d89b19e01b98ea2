// Stops a run whose exchange did what was not approved: our orders are cancelled, then the events of the gateway end with the error.
import { filter, type Observable, race, type Subject, take, takeUntil, timer } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { schedulerFrom } from '../../../../base/streams/scheduler.ts';
import type { CancelOrder } from '../../../domain/action.ts';
import type { AccountEvent, AccountSeen } from '../../../domain/event.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { AdapterLog } from '../../port.ts';
import type { VenueFault } from '../venue-client.ts';
import type { Sender } from './sender.ts';

/** How long our orders may take to disappear once placing has stopped. */
const CANCEL_TIMEOUT: Millis = 20_000;

export interface FaultStopOptions {
  readonly clock: Clock;
  readonly log: AdapterLog;
  readonly sender: Sender;
  readonly closing: Subject<void>;
  /** The events of the gateway. */
  readonly events: () => Observable<AccountEvent>;
  /** Maximum delay of a list behind execution. */
  readonly listingLagMs: Millis;
  readonly cancel: (orders: readonly CancelOrder[]) => void;
}

export class FaultStop {
  readonly #options: FaultStopOptions;
  readonly #cancelled = new Set<OrderId>();
  #fault: VenueFault | undefined;

  constructor(options: FaultStopOptions) {
    this.#options = options;
  }

  /** Why nothing more is placed; undefined while there was no fault. */
  get reason(): string | undefined {
    return this.#fault?.error.message;
  }

  /**
   * Ends the events once two accounts, requested far enough apart, list none of our orders, and all fills until then were reported. Later faults
   * change nothing.
   */
  begin(fault: VenueFault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    const { clock, log, sender, closing, events, listingLagMs } = this.#options;
    const { error } = fault;
    log.warn(error.message);
    sender.report({ kind: 'healthSeen', at: clock.now(), stream: 'session', healthy: false, reason: error.message });
    let lackedSince: Millis | undefined;
    let goneAt: Millis | undefined;
    const gone = events().pipe(
      filter((event) => {
        if (event.kind === 'accountSeen') {
          if (this.#cancelOurs(event, fault)) {
            lackedSince = undefined;
            goneAt = undefined;
          } else if (lackedSince === undefined) lackedSince = event.asked;
          else if (event.asked >= lackedSince + listingLagMs) goneAt ??= event.at;
        }
        return event.kind === 'fillsSeen' && goneAt !== undefined && event.asked >= goneAt;
      }),
    );
    race(gone, timer(CANCEL_TIMEOUT, schedulerFrom(clock)))
      .pipe(take(1), takeUntil(closing))
      .subscribe({ next: () => sender.fail(error), error: () => undefined }); // the events have already reported any error
  }

  /** Cancels each of our listed orders once. Returns true while the account lists any, or is too early to show the result of a pending action. */
  #cancelOurs({ account, asked }: AccountSeen, { ours }: VenueFault): boolean {
    const { sender, cancel } = this.#options;
    const listed = ours(account);
    const fresh = listed.filter(({ orderId }) => !this.#cancelled.has(orderId));
    for (const { orderId } of fresh) this.#cancelled.add(orderId);
    cancel(fresh.map(({ orderId, market, clientOrderId = '' }) => ({ kind: 'cancel', clientOrderId, market, orderId })));
    return listed.length > 0 || !sender.isSettledAt(asked);
  }
}
