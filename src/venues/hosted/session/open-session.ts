// Opens one session: reuses a session of our key that is still alive, or creates a new one with one request.
import { type Millis, sleep } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import { toBase58 } from '../../../base/wire/ed25519.ts';
import type { SessionId } from '../../../bot/domain/ids.ts';
import { meaningOf } from '../../../bot/exchange/error-meanings.ts';
import { isInconclusive, receiptOf } from '../../client/hosted-actions.ts';
import type { Receipt } from '../../wire/codec.ts';
import { sealSession } from '../../wire/sign-action.ts';
import { userOf } from '../account-reads.ts';
import { timeVerdictOf } from '../action-result.ts';
import type { SigningContext } from '../signing-context.ts';
import { type ListedSession, OtherSessions } from './other-sessions.ts';

/** A session of our key. */
type OwnSession = Omit<ListedSession, 'pubkey'>;

export interface LiveSession extends OwnSession {
  readonly id: SessionId;
}

/** Sessions that must not be reused: those that the exchange did not find or whose signatures it refuses, and those that end at `after` or earlier. */
export interface Unwanted {
  readonly ids: ReadonlySet<SessionId>;
  readonly after: number;
  /** Called before a session is requested; throws if none may be requested now. */
  readonly requesting: () => void;
}

/** How often the list of sessions is read while the answer to a CreateSession is pending, and for how long: a reply may be lost silently. */
const LOOK_EVERY: Millis = 5_000;
const LONGEST_ANSWER: Millis = 20_000;

/** Pauses before the reads of the session list: it may lag behind the receipt, and a receipt may be lost. */
const LIST_PAUSES: readonly Millis[] = [0, 250, 500, 1_000, 2_000];

interface Requested {
  /** The time that the newest request was signed for: engine time, in seconds. */
  timestamp: number;
  /** The id is undefined if no definite answer came. */
  readonly answer: Promise<SessionId | undefined>;
}

export class SessionOpener {
  readonly others: OtherSessions;
  readonly #signing: SigningContext;
  /** The life that the exchange granted to the last session that the list showed; assumed for a session that the list lacks. */
  #grantedLife: number;

  constructor(signing: SigningContext) {
    this.others = new OtherSessions(signing);
    this.#signing = signing;
    this.#grantedLife = signing.lifeSeconds;
  }

