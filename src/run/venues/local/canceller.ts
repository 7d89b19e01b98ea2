// Cancels the orders of the account of a local signing process with plain requests; the process holds the key.
import type { Clock } from '../../../base/clock.ts';
import type { Transport } from '../../../base/transport.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import { COUNTS_OTHERWISE_AFTER, OwnCounts } from '../../../exchange/kit/streams/own-counts.ts';
import { countsOf } from '../../../exchange/local/account-snapshot.ts';
import { type LocalClient, LocalError, localClient } from '../../../exchange/local/client/client.ts';
import { deadAfter } from '../../../exchange/local/pending-placements.ts';
import type { AccountCanceller, Resting } from '../../operate/cancel-all.ts';

export class LocalCanceller implements AccountCanceller {
  readonly longestLife = deadAfter(0);
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #client: LocalClient;
  readonly #counts: OwnCounts;

  constructor({ clock, transport, log }: { clock: Clock; transport: Transport; log: Log }) {
    this.#clock = clock;
    this.#transport = transport;
    this.#client = localClient({ transport });
    this.#counts = new OwnCounts({ clock, log, sameForMs: COUNTS_OTHERWISE_AFTER });
  }

  /** Returns our own time in whole seconds, because the process does not report the exchange's. */
  seconds(): Promise<number> {
    return Promise.resolve(Math.floor(this.#clock.now() / 1_000));
  }

  async resting(): Promise<readonly Resting[]> {
    const orders = await this.#client.openOrders();
    if (orders.length === 0) this.#counts.requireAtStart(countsOf({ positions: await this.#client.positions(), orders }));
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
