// A real exchange over its hosted API: the user's key, the schema that was agreed on, one connection pool.
import { readFileSync } from 'node:fs';
import { messageOf, UserError } from '../base/errors.ts';
import type { AccountId } from '../domain/ids.ts';
import { hostedClient } from '../exchange/hosted/client.ts';
import { connectHosted, hostedStart } from '../exchange/hosted/connect.ts';
import { httpTransport } from '../exchange/transport/http.ts';
import { type ActionSchema, bundledSchema, loadSchema, usedDifferences } from '../wire/schema.ts';
import { toBase58 } from '../wire/signing.ts';
import { requireApproved } from './approvals.ts';
import type { Key } from './keys/key.ts';
import type { Trader } from './start-check.ts';
import { admission, continued, type OpenVenue, type VenueOptions } from './venue.ts';

export interface HostedOptions extends VenueOptions {
  readonly url: string;
  readonly wallet: Key;
  readonly accountId?: AccountId | undefined;
  /** `bundled`, `remote`, or a file. */
  readonly schema: string;
}

const CONNECTIONS = 16;
/** Asked for where the key cannot be had again for the next one; the exchange may shorten it. */
const LONG_SESSION_SECONDS = 30 * 86_400;

/** Rejects with a UserError where address, key, account, market or schema are wrong. */
export async function openHosted(options: HostedOptions): Promise<OpenVenue> {
  const transport = httpTransport({ origin: options.url, connections: CONNECTIONS });
  try {
    const again = hostedStart({ ...options, ...options.start });
    const schema = await schemaFor(options, () => again(() => hostedClient({ transport }).schemaText()));
    const { renewable } = options.wallet;
    const long = renewable ? {} : { sessionSeconds: LONG_SESSION_SECONDS };
    const venue = await connectHosted({
      ...options,
      ...continued(options),
      ...admission(options, traderOf(options)),
      ...long,
      transport,
      schema,
      again,
    });
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
  } finally {
    options.wallet.forget();
  }
}

const traderOf = ({ url, wallet }: HostedOptions): Trader => ({
  exchange: 'hosted',
  url: new URL(url).origin,
  user: toBase58(wallet.publicKey),
});

/** `bundled` and a file are used as they are; a difference to what the exchange serves is a warning. `remote` must have been approved. */
async function schemaFor({ schema, url, log }: HostedOptions, served: () => Promise<string>): Promise<ActionSchema> {
  if (schema === 'remote') {
    const text = await served();
    requireApproved({ url, text });
    return loadSchema(text);
  }
  const chosen = schema === 'bundled' ? bundledSchema() : loadSchema(readSchema(schema));
  try {
    const differences = usedDifferences(chosen, loadSchema(await served()));
    if (differences.length > 0)
      log.warn(`the exchange serves another action schema than the one in use; what differs of what we use: ${differences.join('; ')}`);
  } catch (error) {
    log.warn(`the exchange's own action schema could not be compared with the one in use: ${messageOf(error)}`);
  }
  return chosen;
}

function readSchema(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError({
      code: 'schema',
      message: `the schema ${file} cannot be read: ${messageOf(error)}`,
      hint: '--schema takes bundled, remote, or a .proto file',
    });
  }
}
