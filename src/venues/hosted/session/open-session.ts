// Opens one session: reuses a session of our key that is still alive, or creates a new one with one request.
import { type Clock, type Millis, sleep } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import type { Wallet } from '../../../base/keys/wallet.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import { toBase58 } from '../../../base/wire/ed25519.ts';
import type { SessionId } from '../../../bot/domain/ids.ts';
import { meaningOf } from '../../../bot/exchange/errors.ts';
import type { Log } from '../../../bot/exchange/kit/log.ts';
import type { CancelTimes } from '../../../bot/exchange/kit/sending/cancel-times.ts';
import { userOf } from '../account/account-reads.ts';
import { isInconclusive, type Reply, replyOf, timeVerdictOf } from '../action-result.ts';
import { type EngineTime, readTime } from './engine-time.ts';
import type { OtherSessions } from './other-sessions.ts';
import { type SigningTools, sealSession } from './sign-action.ts';

export interface OpeningOptions extends Omit<SigningTools, 'sender'> {
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly wallet: Wallet;
  /** Requested life of the session; the exchange may shorten it. */
  readonly lifeSeconds: number;
  /** The life that the exchange granted to the last session that the list showed; assumed for a session that the list lacks. */
  readonly granted: { lifeSeconds: number };
  readonly others: OtherSessions;
  /** If given, a session whose time is refused is requested with other times, for a process that only cancels. */
  readonly times?: CancelTimes | undefined;
  readonly log: Log;
}

export interface LiveSession {
  readonly id: SessionId;
  /** Engine time, in seconds. */
  readonly expires: number;
}

/** Sessions that must not be reused: those that the exchange did not find or whose signatures it refuses, and those that end at `after` or earlier. */
export interface Unwanted {
  readonly ids: ReadonlySet<SessionId>;
  readonly after: number;
  /** Called before a session is requested; throws if none may be requested now. */
  readonly requesting?: (() => void) | undefined;
}

/** How often the list of sessions is read while the answer to a CreateSession is pending, and for how long: a reply may be lost silently. */
const LOOK_EVERY: Millis = 5_000;
const LONGEST_ANSWER: Millis = 20_000;

/** Pauses before the reads of the session list: it may lag behind the receipt, and a receipt may be lost. */
const LIST_PAUSES: readonly Millis[] = [0, 250, 500, 1_000, 2_000];

/**
 * Sends at most one CreateSession. Whatever its outcome, the user's own list of sessions decides: it shows the session of a lost reply, and the true
 * expiry. Rejects with a UserError if the exchange refuses, with another Error if a later attempt may succeed: a ClientError if a request failed
 * before the session was requested.
 */
export async function openSession(options: OpeningOptions, unwanted: Unwanted): Promise<LiveSession> {
  const { clock, log, lifeSeconds, granted } = options;
  const wanted = ({ id, expires }: Listed): boolean => expires > unwanted.after && !(id !== undefined && unwanted.ids.has(id));
  const living = async (): Promise<LiveSession | undefined> => latest((await listSessions(options)).filter(wanted).filter(hasId));
  const before = await living();
  if (before !== undefined) return before;
  unwanted.requesting?.();
  const requested = await create(options);
  const asked = await answerOrList(requested, { clock, lifeSeconds, look: () => living().catch(() => undefined) });
  let missing = false;
  for (const pause of LIST_PAUSES) {
    await sleep(clock, pause);
    const sessions = await listSessions(options).catch((error: unknown) => log.warn(`looking for the session: ${messageOf(error)}`));
    if (sessions === undefined) continue;
    const found = sessions.find(({ id }) => id !== undefined && id === asked.id) ?? latest(sessions.filter(wanted));
    const id = asked.id ?? found?.id;
    if (found !== undefined && id !== undefined) {
      granted.lifeSeconds = Math.min(lifeSeconds, found.expires - requested.newest.timestamp);
      return { id, expires: found.expires };
    }
    missing = true;
  }
  if (asked.id === undefined || !missing) throw new Error('the requested session is not in the list of sessions');
  log.warn(`session ${asked.id} is not in the user's list of sessions; it is assumed to live for ${granted.lifeSeconds} s`);
  return { id: asked.id, expires: requested.newest.timestamp + granted.lifeSeconds };
}

/** A session in the user's list, which may lack the id. */
interface Listed {
  readonly id: SessionId | undefined;
  readonly expires: number;
}

const hasId = (session: Listed): session is LiveSession => session.id !== undefined;

/** Returns the live sessions of our key, and reports those of others; none if the exchange does not know the user yet. */
export async function listSessions(
  options: Pick<OpeningOptions, 'client' | 'clock' | 'time' | 'wallet' | 'signer' | 'others'>,
): Promise<readonly Listed[]> {
  const { client, clock, time, wallet, signer, others } = options;
  const publicKey = toBase58(signer.publicKey);
  const user = await userOf(client, toBase58(wallet.publicKey));
  const living = (user?.sessions ?? [])
    .map(({ pubkey, sessionId, expiry }) => ({ pubkey, id: sessionId, expires: Math.floor(Date.parse(expiry) / 1_000) }))
    .filter(({ expires }) => expires > time.estimate(clock.now()));
  others.seen(living.filter(({ pubkey }) => pubkey !== publicKey));
  return living.filter(({ pubkey }) => pubkey === publicKey);
}

