// Opens the third exchange as a venue, from a URL and a key.
import { connectVenue } from '../../../src/exchange/kit/connect.ts';
import { socketTo } from '../../../src/exchange/transport/socket.ts';
import type { AccountHolder } from '../../../src/run/core/start-check.ts';
import { admission, inheritedWithoutSession, type OpenVenue, type VenueOptions } from '../../../src/run/core/venue.ts';
import { openOverTransport } from '../../../src/run/venues/over-transport.ts';
import { thirdClient } from './client.ts';
import type { ThirdKey } from './requests.ts';

export const thirdAccountHolder = (url: string): AccountHolder => ({ exchange: 'third', url: new URL(url).origin });

export async function openThird(options: VenueOptions & { readonly url: string; readonly key: ThirdKey }): Promise<OpenVenue> {
  const { url, key } = options;
  return openOverTransport(url, (transport) => {
    const client = thirdClient({ transport, clock: options.clock, dial: socketTo({ origin: url, path: '/v1/stream' }), key });
    return connectVenue(client, { ...options, ...inheritedWithoutSession(options), ...admission(options, thirdAccountHolder(url)) });
  });
}
