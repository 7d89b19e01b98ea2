// Connects to a real exchange over its hosted API, with the user's key and the chosen schema. Checks both first, before anything is traded.
// Files: `public-client.ts` and `client.ts` are its clients for the kit, `placing.ts` sends actions with what `signing-context.ts` makes,
// `action-result.ts` and `echo.ts` read the replies, `session/` opens and renews the session and signs, `account-snapshot.ts` and `snapshots.ts` convert the answers.
// The HTTP requests are in `src/venues/client/hosted.ts`.
import { messageOf, UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import type { Key } from '../../base/keys/key.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import { PROGRAM } from '../../base/package.ts';
import { dialAt } from '../../base/transport/socket.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { toBase58 } from '../../base/wire/ed25519.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { type ConnectOptions, connectVenue } from '../../bot/exchange/kit/connect.ts';
import { connectPublicFeed, type FeedOptions, retriesFor } from '../../bot/exchange/kit/connect-feed.ts';
import type { Retry } from '../../bot/exchange/kit/start-retries.ts';
import type { PublicFeed, Venue } from '../../bot/exchange/port.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import { admitOption, inheritedOptions, type OpenVenue, type VenueOptions } from '../../bot/run/core/venue.ts';
import { type HostedClient, hostedClient } from '../client/hosted.ts';
import { openOverTransport } from '../kind/over-transport.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../wire/schema/schema.ts';
import { comparedWithPublished, requireApproved } from './approvals.ts';
import { type HostedVenueOptions, hostedVenueClient } from './client.ts';
import { hostedPublicClient } from './public-client.ts';
import { HOSTED_EXCHANGE } from './rules.ts';
import { EngineTime } from './session/engine-time.ts';

export interface HostedOptions extends VenueOptions {
  readonly url: string;
  readonly wallet: Key;
  readonly accountId?: AccountId | undefined;
  /** `bundled`, `remote`, or a file. */
  readonly schema: string;
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

/** Session lifetime to request if the key is not available for a renewal; the exchange may shorten it. */
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
        ...admitOption(options, hostedAccountHolder(options)),
        sessionSeconds: options.wallet.renewable ? undefined : LONG_SESSION_SECONDS,
        transport,
        schema,
        retry,
        dialStreams: options.streams ? dialAt(options.url) : undefined,
      });
    });
  } finally {
    options.wallet.forget();
  }
}

/**
 * Returns the schema to sign with. `remote` must have been approved. Any other is refused if the exchange publishes one in which a field that may be
 * written has another number or type, is missing, or has its number used for another field: it would read different orders. Reduce-only is left out if
 * it is missing there. A published text that cannot be read is a failed attempt; without any published schema nothing is compared.
 */
export async function schemaFor(
  { schema, url, log }: Pick<HostedOptions, 'schema' | 'url' | 'log'>,
  { client, retry }: { client: HostedClient; retry: Retry },
): Promise<ActionSchema> {
  if (schema === 'remote') {
    const text = await retry(() => client.schemaText());
    requireApproved({ url, text });
    return loadSchema(text);
  }
  const chosen = schema === 'bundled' ? bundledSchema() : loadSchema(readSchema(schema));
  const comparison = await retry(() => comparedWithPublished(chosen, client));
  if (comparison === undefined) {
    log.warn(`the exchange publishes no action schema to compare with: --schema ${schema} is used as it is`);
    return chosen;
  }
  const { conflicts, omitted, others, agreed } = comparison;
  if (conflicts.length > 0) throw conflicting({ url, schema }, conflicts);
  if (omitted.length > 0) log.warn(`the action schema of the exchange lacks a field; orders are sent without it: ${omitted.join('; ')}`);
  if (others.length > 0) log.warn(`the exchange publishes another action schema than --schema ${schema}: ${others.join('; ')}`);
  return agreed;
}

const conflicting = ({ url, schema }: Pick<HostedOptions, 'url' | 'schema'>, conflicts: readonly string[]): UserError =>
  new UserError({
    code: 'schema',
    message: `the exchange uses another action schema than ${schema === 'bundled' ? 'the bundled one' : schema}; nothing was sent. Differences: ${conflicts.join('; ')}`,
    hint: `compare and approve it (${PROGRAM} schema approve --url ${url}), then trade with --schema remote; or give a schema with the exchange's numbers with --schema FILE`,
  });

function readSchema(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new UserError({
      code: 'schema',
      message: `the schema ${file} cannot be read: ${messageOf(error)}`,
      hint: '--schema takes bundled, remote, or a .proto file',
    });
  }
}
