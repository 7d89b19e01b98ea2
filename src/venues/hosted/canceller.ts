// Cancels the orders of a run's account at a hosted exchange with the run's own session, whether or not the run is alive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import type { Rng } from '../../base/rng.ts';
import { DAY } from '../../base/spans.ts';
import type { Transport } from '../../base/transport.ts';
import { DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type { AccountId } from '../../domain/ids.ts';
import { ClientError } from '../../exchange/kit/client-error.ts';
import type { Log } from '../../exchange/kit/log.ts';
import { CancelTimes } from '../../exchange/kit/sending/cancel-times.ts';
import { NO_WRITE_AHEAD } from '../../exchange/kit/sending/outgoing.ts';
import { DateHeaders } from '../../exchange/kit/streams/date-headers.ts';
import type { OwnCount } from '../../exchange/kit/streams/own-counts.ts';
import { type Wallet, walletOnDemand } from '../../run/keys/wallet.ts';
import type { AccountCanceller, Resting } from '../../run/operate/cancel-all.ts';
import { type CancelCalls, ClientCanceller } from '../../run/operate/client-canceller.ts';
import type { CancellerOptions } from '../../run/venues/venue-kind.ts';
import { ActionCodec } from '../../wire/codec.ts';
import { fromBase58, KEY_BYTES, newSecretKey, signerFrom, toBase58 } from '../../wire/ed25519.ts';
import { meaningOf } from '../../wire/errors.ts';
import type { AccountReply } from '../../wire/json/hosted.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../../wire/schema/schema.ts';
import { type Owner, ownerOf, userOf } from './account/account-reads.ts';
import { countsOf } from './account/account-snapshot.ts';
import { type Reply, timeVerdictOf } from './action-result.ts';
import { approvedSchema, comparedWithPublished } from './approvals.ts';
import { CancellerSession } from './canceller-session.ts';
import type { HostedFacts } from './kind.ts';
import type { Directory } from './market/snapshots.ts';
import { type HostedClient, hostedClient } from './requests/client.ts';
import { EngineTime, readTime } from './session/engine-time.ts';
import { nonceCounter, type SigningTools, sendCancel } from './session/sign-action.ts';

export interface HostedCancellerOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly transport: Transport;
  readonly schema: ActionSchema;
  /** True if the run signed with this schema: it then signs also while the exchange's own cannot be read. */
  readonly trusted?: boolean | undefined;
  /** True if the run may have had orders: if the exchange then shows no account of the user, `resting` rejects. */
  readonly hasTraded?: boolean | undefined;
  /** The session's secret key. */
  readonly sessionKey: Uint8Array;
  /** Signs a new session, only if the run's is lost. */
  readonly wallet: Wallet;
  /** Default: the user's first account. */
  readonly accountId: AccountId | undefined;
  readonly log: Log;
  /** 32 bits, far from the nonces of the run. */
  readonly firstNonce: number;
}

const ACTION_TIMEOUT: Millis = 5_000;
/** By how much this machine's clock may be ahead of the exchange's. */
const CLOCK_MARGIN_SECONDS = 5;
/** The list of trades ends this long after our time, which may be behind. */
const TRADES_AHEAD: Millis = DAY;

/** An account is read before any market is. */
const NO_MARKETS: Directory = new Map();

/** Returns the canceller of an account. */
export const hostedCanceller = (options: HostedCancellerOptions): ClientCanceller =>
  new ClientCanceller({ ...options, calls: new HostedCancels(options) });

class HostedCancels implements CancelCalls {
  readonly orderLife = DEFAULT_ORDER_LIFE;
  readonly #options: HostedCancellerOptions;
  readonly #client: HostedClient;
  readonly #signing: Omit<SigningTools, 'sender'>;
  /** The newest account. */
  #account: AccountReply | undefined;
  /** The times of cancels and of sessions, also while the exchange's clock is wrong. */
  readonly #times: CancelTimes;
  readonly #session: CancellerSession;
  readonly #time = new EngineTime();
  #owner: Owner | undefined;
  #compared = false;

