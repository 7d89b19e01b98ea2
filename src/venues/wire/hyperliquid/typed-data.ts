// Digests of typed data (EIP-712), their secp256k1 signatures, and the address that made one.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { assert } from '../../../base/errors.ts';

/** A field of a struct: its name, its type, and its value. Addresses and bytes32 are hex with 0x. */
type Field =
  | readonly [name: string, type: 'string' | 'address' | 'bytes32', value: string]
  | readonly [name: string, type: 'uint64' | 'uint256', value: number];

export interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: string;
}

/** A signature as in the JSON of an action: `r` and `s` are hex with 0x, at most 64 digits; `v` is 27 or 28. */
export interface Signature {
  readonly r: string;
  readonly s: string;
  readonly v: number;
}

const KEY_BYTES = 32;
const ADDRESS_BYTES = 20;

/** Returns the 32 bytes that are signed for a struct. */
export function typedDigest(domain: Domain, struct: { readonly name: string; readonly fields: readonly Field[] }): Uint8Array {
  const { name, version, chainId, verifyingContract } = domain;
  const separator = structHash('EIP712Domain', [
    ['name', 'string', name],
    ['version', 'string', version],
    ['chainId', 'uint256', chainId],
    ['verifyingContract', 'address', verifyingContract],
  ]);
  return keccak_256(Buffer.concat([Buffer.from([0x19, 0x01]), separator, structHash(struct.name, struct.fields)]));
}

/** Signs a digest. `secret` has 32 bytes. The same digest has the same signature (RFC 6979). */
export function signDigest(digest: Uint8Array, secret: Uint8Array): Signature {
  const signature = Buffer.from(secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' }));
  const word = (start: number): string => `0x${signature.toString('hex', start, start + KEY_BYTES)}`;
  return { v: 27 + signature[0]!, r: word(1), s: word(1 + KEY_BYTES) };
}

/** Returns the address whose key signed the digest, in lower case; undefined if no key can have made the signature. */
export function signerOf(digest: Uint8Array, { r, s, v }: Signature): string | undefined {
  try {
    const signature = Buffer.concat([Buffer.from([v - 27]), bytesOf(r, KEY_BYTES), bytesOf(s, KEY_BYTES)]);
    return addressOfPoint(secp256k1.Signature.fromBytes(signature, 'recovered').recoverPublicKey(digest).toBytes(false));
  } catch {
    return undefined;
  }
}

/** Returns the address of a secret key, in lower case. Throws if 32 bytes are no key of the curve. */
export const addressOf = (secret: Uint8Array): string => addressOfPoint(secp256k1.getPublicKey(secret, false));

/** Returns the address of a public key, which is an uncompressed point of the curve. */
const addressOfPoint = (point: Uint8Array): string =>
  `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-ADDRESS_BYTES)).toString('hex')}`;

/** Returns the bytes of a hex text; a shorter text is padded on the left, as some signers leave out zeros. */
export function bytesOf(text: string, length: number): Uint8Array {
  const digits = text.replace(/^0x/, '').padStart(2 * length, '0');
  assert(digits.length === 2 * length && /^[0-9a-fA-F]+$/.test(digits), `"${text}" is not hex of at most ${length} bytes`);
  return Buffer.from(digits, 'hex');
}

function structHash(name: string, fields: readonly Field[]): Uint8Array {
  const type = `${name}(${fields.map(([field, kind]) => `${kind} ${field}`).join(',')})`;
  return keccak_256(Buffer.concat([keccak_256(Buffer.from(type)), ...fields.map(word)]));
}

/** Returns the 32 bytes that stand for a field in the hash of its struct. */
function word([, type, value]: Field): Uint8Array {
  if (type === 'string') return keccak_256(Buffer.from(value));
  return bytesOf(typeof value === 'number' ? value.toString(16) : value, KEY_BYTES);
}
