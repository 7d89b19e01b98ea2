// Ed25519 keys from node:crypto, and base58 for public keys.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

export interface KeyPair {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly base58: string;
  /** Seed and public key, 64 bytes: the layout of a Solana key file. */
  readonly keyFile: readonly number[];
  /** 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** Returns a key derived from the hash of a name; the same name always gives the same key. For tests only. */
export function keyNamed(name: string): KeyPair {
  const seed = createHash('sha256').update(`foreign key ${name}`).digest();
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.from(createPublicKey(secret).export({ format: 'jwk' }).x ?? '', 'base64url');
  return { publicKey, base58: toBase58(publicKey), keyFile: [...seed, ...publicKey], sign: (message) => sign(null, message, secret) };
}

/** Returns false for a wrong signature and for bytes that are not a key or a signature. */
export function isSignedBy({ publicKey, message, signature }: Record<'publicKey' | 'message' | 'signature', Uint8Array>): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}

/** Returns the text that a wallet signs to open a session: the message in lowercase hexadecimal. */
export const hexText = (framed: Uint8Array): Uint8Array => Buffer.from(Buffer.from(framed).toString('hex'), 'ascii');

export function toBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = BASE58.charAt(0).repeat(zeros === -1 ? bytes.length : zeros);
  let text = '';
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n)
    text = BASE58.charAt(Number(rest % 58n)) + text;
  return leading + text;
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The prefix of the 32 secret bytes in a PKCS #8 document (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
