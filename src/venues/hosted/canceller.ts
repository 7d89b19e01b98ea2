// Cancels the orders of a run's account at a hosted exchange with the run's own session, whether or not the run is alive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { walletOnDemand } from '../../base/keys/wallet.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import { fromBase58, KEY_BYTES, newSecretKey } from '../../base/wire/ed25519.ts';
import type { CancellerOptions } from '../kind/venue-kind.ts';
import type { AccountCanceller } from '../operate/cancel-all.ts';
import { type CancelCalls, ClientCanceller, sendCancel } from '../operate/client-canceller.ts';
import { schemaComparer, schemaOfRun, type TrustedSchema } from '../published-schema/for-cancels.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { countsOf } from './account-snapshot.ts';
import { type HostedVenueOptions, hostedVenueClient } from './client.ts';
import type { HostedFacts } from './facts.ts';

export interface HostedCancellerOptions extends HostedVenueOptions, TrustedSchema {
  /** True if the run may have had orders: if the exchange then shows no account of the user, `resting` rejects. */
  readonly hasTraded?: boolean | undefined;
}

const ACTION_TIMEOUT: Millis = 5_000;
const SESSION_SECONDS = 3_600;

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

const NO_ACCOUNT = 'the exchange has no account of this user';
const HOPELESS =
  ', in a new session too: the key of the session or the action schema is wrong; give the schema of the exchange with --schema FILE';

const SESSION_KEY = 'session.key';

/** Returns the canceller of a run, with the session and the schema in its state directory. Makes no request. */
export function cancellerOfRun(facts: HostedFacts, { directory, hasTraded, openKey, ...options }: CancellerOptions): AccountCanceller {
  const publicKey = fromBase58(facts.user) ?? new Uint8Array();
  return hostedCanceller({
    ...options,
    ...schemaOfRun(facts),
    hasTraded: hasTraded(),
    sessionKey: sessionKeyIn(directory),
    wallet: walletOnDemand(publicKey, () => openKey(facts.key)),
    accountId: facts.account,
  });
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
