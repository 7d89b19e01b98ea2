// Keys and signatures: the library and the platform agree to the byte, and nothing malformed is accepted or throws.
import { createHash } from 'node:crypto';
import * as noble from '@noble/ed25519';
import { describe, expect, it } from 'vitest';
import {
  fromBase58,
  newSecretKey,
  publicKeyOf,
  sessionMessage,
  signerFrom,
  toBase58,
  verifierOf,
  verify,
} from '../../../src/base/wire/ed25519.ts';
import { hex, key, toHex } from './samples.ts';

noble.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

// From RFC 8032, section 7.1, test 2.
const RFC = {
  secret: hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'),
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  message: hex('72'),
  signature:
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
};

describe('signing', () => {
  it('gives the bytes of the standard', () => {
    expect(toHex(publicKeyOf(RFC.secret))).toBe(RFC.publicKey);
    expect(toHex(signerFrom(RFC.secret).sign(RFC.message))).toBe(RFC.signature);
  });

  it('gives the same bytes by the platform as by noble', () => {
    for (let length = 0; length < 20; length++) {
      const secret = key(length + 1);
      const message = new Uint8Array(length * 7).fill(length);
      const signer = signerFrom(secret);
      expect(toHex(signer.sign(message))).toBe(toHex(noble.sign(message, secret)));
      expect(toHex(signer.publicKey)).toBe(toHex(noble.getPublicKey(secret)));
    }
  });

  it('outlives the wiping of the secret it was made from', () => {
    const secret = Uint8Array.from(RFC.secret);
    const signer = signerFrom(secret);
    secret.fill(0);
    expect(toHex(signer.sign(RFC.message))).toBe(RFC.signature);
  });

  it('shows no secret of a signer', () => {
    expect(JSON.stringify(signerFrom(RFC.secret))).not.toContain('76,205');
    expect(Object.keys(signerFrom(RFC.secret))).toEqual(['publicKey', 'sign']);
  });

  it('makes a new key each time, and none of another length', () => {
    expect(toHex(newSecretKey())).not.toBe(toHex(newSecretKey()));
    expect(() => publicKeyOf(new Uint8Array(64))).toThrow('32 bytes, not 64');
  });
});

describe('checking', () => {
  const signer = signerFrom(RFC.secret);
  const { publicKey } = signer;
  const message = hex('01 02 03');
  const signature = signer.sign(message);

  it('accepts a signature, again and again', () => {
    const accepts = verifierOf(publicKey);
    expect([accepts(message, signature), accepts(message, signature), verify({ publicKey, message, signature })]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    ['another message', { message: hex('01 02 04') }],
    ['another key', { publicKey: signerFrom(key(9)).publicKey }],
    ['a changed signature', { signature: signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte)) }],
    ['a short signature', { signature: signature.slice(1) }],
    ['no signature', { signature: new Uint8Array(0) }],
    ['a key of another length', { publicKey: publicKey.slice(1) }],
    ['no key', { publicKey: new Uint8Array(0) }],
    ['a key that is not a point of the curve', { publicKey: key(0xff) }],
  ])('refuses %s without throwing', (_, wrong) => expect(verify({ publicKey, message, signature, ...wrong })).toBe(false));
});

it('opens a session over lowercase hex in ASCII', () => {
  expect(new TextDecoder().decode(sessionMessage(hex('02 0A FF')))).toBe('020aff');
});

describe('base58', () => {
  it('goes both ways', () => {
    expect(toBase58(hex('00 00 01 02'))).toBe('115T');
    expect(fromBase58('115T')).toEqual(Uint8Array.from(hex('00 00 01 02')));
  });

  it.each(['0OIl', 'abc!', ' ', 'z'.repeat(129)])('gives nothing for %j', (text) => expect(fromBase58(text)).toBeUndefined());
});