  constructor(options: HostedCancellerOptions) {
    this.#options = options;
    const { clock } = options;
    const dates = new DateHeaders(clock);
    this.#client = hostedClient({ transport: dates.over(options.transport), timeouts: { actionMs: ACTION_TIMEOUT } });
    this.#signing = {
      client: this.#client,
      codec: new ActionCodec(options.schema),
      signer: signerFrom(options.sessionKey),
      nextNonce: nonceCounter(options.firstNonce),
      writeAhead: NO_WRITE_AHEAD,
    };
    this.#times = new CancelTimes({
      clock,
      heard: (now) => this.#knownTime().forCancels(now),
      others: (now) => [dates.at(now), this.#time.byTrades(now)],
      readOthers: () => this.#readTrade().catch(() => undefined),
    });
    this.#session = new CancellerSession({
      ...options,
      ...this.#signing,
      times: this.#times,
      time: () => this.#anyTime(),
      compareSchemas: () => this.#compareSchemas(),
    });
  }

  seconds(): Promise<number> {
    return readTime(this.#client, { ...this.#options, time: this.#time });
  }

  /** Returns all resting orders; none for a user without an account, if the run never had any. */
  async resting(): Promise<readonly Resting[]> {
    const owner = await this.#ownerNow();
    if (owner === undefined && this.#options.hasTraded === true)
      throw new Error('the exchange has no account of this user, although the run has traded with one');
    if (owner === undefined) return [];
    this.#account = await this.#client.account(owner.account);
    return this.#account.orders.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId }));
  }

  counts(): Promise<readonly OwnCount[]> {
    return Promise.resolve(this.#account === undefined ? [] : countsOf(this.#account, NO_MARKETS));
  }

  /** Rejects with `notFound` if the order does not rest. Any other refusal is an error whose text a person needs. */
  async cancel({ orderId }: Resting): Promise<void> {
    const signedIn = await this.#session.signedIn();
    const tools = { ...this.#signing, sender: this.#owner?.sender };
    const send = (timestamp: number): Promise<Reply> => sendCancel(orderId, { timestamp, sessionId: signedIn.id }, tools);
    const reply = await this.#times.send(this.#times.at(this.#options.clock.now()), { send, verdictOf: timeVerdictOf });
    if (reply.kind !== 'receipt') throw new Error(reply.reason);
    const { receipt } = reply;
    const more = this.#session.answered(signedIn, receipt);
    if (receipt.kind === 'cancelOrder') return;
    if (receipt.kind !== 'err') throw new Error(`a cancel was answered with a receipt of another kind (${receipt.kind})`);
    if (meaningOf(receipt.error) === 'orderNotFound') throw new ClientError({ kind: 'notFound', message: receipt.error });
    throw new Error(`the exchange refuses a cancel: ${receipt.error}${more}`);
  }

  async #ownerNow(): Promise<Owner | undefined> {
    if (this.#owner !== undefined) return this.#owner;
    const { wallet, accountId } = this.#options;
    const publicKey = toBase58(wallet.publicKey);
    const user = await userOf(this.#client, publicKey);
    if (user === undefined || user.accountIds.length === 0) return undefined;
    this.#owner = ownerOf(user, { publicKey, wanted: accountId, extras: this.#signing.codec.extras });
    return this.#owner;
  }

  async #anyTime(): Promise<EngineTime> {
    if (!this.#time.isKnown) await this.seconds().catch(() => undefined);
    return this.#knownTime();
  }

  /** Returns the exchange's time; while it is unknown, this machine's: sufficient for a cancel, which at worst is refused. */
  #knownTime(): EngineTime {
    const now = this.#options.clock.now();
    return this.#time.isKnown ? this.#time : new EngineTime({ seconds: Math.floor(now / 1_000) - CLOCK_MARGIN_SECONDS, asked: now });
  }

  /** Reads the newest trade, whose time may be right if the exchange's clock is wrong. */
  async #readTrade(): Promise<void> {
    const now = this.#options.clock.now();
    for await (const { items } of this.#client.trades({ until: now + TRADES_AHEAD, pageSize: 1 })) {
      if (items[0] !== undefined) this.#time.traded(Date.parse(items[0].time) / 1_000, this.#options.clock.now());
      return;
    }
  }

  /** Rejects with a UserError `schema`, before anything is signed, if the exchange would read a cancel or a new session as something else. */
  async #compareSchemas(): Promise<void> {
    const { trusted, schema } = this.#options;
    if (this.#compared) return;
    try {
      const { conflicts = [] } = (await comparedWithPublished(schema, this.#client, ['createSession', 'cancelOrder'])) ?? {};
      if (conflicts.length > 0) throw conflicting(conflicts);
      this.#compared = true;
    } catch (error) {
      if (trusted !== true || !(error instanceof ClientError)) throw error;
    }
  }
}

const conflicting = (conflicts: readonly string[]): UserError =>
  new UserError({
    code: 'schema',
    message: `the exchange uses another action schema than the one given (${conflicts.slice(0, 3).join('; ')}); no cancel is signed`,
    hint: 'if the exchange has changed it, approve it (schema approve) and give --schema remote, or give its numbers with --schema FILE',
  });

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
