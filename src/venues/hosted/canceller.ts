// Cancels the orders of a run's account at a hosted exchange with the run's own session, whether or not the run is alive.
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { DAY } from '../../base/spans.ts';
import type { Transport } from '../../base/transport.ts';
import { DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type { AccountId, OrderId } from '../../domain/ids.ts';
import { ClientError } from '../../exchange/kit/client-error.ts';
import type { Log } from '../../exchange/kit/log.ts';
import { CancelTimes } from '../../exchange/kit/sending/cancel-times.ts';
import { DateHeaders } from '../../exchange/kit/streams/date-headers.ts';
import type { OwnCount } from '../../exchange/kit/streams/own-counts.ts';
import type { Wallet } from '../../run/keys/wallet.ts';
import type { Resting } from '../../run/operate/cancel-all.ts';
import { type CancelCalls, ClientCanceller } from '../../run/operate/client-canceller.ts';
import { ActionCodec } from '../../wire/codec.ts';
import { type Signer, signerFrom, toBase58 } from '../../wire/ed25519.ts';
import { meaningOf } from '../../wire/errors.ts';
import type { AccountReply } from '../../wire/json/hosted.ts';
import type { ActionSchema } from '../../wire/schema/schema.ts';
import { countsOf } from './account/account-snapshot.ts';
import { type Owner, ownerOf, userOf } from './account/user.ts';
import { CancellerSession } from './canceller-session.ts';
import type { Directory } from './market/snapshots.ts';
import { comparedWithPublished } from './published-schema.ts';
import { type HostedClient, hostedClient } from './requests/client.ts';
import { type Reply, replyOf, timeVerdictOf } from './requests/receipt.ts';
import { EngineTime, secondsOfReading } from './session/engine-time.ts';
import { nonceCounter, type SigningTerms, seal, wireActionOf } from './session/sign-action.ts';

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
  readonly #codec: ActionCodec;
  readonly #signer: Signer;
  /** The newest account. */
  #account: AccountReply | undefined;
  readonly #nextNonce: () => number;
  /** The times of cancels and of sessions, also while the exchange's clock is wrong. */
  readonly #times: CancelTimes;
  readonly #session: CancellerSession;
  /** By how many seconds the time of the newest trade is ahead of our clock. */
  #tradeAhead: number | undefined;
  #time: EngineTime | undefined;
  #owner: Owner | undefined;
  #compared = false;

  constructor(options: HostedCancellerOptions) {
    this.#options = options;
    const { clock } = options;
    const dates = new DateHeaders(clock);
    this.#client = hostedClient({ transport: dates.over(options.transport), timeouts: { actionMs: ACTION_TIMEOUT } });
    this.#codec = new ActionCodec(options.schema);
    this.#signer = signerFrom(options.sessionKey);
    this.#nextNonce = nonceCounter(options.firstNonce);
    this.#times = new CancelTimes({
      clock,
      heard: (now) => (this.#time ?? this.#ownTime()).forCancels(now),
      others: (now) => [dates.at(now), this.#tradeAhead && now / 1_000 + this.#tradeAhead],
      readOthers: () => this.#readTrade().catch(() => undefined),
    });
    const parts = { client: this.#client, codec: this.#codec, signer: this.#signer, nextNonce: this.#nextNonce, times: this.#times };
    this.#session = new CancellerSession({
      ...options,
      ...parts,
      time: () => this.#anyTime(),
      compareSchemas: () => this.#compareSchemas(),
    });
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
    this.#account = await this.#client.account(owner.account);
    return this.#account.orders.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId }));
  }

  counts(): Promise<readonly OwnCount[]> {
    return Promise.resolve(this.#account === undefined ? [] : countsOf(this.#account, NO_MARKETS));
  }

  /** Rejects with `notFound` if the order does not rest. Any other refusal is an error whose text a person needs. */
  async cancel({ orderId }: Resting): Promise<void> {
    const signedIn = await this.#session.signedIn();
    const send = (timestamp: number): Promise<Reply> => this.#sendCancel(orderId, { timestamp, sessionId: signedIn.id });
    const reply = await this.#times.send(this.#times.at(this.#options.clock.now()), { send, verdictOf: timeVerdictOf });
    if (reply.kind !== 'receipt') throw new Error(reply.reason);
    const { receipt } = reply;
    const more = this.#session.answered(signedIn, receipt);
    if (receipt.kind === 'cancelOrder') return;
    if (receipt.kind !== 'err') throw new Error(`a cancel was answered with a receipt of another kind (${receipt.kind})`);
    if (meaningOf(receipt.error) === 'orderNotFound') throw new ClientError({ kind: 'notFound', message: receipt.error });
    throw new Error(`the exchange refuses a cancel: ${receipt.error}${more}`);
  }

  async #sendCancel(orderId: OrderId, signed: Pick<SigningTerms, 'timestamp' | 'sessionId'>): Promise<Reply> {
    const terms = { ...signed, nonce: this.#nextNonce(), sender: this.#owner?.sender, extras: this.#codec.extras };
    const body = seal(wireActionOf({ kind: 'cancel', orderId }, terms), { codec: this.#codec, signer: this.#signer });
    const reply = await replyOf(this.#client.action(body), this.#codec);
    if (reply.kind === 'receipt' && reply.receipt.kind === 'err') this.#client.renew(); // a refusal names no order, as in a run
    return reply;
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

  async #anyTime(): Promise<EngineTime> {
    if (this.#time === undefined) await this.seconds().catch(() => undefined);
    return this.#time ?? this.#ownTime();
  }

  /** Returns the time by this machine's clock, for when the exchange's is unknown: sufficient for a cancel, which at worst is refused. */
  #ownTime(): EngineTime {
    const now = this.#options.clock.now();
    return new EngineTime({ seconds: Math.floor(now / 1_000) - CLOCK_MARGIN_SECONDS, asked: now });
  }

  /** Reads the newest trade, whose time may be right if the exchange's clock is wrong. */
  async #readTrade(): Promise<void> {
    const until = this.#options.clock.now() + TRADES_AHEAD;
    for await (const { items } of this.#client.trades({ until, pageSize: 1 })) {
      const [newest] = items;
      if (newest !== undefined) this.#tradeAhead = (Date.parse(newest.time) - this.#options.clock.now()) / 1_000;
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
