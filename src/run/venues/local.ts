// Connects to a real exchange through the signing process on the user's machine, which holds the key; only its address is needed.
import { connectLocal, type FlagsAs, localStart } from '../../exchange/local/connect.ts';
import { admission, type OpenVenue, resumed, type VenueOptions } from '../core/venue.ts';
import { openOverTransport } from './over-transport.ts';

/** `url` is scheme, host and port. Rejects with a UserError if it or a market is wrong, or if no such process answers. */
export async function openLocal(
  options: VenueOptions & { readonly url: string; readonly flagsAs?: FlagsAs | undefined },
): Promise<OpenVenue> {
  const trader = { exchange: 'local', url: new URL(options.url).origin } as const;
  return openOverTransport(options.url, (transport) => {
    const retry = localStart({ ...options, ...options.start });
    return connectLocal({ ...options, ...resumed(options), ...admission(options, trader), transport, retry });
  });
}
