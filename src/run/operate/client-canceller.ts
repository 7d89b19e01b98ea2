// Cancels the orders of an account through its exchange's client, for exchanges without sessions.
import type { Clock } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import type { Market } from '../../domain/market.ts';
import { ClientError } from '../../exchange/kit/client-error.ts';
import type { Log } from '../../exchange/kit/log.ts';
import { COUNTS_OTHERWISE_AFTER, OwnCounts } from '../../exchange/kit/streams/own-counts.ts';
import type { VenueClient, VenueListing } from '../../exchange/kit/venue-client.ts';
import type { AccountCanceller, Resting } from './cancel-all.ts';

export interface ClientCancellerOptions {
  readonly client: VenueClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Closed with the canceller. */
  readonly transport: Transport;
}

export class ClientCanceller implements AccountCanceller {
  readonly longestLife: number;
  readonly #options: ClientCancellerOptions;
  readonly #counts: OwnCounts;
  #listing: Promise<VenueListing> | undefined;

  constructor(options: ClientCancellerOptions) {
    this.#options = options;
    this.#counts = new OwnCounts({ ...options, sameForMs: COUNTS_OTHERWISE_AFTER });
    this.longestLife = options.client.rules.orderLife;
  }

  /** Returns the exchange's time, or ours if it reports none. */
  seconds(): Promise<number> {
    const { client, clock } = this.#options;
    return client.clock?.read() ?? Promise.resolve(Math.floor(clock.now() / 1_000));
  }

  async resting(): Promise<readonly Resting[]> {
    const { markets } = await this.#listed();
    const { orders, counts } = await this.#options.client.account(markets);
    if (orders.length === 0 && counts !== undefined) this.#counts.requireAtStart(counts);
    const symbols = new Map(markets.map(({ id, symbol }) => [id, symbol]));
    return orders.map(({ orderId, clientOrderId, market }) => ({ orderId, clientOrderId, market: symbols.get(market) }));
  }

  /** True if the exchange confirms the cancel, or has accepted it for later. Only the next read of the account proves it. */
  async cancel({ orderId, clientOrderId = orderId, market: symbol }: Resting): Promise<boolean> {
    const market = await this.#market(symbol);
    const context = { latestSecond: 0, marketOf: () => market }; // the second matters only for orders
    const [prepared] = this.#options.client.prepare([{ kind: 'cancel', orderId, clientOrderId, market: market.id }], context);
    if (prepared?.kind !== 'ready') throw new Error(`a cancel cannot be sent: ${prepared?.reason}`);
    try {
      await prepared.send();
      return true;
    } catch (error) {
      if (error instanceof ClientError && (error.kind === 'notFound' || error.kind === 'refused')) return false;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#options.transport.close();
  }

  async #market(symbol: string | undefined): Promise<Market> {
    const { markets } = await this.#listed();
    const market = markets.find((one) => one.symbol === symbol);
    if (market === undefined) throw new Error(`the exchange lists no market ${symbol}`);
    return market;
  }

  /** Reads the listing once, and again after a failure. */
  #listed(): Promise<VenueListing> {
    this.#listing ??= this.#options.client.listing().catch((error: unknown) => {
      this.#listing = undefined;
      throw error;
    });
    return this.#listing;
  }
}
