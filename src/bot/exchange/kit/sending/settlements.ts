// Asks the exchange about orders without an answer: whether each was admitted, or can never be. An exchange without such a request is not asked.
import { type Clock, type Millis, SingleTimer } from '../../../../base/clock.ts';
import { orElse } from '../../../../base/transport/client-error.ts';
import type { PlaceOrder } from '../../../domain/action.ts';
import type { ClientOrderId } from '../../../domain/ids.ts';
import type { VenueClient } from '../venue-client.ts';

const FIRST_PAUSE: Millis = 500;
const LONGEST_PAUSE: Millis = 8_000;

export interface SettlementsOptions {
  readonly clock: Clock;
  readonly settle: NonNullable<VenueClient['settle']>;
  /** Called if the exchange has said that the order was never admitted and never can be. */
  readonly absent: (order: PlaceOrder) => void;
  /** Called with an error that is a bug. */
  readonly fail: (error: unknown) => void;
}

export class Settlements {
  readonly #options: SettlementsOptions;
  readonly #timers = new Map<ClientOrderId, SingleTimer>();

  constructor(options: SettlementsOptions) {
    this.#options = options;
  }

  /** Asks about the order until the answer is definite, `end` is called, or `life` has passed. After that, other evidence proves what became of it. */
  begin(order: PlaceOrder, life: Millis): void {
    const { clock } = this.#options;
    if (this.#timers.has(order.clientOrderId)) return;
    this.#timers.set(order.clientOrderId, new SingleTimer(clock));
    void this.#ask(order, { until: clock.now() + life, pause: FIRST_PAUSE });
  }

  end(clientOrderId: ClientOrderId): void {
    this.#timers.get(clientOrderId)?.cancel();
    this.#timers.delete(clientOrderId);
  }

  close(): void {
    for (const id of this.#timers.keys()) this.end(id);
  }

  async #ask(order: PlaceOrder, { until, pause }: { until: Millis; pause: Millis }): Promise<void> {
    const { clock, settle, absent, fail } = this.#options;
    const timer = this.#timers.get(order.clientOrderId);
    try {
      const answer = await orElse(settle(order), 'unknown' as const);
      if (timer === undefined || this.#timers.get(order.clientOrderId) !== timer) return; // answered by other means
      if (answer === 'absent') absent(order);
      if (answer !== 'unknown' || clock.now() + pause >= until) return this.end(order.clientOrderId);
      timer.set(pause, () => void this.#ask(order, { until, pause: Math.min(LONGEST_PAUSE, pause * 2) }));
    } catch (error) {
      fail(error);
    }
  }
}
