// Connects to a real exchange through the signing process on the user's machine, which holds the key; only its address is needed.
import type { Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { type ConnectOptions, connectVenue } from '../../bot/exchange/kit/connect.ts';
import { connectPublicFeed, type FeedOptions } from '../../bot/exchange/kit/connect-feed.ts';
import type { PublicFeed, Venue } from '../../bot/exchange/port.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import type { OpenVenue, VenueOptions } from '../../bot/run/core/venue.ts';
import { type LocalClientOptions, localClient } from '../client/local/client.ts';
import type { ClientCode } from '../kind/client-kind.ts';
import { openClient } from '../kind/over-transport.ts';
import { countsOf } from './account-snapshot.ts';
import { localVenueClient } from './client.ts';
import { type LocalVenueOptions, localMarkets } from './public-client.ts';
import { LOCAL_PROCESS } from './rules.ts';

/** How long a connection waits for the answer to an order, also after the gateway's timeout: the process awaits the transaction. */
const WRITE_TIMEOUT: Millis = 30_000;

interface LocalOptions extends Pick<LocalClientOptions, 'flagsAs'>, Partial<Pick<LocalVenueOptions, 'decimals'>> {
  readonly transport: Transport;
}

/** `markets`: names of the markets to trade, as the process or as the hosted API spells them. */
export interface LocalConnectOptions extends ConnectOptions, LocalOptions {}

/** A restart needs only the same account number, because the address may change with the port. */
export const localAccountHolder = (url: string): AccountHolder => ({ exchange: 'local', url: new URL(url).origin, identity: 'account' });

/** `url` is scheme, host and port. Rejects with a UserError if the address or a market is wrong, or if no such process answers. */
export const openLocal = (options: VenueOptions & Omit<LocalOptions, 'transport'> & { readonly url: string }): Promise<OpenVenue> =>
  openClient(options, {
    holder: localAccountHolder(options.url),
    clientOver: (transport) => localVenueClient(toolsFor({ ...options, transport })),
  });

/** Connects as `connectVenue` does. */
export const connectLocal = (options: LocalConnectOptions): Promise<Venue> => connectVenue(localVenueClient(toolsFor(options)), options);

/** Connects to the public data. Sends only GET requests. */
export const connectLocalFeed = (options: FeedOptions & LocalOptions): Promise<PublicFeed> =>
  connectPublicFeed(localMarkets(toolsFor(options)).data, options);

function toolsFor({ transport, flagsAs, decimals = {}, markets: symbols, ...tools }: FeedOptions & LocalOptions): LocalVenueOptions {
  return { ...tools, client: localClient({ transport, flagsAs, timeouts: { writeMs: WRITE_TIMEOUT } }), symbols, decimals };
}

/** Cancelling and checking need no markets, so they use the process's own calls. */
export const LOCAL_CODE: ClientCode<never> = {
  holder: localAccountHolder,
  open: (options) => openLocal({ ...options, ...options.config.local }),
  feed: connectLocalFeed,
  cancelCalls({ transport }) {
    const client = localClient({ transport });
    return {
      orderLife: LOCAL_PROCESS.rules.orderLife,
      resting: async () => (await client.openOrders()).map(({ id, clientId }) => ({ orderId: id, clientOrderId: clientId })),
      counts: async () => countsOf({ positions: await client.positions(), orders: [] }),
      cancel: ({ orderId }) => client.cancel(orderId),
    };
  },
  checkCalls({ transport }) {
    const client = localClient({ transport });
    return {
      hintFor: LOCAL_PROCESS.hintFor,
      read: () => client.account(),
      account: async () => `the local process signs for the account ${(await client.account()).username}`,
    };
  },
};
