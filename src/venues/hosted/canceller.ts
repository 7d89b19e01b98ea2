// Cancels the orders of a run's account at a hosted exchange with the run's own session, whether or not the run is alive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import { walletOnDemand } from '../../base/keys/wallet.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { fromBase58, KEY_BYTES, newSecretKey, toBase58 } from '../../base/wire/ed25519.ts';
import { DEFAULT_ORDER_LIFE } from '../../bot/domain/action.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { NO_WRITE_AHEAD } from '../../bot/exchange/kit/sending/outgoing.ts';
import { DateHeaders } from '../../bot/exchange/kit/streams/date-headers.ts';
import type { OwnCount } from '../../bot/exchange/kit/streams/own-counts.ts';
import type { AccountCanceller, Resting } from '../../bot/run/operate/cancel-all.ts';
import { type CancelCalls, ClientCanceller } from '../../bot/run/operate/client-canceller.ts';
import type { CancellerOptions } from '../../bot/run/venues/venue-kind.ts';
import { type HostedClient, hostedClient } from '../client/hosted.ts';
import type { AccountReply } from '../wire/json/hosted.ts';
import { bundledSchema, loadSchema } from '../wire/schema/schema.ts';
import { type Owner, ownerOf, userOf } from './account/account-reads.ts';
import { countsOf } from './account/account-snapshot.ts';
import { approvedSchema, comparedWithPublished } from './approvals.ts';
import type { HostedFacts } from './facts.ts';
import type { Directory } from './market/snapshots.ts';
import { readTime } from './session/engine-time.ts';
import { SignedActions } from './signed-actions.ts';
import { type SigningOptions, signingTools } from './signing-tools.ts';

export interface HostedCancellerOptions
  extends Pick<SigningOptions, 'clock' | 'rng' | 'log' | 'wallet' | 'schema' | 'sessionKey' | 'firstNonce'> {
  readonly transport: Transport;
  /** True if the run signed with this schema: it then signs also while the exchange's own cannot be read. */
  readonly trusted?: boolean | undefined;
  /** True if the run may have had orders: if the exchange then shows no account of the user, `resting` rejects. */
  readonly hasTraded?: boolean | undefined;
  /** Default: the user's first account. */
  readonly accountId: AccountId | undefined;
}

const ACTION_TIMEOUT: Millis = 5_000;
const SESSION_SECONDS = 3_600;
/** When a schema that could not be read is read again. */
const COMPARED_AGAIN: Millis = 30_000;

/** An account is read before any market is. */
const NO_MARKETS: Directory = new Map();
/** Whatever market an order is in: a cancel names the order alone. */
const ANY_MARKET = 0;

/** Returns the canceller of an account. */
export const hostedCanceller = (options: HostedCancellerOptions): ClientCanceller =>
  new ClientCanceller({ ...options, calls: new HostedCancels(options) });

class HostedCancels implements CancelCalls {
  readonly orderLife = DEFAULT_ORDER_LIFE;
  readonly #options: HostedCancellerOptions;
  readonly #client: HostedClient;
  readonly #tools: ReturnType<typeof signingTools>;
  /** The newest account. */
  #account: AccountReply | undefined;
  #owner: (Owner & { readonly actions: SignedActions }) | undefined;
  /** The newest comparison of the schemas. */
  #comparison: Promise<void> = Promise.resolve();
  /** When the next one is due. */
  #compareAt: Millis = 0;

  constructor(options: HostedCancellerOptions) {
    this.#options = options;
    const dates = new DateHeaders(options.clock);
    this.#client = hostedClient({ transport: dates.over(options.transport), timeouts: { actionMs: ACTION_TIMEOUT } });
    const only = { client: this.#client, dates, writeAhead: NO_WRITE_AHEAD, sessionSeconds: SESSION_SECONDS, onlyCancels: true } as const;
    this.#tools = signingTools({ ...options, ...only });
  }

  seconds(): Promise<number> {
    return readTime(this.#client, this.#tools);
  }

  /** Returns all resting orders; none for a user without an account, if the run never had any. */
  async resting(): Promise<readonly Resting[]> {
    const owner = await this.#ownerNow();
    if (owner === undefined && this.#options.hasTraded === true) throw new Error(`${NO_ACCOUNT}, although the run has traded with one`);
    if (owner === undefined) return [];
    this.#account = await this.#client.account(owner.account);
    return this.#account.orders.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId }));
  }

  counts(): Promise<readonly OwnCount[]> {
    return Promise.resolve(this.#account === undefined ? [] : countsOf(this.#account, NO_MARKETS));
  }

  /** Rejects with `notFound` if the order does not rest. Any other refusal is an error whose text a person needs. */
  async cancel({ orderId, clientOrderId = orderId }: Resting): Promise<void> {
    const { session } = this.#tools;
    await this.#compareSchemas();
    const owner = await this.#ownerNow();
    if (owner === undefined) throw new Error(NO_ACCOUNT);
    await session.openForCancels();
    const [prepared] = owner.actions.prepare([{ kind: 'cancel', orderId, clientOrderId, market: ANY_MARKET }]);
    if (prepared?.kind !== 'ready') throw new Error(prepared?.reason);
    try {
      await prepared.send();
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind !== 'refused') throw error;
      throw new Error(`the exchange refuses a cancel: ${error.message}${session.isHopeless ? HOPELESS : ''}`, { cause: error });
    }
  }

  close(): void {
    this.#tools.session.close();
  }

  async #ownerNow() {
    if (this.#owner !== undefined) return this.#owner;
    const { wallet, accountId } = this.#options;
    const publicKey = toBase58(wallet.publicKey);
    const user = await userOf(this.#client, publicKey);
    if (user === undefined || user.accountIds.length === 0) return undefined;
    const owner = ownerOf(user, { publicKey, wanted: accountId, extras: this.#tools.codec.extras });
    this.#owner ??= { ...owner, actions: new SignedActions({ ...this.#tools, ...owner }) };
    return this.#owner;
  }

  /**
   * Compares the schemas once, for all cancels together, and again after a while if the exchange's could not be read. Rejects with a UserError `schema`,
   * before anything is signed, if the exchange would read a cancel or a new session as something else.
   */
  #compareSchemas(): Promise<void> {
    if (this.#options.clock.now() >= this.#compareAt) {
      this.#compareAt = Number.POSITIVE_INFINITY;
      this.#comparison = this.#compare();
    }
    return this.#comparison;
  }

  async #compare(): Promise<void> {
    const { clock, trusted, schema } = this.#options;
    try {
      const { conflicts = [] } = (await comparedWithPublished(schema, this.#client, ['createSession', 'cancelOrder'])) ?? {};
      if (conflicts.length > 0) throw conflicting(conflicts);
    } catch (error) {
      const isUnread = trusted === true && error instanceof ClientError; // the run signed with this schema: cancels go out without the comparison
      this.#compareAt = isUnread ? clock.now() + COMPARED_AGAIN : 0;
      if (!isUnread) throw error instanceof ClientError ? unread(error) : error;
    }
  }
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

const unread = (error: ClientError): Error =>
  new Error(
    `${error.message}; no cancel is signed before that is read, unless the schema that the run used is given: --schema bundled, or a file`,
    {
      cause: error,
    },
  );

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
