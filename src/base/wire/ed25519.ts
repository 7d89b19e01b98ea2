// Ed25519 keys: created by noble, used through node:crypto with its key objects kept, which is nine times faster and gives the same bytes.
// An action is encoded, compared and signed in `venues/wire/sign-action.ts`.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify as verifySignature } from 'node:crypto';
import * as noble from '@noble/ed25519';
import bs58 from 'bs58';
import { assert } from '../errors.ts';
import { SIGNATURE_BYTES } from './framing.ts';

export const KEY_BYTES = 32;
const MAX_BASE58_CHARACTERS = 128; // decoding is quadratic; a 64-byte key takes 88

// DER headers that precede the raw 32 bytes (RFC 8410).
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** A private key that can only sign. */
export interface Signer {
  readonly publicKey: Uint8Array;
  /** Returns 64 bytes; the same for the same message. */
  sign(message: Uint8Array): Uint8Array;
}

/** Returns 32 bytes from the platform's own randomness, never from a run's seed. */
export const newSecretKey = (): Uint8Array => noble.utils.randomSecretKey();

export const publicKeyOf = (secret: Uint8Array): Uint8Array => publicKeyBehind(keyFrom(secret));

/** Holds the key for as long as the signer lives; `secret` itself may be wiped afterwards. */
export function signerFrom(secret: Uint8Array): Signer {
  const key = keyFrom(secret);
  return { publicKey: publicKeyBehind(key), sign: (message) => new Uint8Array(sign(null, message, key)) };
}

function keyFrom(secret: Uint8Array): KeyObject {
  assert(secret.length === KEY_BYTES, `a secret key has ${KEY_BYTES} bytes, not ${secret.length}`);
  const der = Buffer.concat([PKCS8, secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}

const publicKeyBehind = (key: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length));

/** Never throws: a malformed signature is not a valid one. */
export type Verifier = (message: Uint8Array, signature: Uint8Array) => boolean;

/** Returns a check against one public key, for many messages. */
export function verifierOf(publicKey: Uint8Array): Verifier {
  if (publicKey.length !== KEY_BYTES) return () => false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return (message, signature) => signature.length === SIGNATURE_BYTES && verifySignature(null, message, key, signature);
}

/** How actions are signed, and how signatures are verified. */
export interface Signatures {
  readonly signerFrom: (secret: Uint8Array) => Signer;
  readonly verifierOf: (publicKey: Uint8Array) => Verifier;
}

export const ED25519: Signatures = { signerFrom, verifierOf };

/** Verifies one signature of one public key; never throws. */
export function verify({ publicKey, message, signature }: { publicKey: Uint8Array; message: Uint8Array; signature: Uint8Array }): boolean {
  return verifierOf(publicKey)(message, signature);
}

/** Returns the message that the user's key signs to open a session: the framed action as lowercase hex, in ASCII. */
export const sessionMessage = (framed: Uint8Array): Uint8Array => new TextEncoder().encode(Buffer.from(framed).toString('hex'));

export const toBase58 = (bytes: Uint8Array): string => bs58.encode(bytes);

/** Returns undefined for text that is not base58, or longer than any key. */
export function fromBase58(text: string): Uint8Array | undefined {
  return text.length > MAX_BASE58_CHARACTERS ? undefined : bs58.decodeUnsafe(text);
}
