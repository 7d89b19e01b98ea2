// The endpoint POST /action: checks signed bytes, executes the action, and returns a receipt, also for bytes that cannot be read.
import { assert, unreachable } from '../../../base/errors.ts';
import { bytesReply, RefusedRequest } from '../../../base/server/reply.ts';
import type { HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import { fromBase58, type Signatures, sessionMessage, type Verifier } from '../../../base/wire/ed25519.ts';
import { MAX_ACTION_BYTES, splitSigned, WireError } from '../../../base/wire/framing.ts';
import type { ActionId, SessionId } from '../../../bot/domain/ids.ts';
import type { ActionLog } from './action-log.ts';
import { type ActionError, ActionFailed, cancel, type HostedApiContext, openSession, place, revokeSession } from './commands.ts';
import { atomic, transfer } from './compound-commands.ts';
import type { ServedCodec, ServedReceipt } from './served-codec.ts';
import type { ServedSession } from './sessions.ts';
import type { ActionFilter } from './window.ts';

const OCTETS = 'application/octet-stream';

export interface ActionEndpointOptions {
  readonly codec: ServedCodec;
  readonly context: HostedApiContext;
  readonly window: ActionFilter;
  /** Receives each action that is executed. */
  readonly log: ActionLog;
  /** Engine time. */
  readonly seconds: () => number;
  readonly signatures: Signatures;
}

/**
 * Returns the endpoint. It answers with 415 to another media type, with 413 to a body beyond 1024 bytes, otherwise with 200 and a receipt. Faults are
 * checked in this order: the framing, the encoding, the timestamp, an action that is not served, the session, the signature, a duplicate, the
 * exchange's own refusal. Authentic bytes count as received even if they are refused: they are never executed later.
 */
export function actionEndpoint(options: ActionEndpointOptions): (call: { request: HttpRequest }) => HttpReply {
  const { codec } = options;
  const verifierFor = cachedVerifiers(options.signatures);
  return ({ request: { contentType, body = new Uint8Array() } }) => {
    if (mediaType(contentType) !== OCTETS) throw new RefusedRequest(415, { expected: OCTETS });
    if (body.length > MAX_ACTION_BYTES) throw new RefusedRequest(413, { limit: MAX_ACTION_BYTES });
    const receipt = receiptOf(options, () => perform({ ...options, verifierFor }, body));
    if (receipt.kind !== 'err') logExecuted(options, receipt.actionId, body);
    return bytesReply(OCTETS, codec.encodeReceipt(receipt));
  };
}

function perform(
  { codec, context, window, seconds, verifierFor }: ActionEndpointOptions & VerifierLookup,
  body: Uint8Array,
): ServedReceipt {
  const { framed, signature } = readOr('DECODE_FAILURE_LENGTH_PREFIX', () => splitSigned(body));
  const action = readOr('DECODE_FAILURE_RAW', () => codec.decode(framed));
  const now = seconds();
  const { timestamp, nonce } = action;
  if (!window.admits(timestamp, now)) throw new ActionFailed('TIMESTAMP_OUT_OF_THRESHOLD');

  const authenticate = (publicKey: Uint8Array, message: Uint8Array): void => {
    if (!verifierFor(publicKey)(message, signature)) throw new ActionFailed(codec.badSignature);
    if (!window.isFirst({ signed: framed, timestamp, nonce, now })) throw new ActionFailed('DUPLICATE');
  };
  const sessionOf = (id: SessionId): ServedSession => {
    const session = context.sessions.find(id, now);
    if (session === undefined) throw new ActionFailed('SESSION_NOT_FOUND');
    return session;
  };
  const authenticatedUser = (id: SessionId): string => {
    const session = sessionOf(id);
    authenticate(session.publicKey, framed);
    return session.user;
  };

  switch (action.kind) {
    case 'createSession':
      authenticate(action.userPubkey, sessionMessage(framed));
      return openSession(context, action, now);
    case 'placeOrder':
      return place(context, authenticatedUser(action.sessionId), action);
    case 'cancelOrder':
      return cancel(context, authenticatedUser(action.sessionId), action);
    case 'revokeSession':
      authenticate(fromBase58(sessionOf(action.sessionId).user) ?? new Uint8Array(), sessionMessage(framed));
      return revokeSession(context, action);
    case 'transfer':
      return transfer(context, authenticatedUser(action.sessionId), action);
    case 'atomic':
      return atomic(context, authenticatedUser(action.sessionId), action);
    case 'other':
      throw new ActionFailed(action.name === undefined ? 'DECODE_FAILURE_DOMAIN' : 'NOT_IMPLEMENTED');
    default:
      return unreachable(action);
  }
}

function logExecuted({ log, context }: ActionEndpointOptions, actionId: ActionId, body: Uint8Array): void {
  log.add({ actionId, time: context.exchange.now(), framed: splitSigned(body).framed });
}

interface VerifierLookup {
  readonly verifierFor: (publicKey: Uint8Array) => Verifier;
}

/** Caches the verifier of a public key while its session exists, because creating one takes longer than verifying with it. */
function cachedVerifiers({ verifierOf }: Signatures): VerifierLookup['verifierFor'] {
  const verifiers = new WeakMap<Uint8Array, Verifier>();
  return (publicKey) => {
    const known = verifiers.get(publicKey) ?? verifierOf(publicKey);
    verifiers.set(publicKey, known);
    return known;
  };
}

/** Returns the receipt of an action; an error receipt if it fails, with the next action id, which stays unused. */
function receiptOf({ codec, context }: ActionEndpointOptions, act: () => ServedReceipt): ServedReceipt {
  try {
    return act();
  } catch (thrown) {
    if (!(thrown instanceof ActionFailed)) throw thrown;
    const { error } = thrown;
    const code = codec.errorCode(error);
    assert(code !== undefined, `no schema has a number for ${error}`);
    return { kind: 'err', actionId: String(BigInt(context.exchange.lastActionId()) + 1n), error, code };
  }
}

function readOr<T>(error: ActionError, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof WireError ? new ActionFailed(error) : thrown;
  }
}

const mediaType = (contentType = ''): string => contentType.replace(/;.*/s, '').trim().toLowerCase();
