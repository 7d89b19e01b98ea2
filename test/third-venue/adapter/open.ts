// Opens the third exchange as a venue, from a URL and a key, and for the commands that cancel, check or only read.
import { connectPublicFeed } from '../../../src/exchange/kit/connect-feed.ts';
import { socketTo } from '../../../src/exchange/transport/socket.ts';
import type { AccountHolder } from '../../../src/run/core/start-check.ts';
import type { OpenVenue, VenueOptions } from '../../../src/run/core/venue.ts';
import { cancelCallsOf } from '../../../src/run/operate/client-canceller.ts';
import { checkCallsOf } from '../../../src/run/operate/client-checks.ts';
import type { ClientCode } from '../../../src/run/venues/client-kind.ts';
import { openClient } from '../../../src/run/venues/over-transport.ts';
import { thirdClient } from './client.ts';
import type { ThirdKey } from './requests.ts';

export const thirdAccountHolder = (url: string): AccountHolder => ({ exchange: 'third', url: new URL(url).origin });

export const openThird = (options: VenueOptions & { readonly url: string; readonly key: ThirdKey | undefined }): Promise<OpenVenue> =>
  openClient(options, {
    holder: thirdAccountHolder(options.url),
    clientOver: (transport) => thirdClient({ ...options, transport, dial: socketTo({ origin: options.url, path: '/v1/stream' }) }),
  });

export const THIRD_CODE: ClientCode<ThirdKey> = {
  holder: thirdAccountHolder,
  open: openThird,
  feed: (options) => connectPublicFeed(thirdClient(options), options),
  cancelCalls: (options) => cancelCallsOf(thirdClient(options)),
  checkCalls: (options) => checkCallsOf(thirdClient(options), options.key !== undefined),
};
