// How a simulated run signs: as the real one does, or with a keyed hash, where the sums of Ed25519 would be what most of its time goes to.
import { createHash } from 'node:crypto';
import { Memo } from '../base/memo.ts';
import type { Wallet } from '../exchange/hosted/session-opening.ts';
import { walletOf } from '../run/keys/key.ts';
import { ED25519, publicKeyOf, type Signatures, type Signer, sessionMessage } from '../wire/signing.ts';
import type { Options } from './options.ts';

export interface Signing extends Signatures {
  readonly walletOf: (secret: Uint8Array) => Wallet;
}

/** 64 bytes that hang on each byte of message and key. Whoever has the public key can make them, and there is nobody here who would. */
const hashOf = (publicKey: Uint8Array, message: Uint8Array): Uint8Array => createHash('sha512').update(publicKey).update(message).digest();

const KEYED_HASH: Signatures = {
  signerFrom(secret) {
    const publicKey = publicKeyOf(secret);
    return { publicKey, sign: (message) => new Uint8Array(hashOf(publicKey, message)) };
  },
  verifierOf: (publicKey) => (message, signature) => Buffer.compare(hashOf(publicKey, message), signature) === 0,
};

/** Each process of a run has the same keys: they are made ready once. */
export function signingOf({ signatures }: Pick<Options, 'signatures'>): Signing {
  const scheme = signatures === 'ed25519' ? ED25519 : KEYED_HASH;
  const signers = new Memo<string, Signer>();
  const signerFrom = (secret: Uint8Array): Signer => signers.of(Buffer.from(secret).toString('hex'), () => scheme.signerFrom(secret));
  return {
    signerFrom,
    verifierOf: scheme.verifierOf,
    walletOf: signatures === 'ed25519' ? walletOf : (secret) => walletWith(signerFrom(secret)),
  };
}

const walletWith = (signer: Signer): Wallet => ({
  publicKey: signer.publicKey,
  signSession: (framed) => Promise.resolve(signer.sign(sessionMessage(framed))),
});
