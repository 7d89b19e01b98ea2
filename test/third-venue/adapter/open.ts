// From an address and a key to a venue that a run can trade at.
import { connectVenue } from '../../../src/exchange/kit/connect.ts';
import { httpTransport } from '../../../src/exchange/transport/http.ts';
import { socketTo } from '../../../src/exchange/transport/socket.ts';
import { admission, type OpenVenue, resumed, type VenueOptions } from '../../../src/run/core/venue.ts';
import { thirdClient } from './client.ts';

export async function openThird(options: VenueOptions & { readonly url: string; readonly key: string }): Promise<OpenVenue> {
  const { url, key } = options;
  const transport = httpTransport({ origin: url, connections: 16 });
  try {
    const client = thirdClient({ transport, dial: socketTo({ origin: url, path: '/v1/stream' }), key });
    const venue = await connectVenue(client, { ...options, ...resumed(options), ...admission(options, { exchange: 'third', url }) });
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
