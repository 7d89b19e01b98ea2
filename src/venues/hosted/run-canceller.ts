// Creates the canceller of a run at a hosted exchange, with the session and the schema in the run's state directory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../../base/files/text-file.ts';
import type { AccountCanceller } from '../../run/operate/cancel-all.ts';
import type { CancellerOptions } from '../../run/venues/venue-kind.ts';
import { fromBase58, KEY_BYTES, newSecretKey } from '../../wire/ed25519.ts';
import { bundledSchema, loadSchema } from '../../wire/schema/schema.ts';
import { approvedSchema } from './approvals.ts';
import { type HostedCancellerOptions, hostedCanceller, walletOnDemand } from './canceller.ts';
import type { HostedFacts } from './kind.ts';

const SESSION_KEY = 'session.key';

/** Returns the canceller. Makes no request. */
export function cancellerOfRun(facts: HostedFacts, { directory, hasTraded, openKey, ...options }: CancellerOptions): AccountCanceller {
  const publicKey = fromBase58(facts.user) ?? new Uint8Array();
  return hostedCanceller({
    ...options,
    ...schemaOf(facts),
    hasTraded: hasTraded(),
    sessionKey: sessionKeyIn(directory),
    wallet: walletOnDemand(publicKey, () => openKey(facts.key)),
    accountId: facts.account,
  });
}

/** Returns the schema that the run signed with; if it cannot be found, the bundled one, which is not used before the exchange's could be read. */
function schemaOf({ schema, url, approvals }: HostedFacts): Pick<HostedCancellerOptions, 'schema' | 'trusted'> {
  if (schema === 'bundled') return { schema: bundledSchema(), trusted: true };
  try {
    const text = schema === 'remote' ? approvedSchema({ url, file: approvals })?.text : readTextFile(schema);
    if (text !== undefined) return { schema: loadSchema(text), trusted: true };
  } catch {
    // falls back to the bundled one
  }
  return { schema: bundledSchema(), trusted: false };
}

/** Returns the run's session key, or a temporary one if the run never had a session. */
function sessionKeyIn(directory: string): Uint8Array {
  try {
    const key = new Uint8Array(readFileSync(join(directory, SESSION_KEY)));
    return key.length === KEY_BYTES ? key : newSecretKey();
  } catch {
    return newSecretKey();
  }
}
