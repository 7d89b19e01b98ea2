// Connects to a real exchange through the signing process on the user's machine, which holds the key; only its address is needed.
import { connectLocal, type FlagsAs, localStart } from '../../../exchange/local/connect.ts';
import { connectLocalFeed } from '../../../exchange/local/market/connect-feed.ts';
import type { PublicFeed } from '../../../exchange/port.ts';
import { admission, inheritedWithoutSession, type OpenVenue, type VenueOptions } from '../../core/venue.ts';
import { openOverTransport } from '../over-transport.ts';
import type { FeedOptions } from '../venue-kind.ts';
import { localAccountHolder } from './account-holder.ts';

/** `url` is scheme, host and port. Rejects with a UserError if the address or a market is wrong, or if no such process answers. */
export async function openLocal(
  options: VenueOptions & { readonly url: string; readonly flagsAs?: FlagsAs | undefined },
): Promise<OpenVenue> {
  return openOverTransport(options.url, (transport) => {
    const retry = localStart({ ...options, ...options.start });
    return connectLocal({
      ...options,
      ...inheritedWithoutSession(options),
      ...admission(options, localAccountHolder(options.url)),
      transport,
      retry,
    });
  });
}

/** Opens the public data of a local process. Sends only GET requests. */
export const openLocalFeed = (options: FeedOptions): Promise<PublicFeed> =>
  connectLocalFeed({ ...options, retry: localStart({ ...options, ...options.start }) });
