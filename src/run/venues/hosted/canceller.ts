// Cancels the orders of a run's account at a hosted exchange with the run's own session, whether or not the run is alive.
import type { Clock, Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Transport } from '../../../base/transport.ts';
import { DEFAULT_ORDER_LIFE } from '../../../domain/action.ts';
import type { AccountId, SessionId } from '../../../domain/ids.ts';
import { countsOf } from '../../../exchange/hosted/account/account-snapshot.ts';
import { type Owner, ownerOf, userOf } from '../../../exchange/hosted/account/user.ts';
import { type HostedClient, HostedError, hostedClient } from '../../../exchange/hosted/client/client.ts';
import { replyOf } from '../../../exchange/hosted/client/receipt.ts';
import type { Directory } from '../../../exchange/hosted/market/snapshots.ts';
import { EngineTime, secondsOfReading } from '../../../exchange/hosted/session/engine-time.ts';
import { type LiveSession, openSession, SessionNotAsked } from '../../../exchange/hosted/session/open-session.ts';
import { OtherSessions } from '../../../exchange/hosted/session/other-sessions.ts';
import { SessionBackOff } from '../../../exchange/hosted/session/session-back-off.ts';
import { nonceCounter, seal, wireActionOf } from '../../../exchange/hosted/session/sign-action.ts';
import type { Wallet } from '../../../exchange/hosted/session/wallet.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from '../../../exchange/kit/sending/outgoing.ts';
import { COUNTS_OTHERWISE_AFTER, OwnCounts } from '../../../exchange/kit/streams/own-counts.ts';
import { ActionCodec } from '../../../wire/codec.ts';
import { type Signer, signerFrom, toBase58 } from '../../../wire/ed25519.ts';
import { meaningOf } from '../../../wire/errors.ts';
import type { ActionSchema } from '../../../wire/schema/schema.ts';
import type { AccountCanceller, Resting } from '../../operate/cancel-all.ts';
import { comparedWithPublished } from './published-schema.ts';

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
const SESSION_SECONDS = 3_600;
/** A session this close to its expiry is not used. */
const EXPIRY_MARGIN_SECONDS = 5;
/** By how much this machine's clock may be ahead of the exchange's. */
const CLOCK_MARGIN_SECONDS = 5;
/** Pause after a failed attempt that requested no session. */
const RETRY_PAUSE: Millis = 2_000;

/** An account is read before any market is. */
const NO_MARKETS: Directory = new Map();

export class HostedCanceller implements AccountCanceller {
  readonly longestLife = DEFAULT_ORDER_LIFE;
  readonly #options: HostedCancellerOptions;
  readonly #client: HostedClient;
  readonly #codec: ActionCodec;
  readonly #signer: Signer;
  readonly #backOff: SessionBackOff;
  readonly #counts: OwnCounts;
  readonly #lost = new Set<SessionId>();
  readonly #nextNonce: () => number;
  #time: EngineTime | undefined;
  readonly #others: OtherSessions;
  #owner: Owner | undefined;
  #session: LiveSession | undefined;
  readonly #granted = { lifeSeconds: SESSION_SECONDS };
  #opening: Promise<LiveSession> | undefined;
  #notBefore: Millis = 0;
  /** No further session is requested before this time. */
  #nextSession: Millis = 0;
  #compared = false;

  constructor(options: HostedCancellerOptions) {
    this.#options = options;
    this.#client = hostedClient({ transport: options.transport, timeouts: { actionMs: ACTION_TIMEOUT } });
    this.#codec = new ActionCodec(options.schema);
    this.#signer = signerFrom(options.sessionKey);
    this.#nextNonce = nonceCounter(options.firstNonce);
    this.#backOff = new SessionBackOff(options.rng);
    this.#others = new OtherSessions(options);
    this.#counts = new OwnCounts({ ...options, sameForMs: COUNTS_OTHERWISE_AFTER });
  }

