// Cancels the orders of a run's account at a hosted exchange with the run's own session, whether or not the run is alive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import { walletOnDemand } from '../../base/keys/wallet.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import { fromBase58, KEY_BYTES, newSecretKey } from '../../base/wire/ed25519.ts';
import type { HostedClient } from '../client/hosted.ts';
import type { CancellerOptions } from '../kind/venue-kind.ts';
import type { AccountCanceller } from '../operate/cancel-all.ts';
import { type CancelCalls, ClientCanceller, sendCancel } from '../operate/client-canceller.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { bundledSchema, loadSchema } from '../wire/schema/schema.ts';
import { countsOf } from './account-snapshot.ts';
import { approvedSchema, comparedWithPublished } from './approvals.ts';
import { type HostedVenueOptions, hostedVenueClient } from './client.ts';
import type { HostedFacts } from './facts.ts';

export interface HostedCancellerOptions extends HostedVenueOptions {
  /** True if the run signed with this schema: it then signs also while the exchange's own cannot be read. */
  readonly trusted?: boolean | undefined;
  /** True if the run may have had orders: if the exchange then shows no account of the user, `resting` rejects. */
  readonly hasTraded?: boolean | undefined;
}

const ACTION_TIMEOUT: Millis = 5_000;
const SESSION_SECONDS = 3_600;
/** The pause before a schema that could not be read is read again. */
const COMPARED_AGAIN: Millis = 30_000;

/** Returns the canceller of an account. */
export const hostedCanceller = (options: HostedCancellerOptions): ClientCanceller =>
  new ClientCanceller({ ...options, calls: cancelCalls(options) });

function cancelCalls({ hasTraded, ...options }: HostedCancellerOptions): CancelCalls {
  const venue = hostedVenueClient({ ...options, actionMs: ACTION_TIMEOUT, sessionSeconds: SESSION_SECONDS, onlyCancels: true });
  const { requests: client } = venue;
  const compareSchemas = schemaComparer({ ...options, client });
  let newest: AccountReply | undefined;
  return {
    orderLife: venue.rules.orderLife,
    seconds: () => venue.clock!.read(),
    /** Returns all resting orders; none for a user without an account, if the run never had any. */
    async resting() {
      const account = await venue.owner();
      if (account === undefined && hasTraded === true) throw new Error(`${NO_ACCOUNT}, although the run has traded with one`);
      if (typeof account !== 'number') return [];
      newest = await client.account(account);
      return newest.orders.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId }));
    },
    counts: async () => (newest === undefined ? [] : countsOf(newest, new Map())), // an account is read before any market is
    /** Any other refusal than `notFound` is an error whose text a person needs. */
    async cancel(order) {
      await compareSchemas();
      if ((await venue.owner()) === undefined) throw new Error(NO_ACCOUNT);
      await venue.open?.();
      try {
        await sendCancel(venue, order);
      } catch (error) {
        if (!(error instanceof ClientError) || error.kind !== 'refused') throw error;
        throw new Error(`the exchange refuses a cancel: ${error.message}${venue.session.isHopeless ? HOPELESS : ''}`, { cause: error });
      }
    },
    close: () => venue.close?.(),
  };
}

/**
 * Returns a function that compares the schemas once, for all cancels together, and again after a while if the exchange's could not be read. It rejects
 * with a UserError `schema`, before anything is signed, if the exchange would read a cancel or a new session as something else.
 */
function schemaComparer({
  client,
  clock,
  schema,
  trusted,
}: Pick<HostedCancellerOptions, 'clock' | 'schema' | 'trusted'> & { readonly client: HostedClient }): () => Promise<void> {
  let comparison: Promise<void> = Promise.resolve();
  let nextAt: Millis = 0;
  const compare = async (): Promise<void> => {
    try {
      const { conflicts = [] } = (await comparedWithPublished(schema, client, ['createSession', 'cancelOrder'])) ?? {};
      if (conflicts.length > 0) throw conflicting(conflicts);
    } catch (error) {
      const isUnread = trusted === true && error instanceof ClientError; // the run signed with this schema: cancels go out without the comparison
      nextAt = isUnread ? clock.now() + COMPARED_AGAIN : 0;
      if (!isUnread) throw error instanceof ClientError ? unread(error) : error;
    }
  };
  return () => {
    if (clock.now() >= nextAt) {
      nextAt = Number.POSITIVE_INFINITY;
      comparison = compare();
    }
    return comparison;
  };
}

const NO_ACCOUNT = 'the exchange has no account of this user';
const HOPELESS =
  ', in a new session too: the key of the session or the action schema is wrong; give the schema of the exchange with --schema FILE';

const conflicting = (conflicts: readonly string[]): UserError =>
  new UserError({
    code: 'schema',
    message: `the exchange uses another action schema than the one given (${conflicts.slice(0, 3).join('; ')}); no cancel is signed`,
    hint: 'if the exchange has changed it, approve it (schema approve) and give --schema remote, or give its numbers with --schema FILE',
  });

function unread(cause: ClientError): Error {
  const advice = 'no cancel is signed before that is read, unless the schema that the run used is given: --schema bundled, or a file';
  return new Error(`${cause.message}; ${advice}`, { cause });
}

const SESSION_KEY = 'session.key';

/** Returns the canceller of a run, with the session and the schema in its state directory. Makes no request. */
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
