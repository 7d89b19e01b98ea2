// Cancels the orders of the account of a local signing process with plain requests; the process holds the key.
import type { Clock } from '../../../base/clock.ts';
import type { Transport } from '../../../base/transport.ts';
import { type LocalClient, LocalError, localClient } from '../../../exchange/local/client/client.ts';
import { deadAfter } from '../../../exchange/local/orders/pending-placements.ts';
import type { AccountCanceller, Resting } from '../../operate/cancel-all.ts';

export class LocalCanceller implements AccountCanceller {
  readonly longestLife = deadAfter(0);
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #client: LocalClient;

  constructor({ clock, transport }: { clock: Clock; transport: Transport }) {
    this.#clock = clock;
    this.#transport = transport;
    this.#client = localClient({ transport });
  }

  /** Returns our own time in whole seconds, because the process does not report the exchange's. */
  seconds(): Promise<number> {
    return Promise.resolve(Math.floor(this.#clock.now() / 1_000));
  }

  async resting(): Promise<readonly Resting[]> {
    const orders = await this.#client.openOrders();
    return orders.map(({ id, clientId }) => ({ orderId: id, clientOrderId: clientId }));
  }

  /** True if the process confirms the cancel. This is no proof; only a later read of the account is. */
  async cancel({ orderId }: Resting): Promise<boolean> {
    try {
      await this.#client.cancel(orderId);
      return true;
    } catch (error) {
      if (error instanceof LocalError && (error.kind === 'notFound' || error.kind === 'refused')) return false;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
