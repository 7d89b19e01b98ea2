// Encodes an action, decodes it again, compares it with the approved one, and only then signs it: the framed bytes, with Ed25519 (`base/wire/ed25519.ts`).
import { isDeepStrictEqual } from 'node:util';
import { AssertionError, assert, messageOf } from '../../base/errors.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import type { Signer } from '../../base/wire/ed25519.ts';
import type { CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountId, SessionId } from '../../bot/domain/ids.ts';
import type { ActionCodec, WireAction } from './codec.ts';

type OrderAction = Extract<WireAction, { readonly kind: 'placeOrder' | 'cancelOrder' }>;
type SessionAction = Extract<WireAction, { readonly kind: 'createSession' }>;

/**
 * Returns the body of `POST /action`: length prefix, action, signature. Throws an AssertionError before signing if any decoded field differs from
 * `action`: with a wrong schema the bytes would be another order. The session's key could also move funds, so this is its only use, and only for
 * placements and cancels.
 */
export function seal(action: OrderAction, { codec, signer }: { codec: ActionCodec; signer: Signer }): Uint8Array {
  assert(action.kind === 'placeOrder' || action.kind === 'cancelOrder', "the session's key signs placements and cancels alone");
  const framed = approvedBytes(action, codec);
  return Buffer.concat([framed, signer.sign(framed)]);
}

/** Like `seal`, for the creation of a session, which the user's own key signs. */
export async function sealSession(
  action: SessionAction,
  { codec, wallet }: { codec: ActionCodec; wallet: Pick<Wallet, 'signSession'> },
): Promise<Uint8Array> {
  assert(action.kind === 'createSession', "the user's own key opens sessions, and does nothing else");
  const framed = approvedBytes(action, codec);
  return Buffer.concat([framed, await wallet.signSession(framed)]);
}

function approvedBytes(action: WireAction, codec: ActionCodec): Uint8Array {
  const framed = codec.encode(action);
  const altered = differingFields(action, readBack(framed, codec));
  assert(altered.length === 0, `the encoded ${action.kind} differs from the approved one in ${altered.join(', ')}`);
  return framed;
}

/** The fields that the wire format adds to an action. */
export interface SigningTerms {
  readonly timestamp: number;
  readonly nonce: number;
  readonly sessionId: SessionId;
  /** The acting account; if undefined, the exchange uses the user's first. */
  readonly sender: AccountId | undefined;
  readonly extras: ActionCodec['extras'];
}

type Cancel = Pick<CancelOrder, 'kind' | 'orderId'>;

/** Returns the action as the wire defines it, with the optional fields that the schema has. */
export function wireActionOf(action: PlaceOrder | Cancel, { timestamp, nonce, sessionId, sender, extras }: SigningTerms): OrderAction {
  if (action.kind === 'cancel') {
    return {
      kind: 'cancelOrder',
      timestamp,
      nonce,
      sessionId,
      orderId: action.orderId,
      senderAccountId: extras.cancelSender ? sender : undefined,
    };
  }
  return {
    kind: 'placeOrder',
    timestamp,
    nonce,
    sessionId,
    marketId: action.market,
    side: action.side,
    fillMode: action.fillMode,
    price: BigInt(action.price),
    size: BigInt(action.size),
    reduceOnly: extras.reduceOnly ? action.reduceOnly : undefined,
    clientOrderId: extras.clientOrderId ? action.clientOrderId : undefined,
    senderAccountId: extras.placeSender ? sender : undefined,
  };
}

/** Decodes the bytes. The codec refuses unknown fields, so the result is complete. */
function readBack(framed: Uint8Array, codec: ActionCodec): WireAction {
  try {
    return codec.decode(framed);
  } catch (error) {
    throw new AssertionError(`the encoded action cannot be read back: ${messageOf(error)}`);
  }
}

function differingFields(approved: WireAction, encoded: WireAction): readonly string[] {
  const approvedFields: Readonly<Record<string, unknown>> = approved;
  const encodedFields: Readonly<Record<string, unknown>> = encoded;
  const fields = new Set([...Object.keys(approved), ...Object.keys(encoded)]);
  return [...fields].filter((field) => differs(approvedFields[field], encodedFields[field]));
}

const differs = (a: unknown, b: unknown): boolean => a !== b && !isDeepStrictEqual(plain(a), plain(b));

/** Makes bytes comparable by content, whatever class holds them. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);
