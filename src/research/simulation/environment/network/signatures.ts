// How a simulated run signs its orders: with real signatures, or with a keyed hash, which is faster to make and to check.
import { createHash } from 'node:crypto';
import { ED25519, publicKeyOf, type Signatures, type Signer } from '../../../../base/wire/ed25519.ts';
import type { Options } from '../../plan/options.ts';

/** 64 bytes that depend on each byte of message and key. Anyone with the public key can make them, which does no harm here. */
const hashOf = (publicKey: Uint8Array, message: Uint8Array): Uint8Array => createHash('sha512').update(publicKey).update(message).digest();

const KEYED_HASH: Signatures = {
  signerFrom(secret) {
    const publicKey = publicKeyOf(secret);
    return { publicKey, sign: (message) => new Uint8Array(hashOf(publicKey, message)) };
  },
  verifierOf: (publicKey) => (message, signature) => Buffer.compare(hashOf(publicKey, message), signature) === 0,
};

/** Each process of a run has the same keys, so signers are cached. The key of `user` signs rarely, and with real signatures in every run. */
export function signingOf({ signatures }: Pick<Options, 'signatures'>, user: Uint8Array): Signatures {
  const scheme = signatures === 'ed25519' ? ED25519 : KEYED_HASH;
  const signers = new Map<string, Signer>();
  const signerFrom = (secret: Uint8Array): Signer => {
    const name = Buffer.from(secret).toString('hex');
    const signer = signers.get(name) ?? scheme.signerFrom(secret);
    signers.set(name, signer);
    return signer;
  };
  return {
    signerFrom,
    verifierOf: (publicKey) => (Buffer.compare(publicKey, user) === 0 ? ED25519 : scheme).verifierOf(publicKey),
  };
}
