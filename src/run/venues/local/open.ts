// Connects to a real exchange through the signing process on the user's machine, which holds the key; only its address is needed.
import { type ConnectOptions, connectLocal } from '../../../exchange/local/connect.ts';
import { admission, inheritedWithoutSession, type OpenVenue, type VenueOptions } from '../../core/venue.ts';
import { openOverTransport } from '../over-transport.ts';
import { localAccountHolder } from './account-holder.ts';

/** `url` is scheme, host and port. Rejects with a UserError if the address or a market is wrong, or if no such process answers. */
export const openLocal = (
  options: VenueOptions & Pick<ConnectOptions, 'flagsAs' | 'decimals'> & { readonly url: string },
): Promise<OpenVenue> =>
  openOverTransport(options.url, (transport) =>
    connectLocal({
      ...options,
      ...inheritedWithoutSession(options),
      ...admission(options, localAccountHolder(options.url)),
      transport,
    }),
  );
