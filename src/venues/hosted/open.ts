// Connects to a real exchange over its hosted API, with the user's key and the chosen schema. Checks both first, before anything is traded.
// Files: `public-client.ts` and `client.ts` are its clients for the kit, `placing.ts` sends actions with what `signing-context.ts` makes,
// `action-result.ts` reads the receipts, `session/` opens and renews the session, `account-snapshot.ts` and `snapshots.ts` convert the answers.
// The HTTP requests are in `src/venues/client/hosted.ts`, signed actions in `src/venues/client/hosted-actions.ts`.
import type { Key } from '../../base/keys/key.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import { dialAt } from '../../base/transport/socket.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { toBase58 } from '../../base/wire/ed25519.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { type ConnectOptions, connectVenue } from '../../bot/exchange/kit/connect.ts';
import { connectPublicFeed, type FeedOptions, retriesFor } from '../../bot/exchange/kit/connect-feed.ts';
import type { PublicFeed, Venue } from '../../bot/exchange/port.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import { inheritedOptions, type OpenVenue, startCheckOption, type VenueOptions } from '../../bot/run/core/venue.ts';
import { hostedClient } from '../client/hosted.ts';
import { openOverTransport } from '../kind/over-transport.ts';
import { type ChosenSchema, schemaFor } from '../published-schema/for-run.ts';
import { type HostedVenueOptions, hostedVenueClient } from './client.ts';
import { hostedPublicClient } from './public-client.ts';
import { HOSTED_EXCHANGE } from './rules.ts';
import { EngineTime } from './session/engine-time.ts';

export interface HostedOptions extends VenueOptions, Pick<ChosenSchema, 'url' | 'schema'> {
  readonly wallet: Key;
  readonly accountId?: AccountId | undefined;
  /** True if books and account changes also come from the exchange's websocket. */
  readonly streams?: boolean | undefined;
}

export interface HostedConnectOptions extends ConnectOptions, HostedVenueOptions {}

/** Connects as `connectVenue` does. Also rejects with a UserError if the key or the account is wrong. */
export const connectHosted = (options: HostedConnectOptions): Promise<Venue> => connectVenue(hostedVenueClient(options), options);

/** Connects to the public data: no wallet, no session, no account. */
export function connectHostedFeed({ transport, ...options }: FeedOptions & { readonly transport: Transport }): Promise<PublicFeed> {
  const tools = { client: hostedClient({ transport }), clock: options.clock };
  return connectPublicFeed(hostedPublicClient({ ...tools, time: new EngineTime(tools) }), options);
}

/** Requested for a key that cannot sign after `forget`: its session cannot be renewed. The exchange may shorten it. */
const LONG_SESSION_SECONDS = 30 * 86_400;

/** What identifies the account: the exchange's address and the user's public key. */
export const hostedAccountHolder = ({ url, wallet }: { readonly url: string; readonly wallet: Pick<Wallet, 'publicKey'> }) =>
  ({ exchange: 'hosted', url: new URL(url).origin, user: toBase58(wallet.publicKey) }) satisfies AccountHolder;

/** Rejects with a UserError if address, key, account, market or schema are wrong. */
export async function openHosted(options: HostedOptions): Promise<OpenVenue> {
  try {
    return await openOverTransport(options.url, async (transport) => {
      const retry = retriesFor(HOSTED_EXCHANGE, options);
      const schema = await schemaFor(options, { client: hostedClient({ transport }), retry });
      return connectHosted({
        ...options,
        ...inheritedOptions(options),
        ...startCheckOption(options, hostedAccountHolder(options)),
        sessionSeconds: options.wallet.renewable ? undefined : LONG_SESSION_SECONDS,
        transport,
        schema,
        retry,
        dialStreams: options.streams ? dialAt(options.url) : undefined,
      });
    });
  } finally {
    options.wallet.forget(); // erases a passphrase that was typed in; a renewable key can still sign, and any other has asked for a long session
  }
}
