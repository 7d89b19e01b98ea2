// Connects to the hosted exchange and makes a venue from an address and a wallet. Checks both first, before anything is traded.
// Files: `public-client.ts` and `client.ts` are its clients for the kit, `signed-actions.ts` sends actions, `action-result.ts` and `echo.ts` read
// the replies, `requests/` makes the HTTP requests, `session/` opens and renews the session and signs, `account/` and `market/` convert the answers.
import type { Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import { connectVenue, type VenueOptions } from '../../exchange/kit/connect.ts';
import { connectPublicFeed, type FeedOptions } from '../../exchange/kit/connect-feed.ts';
import { NO_WRITE_AHEAD } from '../../exchange/kit/sending/outgoing.ts';
import { DateHeaders } from '../../exchange/kit/streams/date-headers.ts';
import type { PublicFeed, Venue } from '../../exchange/port.ts';
import { type HostedVenueOptions, hostedVenueClient } from './client.ts';
import { hostedPublicClient } from './public-client.ts';
import { hostedClient } from './requests/client.ts';
import { EngineTime } from './session/engine-time.ts';

/** How long a connection waits for the answer to an action, also after the gateway's timeout. */
const ACTION_TIMEOUT: Millis = 30_000;

export interface ConnectOptions
  extends VenueOptions,
    Pick<FeedOptions, 'start' | 'retry'>,
    Omit<HostedVenueOptions, 'client' | 'dates' | 'clock' | 'rng' | 'log' | 'writeAhead'> {
  readonly transport: Transport;
}

/** Connects as `connectVenue` does. Also rejects with a UserError if the key or the account is wrong. */
export function connectHosted(options: ConnectOptions): Promise<Venue> {
  const { transport, writeAhead = NO_WRITE_AHEAD } = options;
  const dates = new DateHeaders(options.clock);
  const client = hostedClient({ transport: dates.over(transport), timeouts: { actionMs: ACTION_TIMEOUT } });
  return connectVenue(hostedVenueClient({ ...options, client, dates, writeAhead }), options);
}

/** Connects to the public data: no wallet, no session, no account. */
export function connectHostedFeed({ transport, ...options }: FeedOptions & { readonly transport: Transport }): Promise<PublicFeed> {
  const client = hostedClient({ transport });
  return connectPublicFeed(hostedPublicClient({ client, clock: options.clock, time: new EngineTime() }), options);
}
