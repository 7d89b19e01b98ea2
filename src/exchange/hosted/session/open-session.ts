// Making one session: one of our key that still lives is taken up again; else a new one is asked for, once.
import { type Clock, type Millis, sleep } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import type { SessionId } from '../../../domain/ids.ts';
import type { ActionCodec } from '../../../wire/codec.ts';
import { meaningOf } from '../../../wire/errors.ts';
import { type Signer, toBase58 } from '../../../wire/signing.ts';
import type { Log } from '../../kit/log.ts';
import type { WriteAhead } from '../../kit/outgoing.ts';
import { userOf } from '../account/user.ts';
import type { HostedClient } from '../client/client.ts';
import { leavesOpen, type Reply, replyOf } from '../client/receipt.ts';
import { type EngineTime, engineSeconds } from './engine-time.ts';
import { sealSession } from './seal.ts';

/** The user's own key, which signs nothing but what opens a session. */
export interface Wallet {
  readonly publicKey: Uint8Array;
  /** The signature, 64 bytes, of a framed action as `sessionMessage` writes it. Rejects where none can be had. */
  signSession(framed: Uint8Array): Promise<Uint8Array>;
}

export interface OpeningOptions {
  readonly client: HostedClient;
  readonly codec: ActionCodec;
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly wallet: Wallet;
  /** The session's key. */
  readonly signer: Signer;
  readonly nextNonce: () => number;
  readonly keep: WriteAhead;
  /** How long a session is asked to live; the exchange may shorten it. */
  readonly lifeSeconds: number;
  readonly log: Log;
}

export interface LiveSession {
  readonly id: SessionId;
  /** Engine time, in seconds. */
  readonly expires: number;
}

/** Which sessions will not do: those told not found, and those that end at `after` or earlier. */
export interface Unwanted {
  readonly ids: ReadonlySet<SessionId>;
  readonly after: number;
}

/** How often the list is looked at while the answer to a CreateSession is awaited, and for how long: a reply may be lost in silence. */
const LOOK_EVERY: Millis = 5_000;
const LONGEST_ANSWER: Millis = 20_000;

/** Nothing of the CreateSession left: no session can have come of it. */
export class SessionNotAsked extends Error {
  override readonly name = 'SessionNotAsked';
}

/** When to look for a session that was asked for; a list may lag behind the receipt, and a receipt may be lost. */
const LOOKS_AFTER: readonly Millis[] = [0, 250, 500, 1_000, 2_000];

/**
 * Sends at most one CreateSession. Whatever became of it, the user's own list of sessions decides: a lost reply is found there, and so is the true
 * expiry. Rejects with a UserError where the exchange refuses, with another Error where it may work later: a HostedError where a question failed that
 * comes before the user's key and a session are asked for.
 */
export async function openSession(options: OpeningOptions, unwanted: Unwanted): Promise<LiveSession> {
  const wanted = ({ id, expires }: Listed): boolean => expires > unwanted.after && !(id !== undefined && unwanted.ids.has(id));
  const living = async (): Promise<LiveSession | undefined> => latest((await listed(options)).filter(wanted).filter(hasId));
  const before = await living();
  if (before !== undefined) return before;
  const asked = await answerOrList(await create(options), { clock: options.clock, look: () => living().catch(() => undefined) });
  let missing = false;
  for (const pause of LOOKS_AFTER) {
    await sleep(options.clock, pause);
    const sessions = await listed(options).catch((error: unknown) => options.log.warn(`looking for the session: ${messageOf(error)}`));
    if (sessions === undefined) continue;
    const found = sessions.find(({ id }) => id !== undefined && id === asked.id) ?? latest(sessions.filter(wanted));
    const id = asked.id ?? found?.id;
    if (found !== undefined && id !== undefined) return { id, expires: found.expires };
    missing = true;
  }
  if (asked.id === undefined || !missing) throw new Error('the session that was asked for did not show itself');
  options.log.warn(`session ${asked.id} is not listed under its user; its expiry is taken to be the one asked for`);
  return { id: asked.id, expires: asked.expires };
}

/** As the user's list shows it; a list need not say the id. */
interface Listed {
  readonly id: SessionId | undefined;
  readonly expires: number;
}

const hasId = (session: Listed): session is LiveSession => session.id !== undefined;

/** Our key's sessions that live; none where the exchange does not know the user yet. */
async function listed({ client, clock, time, wallet, signer }: OpeningOptions): Promise<readonly Listed[]> {
  const publicKey = toBase58(signer.publicKey);
  const user = await userOf(client, toBase58(wallet.publicKey));
  return (user?.sessions ?? [])
    .filter(({ pubkey }) => pubkey === publicKey)
    .map(({ sessionId, expiry }) => ({ id: sessionId, expires: Math.floor(Date.parse(expiry) / 1_000) }))
    .filter(({ expires }) => expires > time.estimate(clock.now()));
}

function latest<T extends Listed>(sessions: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const session of sessions) if (best === undefined || session.expires > best.expires) best = session;
  return best;
}

/** A timestamp that came too late, and maintenance. */
const PASSING: ReadonlySet<string> = new Set(['time', 'market']);

interface Requested {
  /** Engine time, in seconds: asked for. */
  readonly expires: number;
  readonly answer: Promise<Listed>;
}

/** The answer, or the session as the list shows it meanwhile. Without both, the id is undefined. */
async function answerOrList(
  { answer, expires }: Requested,
  { clock, look }: { clock: Clock; look: () => Promise<LiveSession | undefined> },
): Promise<Listed> {
  answer.catch(() => undefined); // one that comes too late concerns nobody
  for (let waited = 0; waited < LONGEST_ANSWER; waited += LOOK_EVERY) {
    const known = (await Promise.race([answer, sleep(clock, LOOK_EVERY)])) ?? (await look());
    if (known !== undefined) return known;
  }
  return { id: undefined, expires };
}

/** Sends one CreateSession. The id is undefined where no definite answer came. */
async function create(options: OpeningOptions): Promise<Requested> {
  const { client, codec, clock, time, wallet, signer, nextNonce, lifeSeconds } = options;
  const asked = clock.now();
  const timestamp = engineSeconds(await client.timestamp());
  time.observe({ seconds: timestamp, asked });
  const expires = timestamp + lifeSeconds;
  const keys = { userPubkey: wallet.publicKey, sessionPubkey: signer.publicKey };
  const nonce = nextNonce();
  const body = await sealSession({ kind: 'createSession', timestamp, nonce, ...keys, expiry: expires }, { codec, wallet });
  options.keep([{ action: 'createSession', timestamp, nonce, body }]); // cancels need a session too, whatever may not be placed
  const answer = replyOf(client.createSession(body), codec).then((reply) => sessionIn(reply, { expires, wallet }));
  return { expires, answer };
}

function sessionIn(reply: Reply, { expires, wallet }: { expires: number; wallet: Wallet }): Listed {
  if (reply.kind === 'notSent') throw new SessionNotAsked(`the session could not be asked for: ${reply.reason}`);
  if (reply.kind === 'receipt' && reply.receipt.kind === 'createSession') return { id: reply.receipt.sessionId, expires };
  if (reply.kind === 'receipt' && reply.receipt.kind === 'err' && !leavesOpen(reply.receipt.error))
    throw refusal(reply.receipt.error, wallet);
  return { id: undefined, expires };
}

/** An Error for what passes by itself, a UserError for what a person has to mend. */
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
  if (PASSING.has(meaningOf(error))) return new Error(`the exchange refuses a session for now (${error})`);
  return refused('the exchange refuses a session', 'see what the error name says; nothing can be traded without a session');
}