function latest<T extends Listed>(sessions: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const session of sessions) if (best === undefined || session.expires > best.expires) best = session;
  return best;
}

/** Temporary refusals: a late timestamp, and maintenance. */
const TEMPORARY: ReadonlySet<string> = new Set(['time', 'market']);

interface Requested {
  /** The newest request, and the time that it was signed for: engine time, in seconds. */
  readonly newest: { readonly timestamp: number };
  readonly answer: Promise<Listed>;
}

/** Returns the answer, or the session as soon as the list shows it. Without both, the id is undefined. */
async function answerOrList(
  { answer, newest }: Requested,
  { clock, lifeSeconds, look }: Pick<OpeningOptions, 'clock' | 'lifeSeconds'> & { look: () => Promise<LiveSession | undefined> },
): Promise<Listed> {
  answer.catch(() => undefined); // an answer that comes too late is ignored
  for (let waited = 0; waited < LONGEST_ANSWER; waited += LOOK_EVERY) {
    const known = (await Promise.race([answer, sleep(clock, LOOK_EVERY)])) ?? (await look());
    if (known !== undefined) return known;
  }
  return { id: undefined, expires: newest.timestamp + lifeSeconds };
}
/** Sends one CreateSession; with `times`, again while its time is refused. The id is undefined if no definite answer came. */
async function create(options: OpeningOptions): Promise<Requested> {
  const { client, clock, time, times, wallet, lifeSeconds } = options;
  const heard = await readTime(client, { clock, time });
  const newest = { timestamp: times?.acceptedAt(clock.now()) ?? heard };
  const send = (timestamp: number): Promise<Reply> => {
    newest.timestamp = timestamp;
    return requestSession(timestamp, options);
  };
  const reply = times === undefined ? send(newest.timestamp) : times.send(newest.timestamp, { send, verdictOf: timeVerdictOf });
  return { newest, answer: reply.then((received) => sessionIn(received, { expires: newest.timestamp + lifeSeconds, wallet, times })) };
}

async function requestSession(timestamp: number, options: OpeningOptions): Promise<Reply> {
  const { client, codec, wallet, signer, nextNonce, lifeSeconds } = options;
  const keys = { userPubkey: wallet.publicKey, sessionPubkey: signer.publicKey };
  const nonce = nextNonce();
  const action = { kind: 'createSession', timestamp, nonce, ...keys, expiry: timestamp + lifeSeconds } as const;
  const body = await sealSession(action, { codec, wallet });
  // the permit is not needed: cancels need a session even if orders may not be placed
  options.writeAhead([{ action: 'createSession', timestamp, nonce, body }]);
  return replyOf(client.createSession(body), codec);
}

function sessionIn(reply: Reply, { expires, wallet, times }: Pick<OpeningOptions, 'wallet' | 'times'> & { expires: number }): Listed {
  if (reply.kind === 'notSent') {
    const message = `the request for a session could not be sent: ${reply.reason}`;
    throw times === undefined ? new Error(message) : new ClientError({ kind: 'notSent', message }); // tried again soon by what only cancels
  }
  if (reply.kind === 'receipt' && reply.receipt.kind === 'createSession') return { id: reply.receipt.sessionId, expires };
  if (reply.kind === 'receipt' && reply.receipt.kind === 'err' && !isInconclusive(reply.receipt.error))
    throw refusal(reply.receipt.error, wallet);
  return { id: undefined, expires };
}

/** A temporary refusal lasts longer than a lost answer. */
const REFUSED_FOR: Millis = 2_000;

/** Returns an Error for a temporary refusal, a UserError for one that a person must fix. */
function refusal(error: string, wallet: Wallet): Error {
  const key = toBase58(wallet.publicKey);
  const refused = (message: string, hint: string): UserError => new UserError({ code: 'session', message: `${message} (${error})`, hint });
  if (error === 'USER_NOT_FOUND') {
    return refused(
      `the exchange knows no user with the public key ${key}`,
      'make a first deposit with this key, or check that --key is the key you trade with',
    );
  }
  if (meaningOf(error) === 'signature') {
    return refused(
      `the exchange does not accept the signature of ${key}`,
      'check that --key is the wallet key itself, and --schema the one of this exchange',
    );
  }
  if (TEMPORARY.has(meaningOf(error)))
    return Object.assign(new Error(`the exchange refuses a session for now (${error})`), { retryAfterMs: REFUSED_FOR });
  return refused('the exchange refuses a session', 'look up the error name; the bot cannot trade without a session');
}
