// Connects to a real exchange through the signing process on the user's machine, which holds the key; only its address is needed.
import { connectLocal, type FlagsAs, localStart } from '../../exchange/local/connect.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import { admission, type OpenVenue, resumed, type VenueOptions } from '../core/venue.ts';

const CONNECTIONS = 16;

/** `url` is scheme, host and port. Rejects with a UserError if it or a market is wrong, or if no such process answers. */
export async function openLocal(
  options: VenueOptions & { readonly url: string; readonly flagsAs?: FlagsAs | undefined },
): Promise<OpenVenue> {
  const transport = httpTransport({ origin: options.url, connections: CONNECTIONS });
  const trader = { exchange: 'local', url: new URL(options.url).origin } as const;
  try {
    const retry = localStart({ ...options, ...options.start });
    const venue = await connectLocal({ ...options, ...resumed(options), ...admission(options, trader), transport, retry });
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
