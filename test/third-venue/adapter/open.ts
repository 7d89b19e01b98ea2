// Opens the third exchange as a venue, from a URL and a key.
import { socketTo } from '../../../src/exchange/transport/socket.ts';
import type { AccountHolder } from '../../../src/run/core/start-check.ts';
import type { OpenVenue, VenueOptions } from '../../../src/run/core/venue.ts';
import { openClient } from '../../../src/run/venues/over-transport.ts';
import { thirdClient } from './client.ts';
import type { ThirdKey } from './requests.ts';

export const thirdAccountHolder = (url: string): AccountHolder => ({ exchange: 'third', url: new URL(url).origin });

export const openThird = (options: VenueOptions & { readonly url: string; readonly key: ThirdKey }): Promise<OpenVenue> =>
  openClient(options, {
    holder: thirdAccountHolder(options.url),
    clientOver: (transport) => thirdClient({ ...options, transport, dial: socketTo({ origin: options.url, path: '/v1/stream' }) }),
  });
