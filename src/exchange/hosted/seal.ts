// An action made ready to leave: encoded, read back, compared with what was approved, and only then signed.
import { isDeepStrictEqual } from 'node:util';
import { AssertionError, assert } from '../../base/assert.ts';
import { messageOf } from '../../base/errors.ts';
import type { Action } from '../../domain/action.ts';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import type { ActionCodec, WireAction } from '../../wire/codec.ts';
import { type Signer, sessionMessage } from '../../wire/signing.ts';

/**
 * The body of `POST /action`: length prefix, action, signature. A schema whose numbers mean something else does not fail, it makes another order;
 * so whatever the bytes say that differs from `action` in any field is an AssertionError, before anything is signed.
 */
export function seal(action: WireAction, { codec, signer }: { codec: ActionCodec; signer: Signer }): Uint8Array {
  const framed = codec.encode(action);
  const altered = differingFields(action, readBack(framed, codec));
  assert(altered.length === 0, `the encoded ${action.kind} differs from the approved one in ${altered.join(', ')}`);
  return Buffer.concat([framed, signer.sign(action.kind === 'createSession' ? sessionMessage(framed) : framed)]);
}

/** What an approved action says beside itself when it travels. */
export interface Terms {
  readonly timestamp: number;
  readonly nonce: number;
  readonly sessionId: SessionId;
  /** The account that acts; undefined where the exchange shall take the user's first. */
  readonly sender: AccountId | undefined;
  readonly extras: ActionCodec['extras'];
}

/** The action in the wire's terms, with the optional fields that the schema at hand has. */
export function wireActionOf(action: Action, { timestamp, nonce, sessionId, sender, extras }: Terms): WireAction {
  const common = { timestamp, nonce, sessionId };
  if (action.kind === 'cancel') {
    return {
      ...common,
      kind: 'cancelOrder',
      orderId: action.orderId,
      ...(extras.cancelSender && sender !== undefined && { senderAccountId: sender }),
    };
  }
  return {
    ...common,
    kind: 'placeOrder',
    marketId: action.market,
    side: action.side,
    fillMode: action.fillMode,
    price: BigInt(action.price),
    size: BigInt(action.size),
    ...(extras.clientOrderId && { clientOrderId: action.clientOrderId }),
    ...(extras.placeSender && sender !== undefined && { senderAccountId: sender }),
  };
}

/** Numbers of 32 bits that tell equal actions of one second apart; after the last comes 0. */
export function nonceCounter(first: number): () => number {
  let next = first;
  return () => {
    const nonce = next >>> 0;
    next = nonce + 1;
    return nonce;
  };
}

/** The codec refuses bytes that say anything besides our fields, so this is the whole of what they mean. */
function readBack(framed: Uint8Array, codec: ActionCodec): WireAction {
  try {
    return codec.decode(framed);
  } catch (error) {
    throw new AssertionError(`the encoded action cannot be read back: ${messageOf(error)}`);
  }
}

function differingFields(approved: WireAction, encoded: WireAction): readonly string[] {
  const wanted: Record<string, unknown> = { ...approved };
  const said: Record<string, unknown> = { ...encoded };
  const fields = new Set([...Object.keys(wanted), ...Object.keys(said)]);
  return [...fields].filter((field) => !isDeepStrictEqual(plain(wanted[field]), plain(said[field])));
}

/** Bytes compare by content, whichever class holds them. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);