  /**
   * Sends at most one CreateSession. Whatever its outcome, the user's own list of sessions decides: it shows the session of a lost reply, and the true
   * expiry. Rejects with a UserError if the exchange refuses, with another Error if a later attempt may succeed: a ClientError if a request failed
   * before the session was requested.
   */
  async open({ ids, after, requesting }: Unwanted): Promise<LiveSession> {
    const { clock, log, lifeSeconds } = this.#signing;
    const wanted = ({ id, expires }: OwnSession): boolean => expires > after && !(id !== undefined && ids.has(id));
    const living = async (): Promise<LiveSession | undefined> => latest((await this.list()).filter(wanted).filter(hasId));
    const before = await living();
    if (before !== undefined) return before;
    requesting();
    const requested = await this.#request();
    const answeredId = await this.#answerOrList(requested, () => living().catch(() => undefined));
    let isUnlisted = false;
    for (const pause of LIST_PAUSES) {
      await sleep(clock, pause);
      const sessions = await this.list().catch((error: unknown) => log.warn(`looking for the session: ${messageOf(error)}`));
      if (sessions === undefined) continue;
      const found = sessions.find(({ id }) => id !== undefined && id === answeredId) ?? latest(sessions.filter(wanted));
      const id = answeredId ?? found?.id;
      if (found !== undefined && id !== undefined) {
        this.#grantedLife = Math.min(lifeSeconds, found.expires - requested.timestamp);
        return { id, expires: found.expires };
      }
      isUnlisted = true;
    }
    if (answeredId === undefined || !isUnlisted) throw new Error('the requested session is not in the list of sessions');
    log.warn(`session ${answeredId} is not in the user's list of sessions; it is assumed to live for ${this.#grantedLife} s`);
    return { id: answeredId, expires: requested.timestamp + this.#grantedLife };
  }

  /** Returns the live sessions of our key, and reports those of others; none if the exchange does not know the user yet. */
  async list(): Promise<readonly OwnSession[]> {
    const { client, clock, time, wallet, signer } = this.#signing;
    const publicKey = toBase58(signer.publicKey);
    const user = await userOf(client, toBase58(wallet.publicKey));
    const living = (user?.sessions ?? [])
      .map(({ pubkey, sessionId, expiry }) => ({ pubkey, id: sessionId, expires: Math.floor(Date.parse(expiry) / 1_000) }))
      .filter(({ expires }) => expires > time.estimate(clock.now()));
    this.others.seen(living.filter(({ pubkey }) => pubkey !== publicKey));
    return living.filter(({ pubkey }) => pubkey === publicKey);
  }

  /** Returns the answer, or the session as soon as the list shows it. */
  async #answerOrList({ answer }: Requested, look: () => Promise<LiveSession | undefined>): Promise<SessionId | undefined> {
    answer.catch(() => undefined); // an answer that comes too late is ignored
    for (let waited = 0; waited < LONGEST_ANSWER; waited += LOOK_EVERY) {
      const known = await Promise.race([answer.then((id) => ({ id })), sleep(this.#signing.clock, LOOK_EVERY)]);
      if (known !== undefined) return known.id;
      const listed = await look();
      if (listed !== undefined) return listed.id;
    }
    return undefined;
  }

  /** Sends one CreateSession; in a process that only cancels, again while its time is refused. */
  async #request(): Promise<Requested> {
    const { clock, time, times, onlyCancels } = this.#signing;
    const heard = await time.read();
    const first = (onlyCancels ? times.acceptedAt(clock.now()) : undefined) ?? heard;
    const send = (timestamp: number): Promise<Receipt> => {
      requested.timestamp = timestamp;
      return this.#send(timestamp);
    };
    const requested = { timestamp: first };
    const reply = onlyCancels ? times.send(first, { send, verdictOf: timeVerdictOf }) : send(first);
    return Object.assign(requested, {
      answer: reply.then(
        (receipt) => this.#sessionIn(receipt),
        (error: unknown) => this.#unanswered(error),
      ),
    });
  }

  async #send(timestamp: number): Promise<Receipt> {
    const { client, codec, wallet, signer, nextNonce, lifeSeconds, writeAhead } = this.#signing;
    const keys = { userPubkey: wallet.publicKey, sessionPubkey: signer.publicKey };
    const nonce = nextNonce();
    const action = { kind: 'createSession', timestamp, nonce, ...keys, expiry: timestamp + lifeSeconds } as const;
    const body = await sealSession(action, { codec, wallet });
    // the permit is not needed: cancels need a session even if orders may not be placed
    writeAhead([{ action: 'createSession', timestamp, nonce, body }]);
    return receiptOf(client.createSession(body), codec);
  }

  /** Returns the id of the session, if the receipt has one. */
  #sessionIn(receipt: Receipt): SessionId | undefined {
    if (receipt.kind === 'err' && !isInconclusive(receipt.error)) throw refusal(receipt.error, toBase58(this.#signing.wallet.publicKey));
    return receipt.kind === 'createSession' ? receipt.sessionId : undefined;
  }

  /** Called if there is no receipt. Throws if the request was not sent: a ClientError in a process that only cancels, which tries it again soon. */
  #unanswered(error: unknown): undefined {
    if (!(error instanceof ClientError)) throw error;
    if (error.kind !== 'notSent') return undefined;
    const message = `the request for a session could not be sent: ${error.message}`;
    throw this.#signing.onlyCancels ? new ClientError({ kind: 'notSent', message }) : new Error(message);
  }
}

const hasId = (session: OwnSession): session is LiveSession => session.id !== undefined;

/** Returns the session that ends last. */
const latest = <T extends OwnSession>(sessions: readonly T[]): T | undefined =>
  sessions.reduce<T | undefined>((best, session) => (best === undefined || session.expires > best.expires ? session : best), undefined);

/** Refusals that end by themselves: of a late timestamp, and during maintenance. */
const TEMPORARY: ReadonlySet<string> = new Set(['time', 'market']);
/** The pause after such a refusal. */
const REFUSED_FOR: Millis = 2_000;

/** Returns an Error for a temporary refusal, a UserError for one that a person must fix. */
function refusal(error: string, key: string): Error {
  const refused = (message: string, hint: string): UserError => new UserError({ code: 'session', message: `${message} (${error})`, hint });
  const meaning = meaningOf(error);
  if (error === 'USER_NOT_FOUND')
    return refused(
      `the exchange knows no user with the public key ${key}`,
      'make a first deposit with this key, or check that --key is the key you trade with',
    );
  if (meaning === 'signature')
    return refused(
      `the exchange does not accept the signature of ${key}`,
      'check that --key is the wallet key itself, and --schema the one of this exchange',
    );
  if (TEMPORARY.has(meaning))
    return Object.assign(new Error(`the exchange refuses a session for now (${error})`), { retryAfterMs: REFUSED_FOR });
  return refused('the exchange refuses a session', 'look up the error name; the bot cannot trade without a session');
}