  /** Returns the exchange's time in whole seconds. */
  async seconds(): Promise<number> {
    const { clock } = this.#options;
    const asked = clock.now();
    const seconds = secondsOfReading(await this.#client.timestamp());
    this.#time ??= new EngineTime();
    this.#time.observe({ seconds, asked });
    return seconds;
  }

  /** Returns all resting orders; none for a user without an account, if the run never had any. */
  async resting(): Promise<readonly Resting[]> {
    const owner = await this.#ownerNow();
    if (owner === undefined && this.#options.hasTraded === true)
      throw new Error('the exchange has no account of this user, although the run has traded with one');
    if (owner === undefined) return [];
    const reply = await this.#client.account(owner.account);
    if (reply.orders.length === 0) this.#counts.requireAtStart(countsOf(reply, NO_MARKETS));
    return reply.orders.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId }));
  }

  /** Returns true if the exchange cancelled the order, false if it does not rest. Rejects if the outcome is unknown, and for any other refusal. */
  async cancel({ orderId }: Resting): Promise<boolean> {
    const { clock } = this.#options;
    const session = await this.#usable();
    const timestamp = (this.#time ?? this.#ownTime()).forCancels(clock.now());
    const terms = { timestamp, nonce: this.#nextNonce(), sessionId: session.id, sender: this.#owner?.sender, extras: this.#codec.extras };
    const action = wireActionOf({ kind: 'cancel', orderId }, terms);
    const body = seal(action, { codec: this.#codec, signer: this.#signer });
    const reply = await replyOf(this.#client.action(body), this.#codec);
    if (reply.kind !== 'receipt') throw new Error(reply.reason);
    const { receipt } = reply;
    if (receipt.kind === 'cancelOrder') {
      this.#backOff.lived();
      return true;
    }
    if (receipt.kind !== 'err') throw new Error(`a cancel was answered with a receipt of another kind (${receipt.kind})`);
    if (meaningOf(receipt.error) === 'orderNotFound') return false;
    if (meaningOf(receipt.error) === 'session') this.#dropSession(session);
    throw new Error(`the exchange refuses a cancel: ${receipt.error}`);
  }

  close(): Promise<void> {
    return this.#options.transport.close();
  }

  async #ownerNow(): Promise<Owner | undefined> {
    if (this.#owner !== undefined) return this.#owner;
    const { wallet, accountId } = this.#options;
    const publicKey = toBase58(wallet.publicKey);
    const user = await userOf(this.#client, publicKey);
    if (user === undefined || user.accountIds.length === 0) return undefined;
    this.#owner = ownerOf(user, { publicKey, wanted: accountId, extras: this.#codec.extras });
    return this.#owner;
  }

  /** Drops a session that the exchange refused, unless another one has been opened since. */
  #dropSession({ id }: LiveSession): void {
    if (this.#session?.id !== id) return;
    this.#lost.add(id);
    this.#session = undefined;
    this.#notBefore = this.#nextSession;
  }

  /** Returns the session; opens one for all waiting cancels together, and after a failure only after a pause. */
  async #usable(): Promise<LiveSession> {
    const { clock } = this.#options;
    if (this.#session !== undefined && this.#estimate() < this.#session.expires - EXPIRY_MARGIN_SECONDS) return this.#session;
    if (clock.now() < this.#notBefore) throw new Error('waiting before another session is requested');
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<LiveSession> {
    const { clock, wallet, log } = this.#options;
    let asked = false;
    const writeAhead: WriteAhead = (sealed) => {
      asked = true;
      return NO_WRITE_AHEAD(sealed);
    };
    try {
      await this.#compareSchemas();
      const time = await this.#anyTime();
      const parts = { client: this.#client, codec: this.#codec, clock, time, wallet, signer: this.#signer, log, others: this.#others };
      const opening = { ...parts, nextNonce: this.#nextNonce, writeAhead, lifeSeconds: SESSION_SECONDS, granted: this.#granted };
      this.#session = await openSession(opening, { ids: this.#lost, after: this.#estimate() + EXPIRY_MARGIN_SECONDS });
      if (asked) this.#countSession();
      return this.#session;
    } catch (error) {
      if (asked && !(error instanceof SessionNotAsked)) this.#countSession();
      this.#notBefore = Math.max(clock.now() + RETRY_PAUSE, this.#nextSession);
      throw error;
    }
  }

  async #anyTime(): Promise<EngineTime> {
    if (this.#time === undefined) await this.seconds().catch(() => undefined);
    return this.#time ?? this.#ownTime();
  }

  /** Returns the time by this machine's clock, for when the exchange's is unknown: sufficient for a cancel, which at worst is refused. */
  #ownTime(): EngineTime {
    const now = this.#options.clock.now();
    return new EngineTime({ seconds: Math.floor(now / 1_000) - CLOCK_MARGIN_SECONDS, asked: now });
  }

  /** Counts a requested session; the pause before the next one grows. */
  #countSession(): void {
    const now = this.#options.clock.now();
    this.#nextSession = now + this.#backOff.next(now);
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
      if (trusted !== true || !(error instanceof HostedError)) throw error;
    }
  }

  #estimate(): number {
    return (this.#time ?? this.#ownTime()).estimate(this.#options.clock.now());
  }
}

const conflicting = (conflicts: readonly string[]): UserError =>
  new UserError({
    code: 'schema',
    message: `the exchange uses another action schema than the one given (${conflicts.slice(0, 3).join('; ')}); no cancel is signed`,
    hint: 'if the exchange has changed it, approve it (schema approve) and give --schema remote, or give its numbers with --schema FILE',
  });

/** Returns a wallet that opens the key file only to sign. */
export function walletOnDemand(publicKey: Uint8Array, open: () => Promise<Wallet>): Wallet {
  return {
    publicKey,
    async signSession(framed) {
      const wallet = await open();
      if (Buffer.from(wallet.publicKey).equals(publicKey)) return wallet.signSession(framed);
      throw new UserError({
        code: 'key',
        message: `the key file now holds another key than the one this run trades with: ${toBase58(wallet.publicKey)}`,
        hint: `put the key of ${toBase58(publicKey)} back`,
      });
    },
  };
}
