// Opens a venue over its own HTTP connections, and closes them with the venue or if opening fails.

import { httpTransport } from '../../base/transport/http.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { connectVenue } from '../../bot/exchange/kit/connect.ts';
import type { VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import type { Venue } from '../../bot/exchange/port.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import { inheritedOptionsWithoutSession, type OpenVenue, startCheckOption, type VenueOptions } from '../../bot/run/core/venue.ts';

const CONNECTIONS = 16;

/** `origin` is scheme, host and port. Rejects with the error of `connect`, or with a UserError if the origin is wrong. */
export async function openOverTransport(origin: string, connect: (transport: Transport) => Promise<Venue>): Promise<OpenVenue> {
  const transport = httpTransport({ origin, connections: CONNECTIONS });
  try {
    const venue = await connect(transport);
    return {
      venue,
      close: async () => {
        await venue.gateway.close();
        await transport.close();
      },
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

export interface ClientOverTransport {
  readonly holder: AccountHolder;
  readonly clientOver: (transport: Transport) => VenueClient;
}

/** Opens the venue of a client that needs no session. Rejects as `openOverTransport` and `connectVenue` do. */
export const openClient = (
  options: VenueOptions & { readonly url: string },
  { holder, clientOver }: ClientOverTransport,
): Promise<OpenVenue> =>
  openOverTransport(options.url, (transport) =>
    connectVenue(clientOver(transport), { ...options, ...inheritedOptionsWithoutSession(options), ...startCheckOption(options, holder) }),
  );
