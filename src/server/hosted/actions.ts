// POST /action: signed bytes in, a receipt out, whatever the bytes.
import { assert, unreachable } from '../../base/assert.ts';
import type { HttpReply, HttpRequest } from '../../base/transport.ts';
import type { ActionCodec, Receipt, WireAction } from '../../wire/codec.ts';
import { MAX_ACTION_BYTES, splitSigned, WireError } from '../../wire/framing.ts';
import { sessionMessage, verify } from '../../wire/signing.ts';
import { bytesReply, Refused } from '../reply.ts';
import { type ActionError, ActionFailed, cancel, type Desk, openSession, place } from './commands.ts';
import type { Session } from './sessions.ts';
import { ActionWindow, engineSeconds } from './window.ts';

const OCTETS = 'application/octet-stream';

/**
 * The endpoint. Another media type is 415, a body beyond 1024 bytes 413; everything else is answered with 200 and a receipt, whose error is the first
 * of these that applies: the framing, the encoding, the timestamp, an action that is not served, the session, the signature, the duplicate, and then
 * what the exchange itself says. Authentic bytes count as seen even when they are refused: whatever was answered, they will never do anything later.
 */
export function actionEndpoint({ codec, ...desk }: Desk & { readonly codec: ActionCodec }): (request: HttpRequest) => HttpReply {
  const window = new ActionWindow();

  const perform = (body: Uint8Array): Receipt => {
    const { framed, signature } = readingOr('DECODE_FAILURE_LENGTH_PREFIX', () => splitSigned(body));
    const action = readingOr('DECODE_FAILURE_RAW', () => codec.decode(framed));
    const now = engineSeconds(desk.exchange.now());
    const { timestamp } = action;
    if (!window.admits(timestamp, now)) throw new ActionFailed('TIMESTAMP_OUT_OF_THRESHOLD');
    if (action.kind === 'other') throw new ActionFailed(action.name === undefined ? 'DECODE_FAILURE_DOMAIN' : 'NOT_IMPLEMENTED');
    const author = authorOf(action, desk, now);
    const message = author.kind === 'user' ? sessionMessage(framed) : framed;
    if (!verify({ publicKey: author.publicKey, message, signature })) throw new ActionFailed('INVALID_SIGNATURE');
    if (!window.firstSight({ signed: framed, timestamp, now })) throw new ActionFailed('DUPLICATE');
    return deed(desk, action, now);
  };

  return ({ contentType, body = new Uint8Array() }) => {
    if (mediaType(contentType) !== OCTETS) throw new Refused(415, { expected: OCTETS });
    if (body.length > MAX_ACTION_BYTES) throw new Refused(413, { limit: MAX_ACTION_BYTES });
    return bytesReply(OCTETS, codec.encodeReceipt(perform(body)));
  };
}
