// Connects to the local signing process and makes a venue of it. Checks the process first, before anything is traded.
// Files: `venue-client.ts` is its client for the kit and says what is special about it, `client/` makes the HTTP requests.
import type { Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import { connectVenue, type ConnectOptions as KitOptions } from '../kit/connect.ts';
import { connectPublicFeed, type FeedOptions } from '../kit/connect-feed.ts';
import type { PublicFeed, Venue } from '../port.ts';
import { type LocalClientOptions, localClient } from './client/client.ts';
import type { ListingOptions } from './listing.ts';
import { type LocalVenueOptions, localMarkets } from './public-client.ts';
import { localVenueClient } from './venue-client.ts';

/** How long a connection waits for the answer to an order, also after the gateway's timeout: the process awaits the transaction. */
const WRITE_TIMEOUT: Millis = 30_000;

interface LocalOptions extends Pick<LocalClientOptions, 'flagsAs'> {
  readonly transport: Transport;
  /** Decimals by market name; used instead of those derived from the book. */
  readonly decimals?: ListingOptions['decimals'] | undefined;
}

/** `markets`: names of the markets to trade, as the process or as the hosted API spells them. */
export interface ConnectOptions extends KitOptions, LocalOptions {}

/** Connects as `connectVenue` does. */
export const connectLocal = (options: ConnectOptions): Promise<Venue> => connectVenue(localVenueClient(toolsFor(options)), options);

/** Connects to the public data. Sends only GET requests. */
export const connectLocalFeed = (options: FeedOptions & LocalOptions): Promise<PublicFeed> =>
  connectPublicFeed(localMarkets(toolsFor(options)).data, options);

function toolsFor({ transport, flagsAs, decimals = {}, markets: symbols, ...tools }: FeedOptions & LocalOptions): LocalVenueOptions {
  return { ...tools, client: localClient({ transport, flagsAs, timeouts: { writeMs: WRITE_TIMEOUT } }), symbols, decimals };
}
