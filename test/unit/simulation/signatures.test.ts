// The signatures of a simulated run: the keyed hash rejects everything that was not signed, and some runs of every profile use real signatures.
import { describe, expect, test } from 'vitest';
import { walletOf } from '../../../src/base/keys/key.ts';
import { publicKeyOf, sessionMessage } from '../../../src/base/wire/ed25519.ts';
import { signingOf } from '../../../src/research/simulation/exchanges/hosted/exchange.ts';
import { optionsOf, type Profile } from '../../../src/research/simulation/plan/options.ts';

const SECRET = new Uint8Array(32).fill(7);
const USER = new Uint8Array(32).fill(9);
const MESSAGE = Uint8Array.of(1, 2, 3);

describe.each(['ed25519', 'keyedHash'] as const)('%s', (signatures) => {
  const signing = signingOf({ signatures }, walletOf(USER).publicKey);
  const { publicKey, sign } = {
    publicKey: signing.signerFrom(SECRET).publicKey,
    sign: (bytes: Uint8Array) => signing.signerFrom(SECRET).sign(bytes),
  };

  test('signs with the public key of the secret, in 64 bytes', () => {
    expect([...publicKey]).toEqual([...publicKeyOf(SECRET)]);
    expect(sign(MESSAGE)).toHaveLength(64);
    expect(signing.verifierOf(publicKey)(MESSAGE, sign(MESSAGE))).toBe(true);
  });

  test('rejects another message, key or signature', () => {
    const check = signing.verifierOf(publicKey);
    const changed = sign(MESSAGE);
    changed[63]! ^= 1;
    expect(check(Uint8Array.of(1, 2, 4), sign(MESSAGE))).toBe(false);
    expect(check(MESSAGE, changed)).toBe(false);
    expect(check(MESSAGE, sign(MESSAGE).slice(0, 63))).toBe(false);
    expect(check(MESSAGE, new Uint8Array())).toBe(false);
    expect(signing.verifierOf(publicKeyOf(SECRET.map((byte) => byte + 1)))(MESSAGE, sign(MESSAGE))).toBe(false);
  });

  test('accepts only real signatures of the user’s key', async () => {
    const wallet = walletOf(USER);
    const check = signing.verifierOf(wallet.publicKey);
    expect(check(sessionMessage(MESSAGE), await wallet.signSession(MESSAGE))).toBe(true);
    expect(check(MESSAGE, signingOf({ signatures: 'keyedHash' }, new Uint8Array(32)).signerFrom(USER).sign(MESSAGE))).toBe(false);
  });
});

const signed = (profile: Profile): Set<string> =>
  new Set(Array.from({ length: 60 }, (_, seed) => optionsOf({ seed: `${seed}`, profile, strategy: 'grid' }).signatures));

test('smoke and calm runs use real signatures, and so do some of the others', () => {
  expect([...signed('smoke'), ...signed('calm')]).toEqual(['ed25519', 'ed25519']);
  for (const profile of ['swarm', 'crash'] as const) expect(signed(profile).size).toBe(2);
});
