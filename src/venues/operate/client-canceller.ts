// The canceller of every exchange: cancels the orders of an account with the requests of the exchange's client.

import type { Clock, Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import type { Transport } from '../../base/transport/transport.ts';
import type { Market } from '../../bot/domain/market.ts';
import { type OwnCount, OwnCounts } from '../../bot/exchange/kit/streams/own-counts.ts';
import type { VenueClient, VenueListing } from '../../bot/exchange/kit/venue-client.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';
import type { AccountCanceller, Resting } from './cancel-all.ts';

/** The requests of a canceller. Each call makes one attempt. */
export interface CancelCalls {
  /** Seconds after which an order that was sent can no longer execute. */
  readonly orderLife: number;
  /** Returns the exchange's time in whole seconds; absent if it reports none. */
  seconds?(): Promise<number>;
  /** Returns the resting orders of the account, in every market. */
  resting(): Promise<readonly Resting[]>;
  /** Returns what the account counts of its orders; called if none was listed. Absent if it counts none. */
  counts?(): Promise<readonly OwnCount[]>;
  /**
   * Cancels an order. A ClientError `notFound` or `refused` says that it was not cancelled now; after any other error, and any other kind of it, the
   * outcome is unknown.
   */
  cancel(order: Resting): Promise<unknown>;
  /** Ends what cancels have opened, such as a session. */
  close?(): void;
}

export interface ClientCancellerOptions {
  readonly calls: CancelCalls;
  readonly clock: Clock;
  readonly log: AdapterLog;
  /** Closed with the canceller. */
  readonly transport: Transport;
}

/** An account that contradicts itself in the same way for this long is assumed to be counted in another way than ours. */
const SAME_COUNTS_FOR: Millis = 30_000;

export class ClientCanceller implements AccountCanceller {
  readonly longestLife: number;
  readonly #options: ClientCancellerOptions;
  readonly #counts: OwnCounts;

  constructor(options: ClientCancellerOptions) {
    this.#options = options;
    this.#counts = new OwnCounts({ ...options, sameForMs: SAME_COUNTS_FOR });
    this.longestLife = options.calls.orderLife;
  }

  /** Returns the exchange's time, or ours if it reports none. */
  seconds(): Promise<number> {
    const { calls, clock } = this.#options;
    return calls.seconds?.() ?? Promise.resolve(Math.floor(clock.now() / 1_000));
  }

  /** Rejects if an account without orders counts some. */
  async resting(): Promise<readonly Resting[]> {
    const { calls } = this.#options;
    const orders = await calls.resting();
    if (orders.length === 0 && calls.counts !== undefined) this.#counts.requireAtStart(await calls.counts());
    return orders;
  }

  /** True if the exchange confirms the cancel, or has accepted it for later. Only the next read of the account proves it. */
  async cancel(order: Resting): Promise<boolean> {
    try {
      await this.#options.calls.cancel(order);
      return true;
    } catch (error) {
      if (error instanceof ClientError && (error.kind === 'notFound' || error.kind === 'refused')) return false;
      throw error;
    }
  }

  close(): Promise<void> {
    this.#options.calls.close?.();
    return this.#options.transport.close();
  }
}

/** Returns the requests of an exchange whose client needs no preparation to cancel. */
export function cancelCallsOf(client: VenueClient): CancelCalls {
  let listing: Promise<VenueListing> | undefined;
  let counts: readonly OwnCount[] = [];
  /** Reads the listing once, and again after a failure. */
  const listed = async (): Promise<readonly Market[]> => {
    listing ??= client.listing().catch((error: unknown) => {
      listing = undefined;
      throw error;
    });
    return (await listing).markets;
  };
  return {
    orderLife: client.rules.orderLife,
    ...(client.clock !== undefined && { seconds: () => client.clock!.read() }),
    async resting() {
      const markets = await listed();
      const account = await client.account(markets);
      counts = account.counts ?? [];
      const symbols = new Map(markets.map(({ id, symbol }) => [id, symbol]));
      return account.orders.map(({ orderId, clientOrderId, market }) => ({ orderId, clientOrderId, market: symbols.get(market) }));
    },
    counts: () => Promise.resolve(counts),
    async cancel(order) {
      const market = (await listed()).find(({ symbol }) => symbol === order.market);
      if (market === undefined) throw new Error(`the exchange lists no market ${order.market}`);
      await sendCancel(client, order, market);
    },
  };
}

/** Prepares a cancel and sends it; without `market`, by a client that needs none. */
export async function sendCancel(
  client: Pick<VenueClient, 'prepare'>,
  { orderId, clientOrderId = orderId }: Resting,
  market?: Market,
): Promise<void> {
  const marketOf = (): Market => {
    assert(market !== undefined, 'the cancel needs no market');
    return market;
  };
  const cancel = { kind: 'cancel', orderId, clientOrderId, market: market?.id ?? 0 } as const;
  const [prepared] = client.prepare([cancel], { latestSecond: 0, marketOf }); // the second matters only for orders
  if (prepared?.kind !== 'ready') throw new Error(`a cancel cannot be sent: ${prepared?.reason}`);
  await prepared.send();
}
