// Which actions can be signed. A session key could also move funds, so no encoder and no signer for such an action exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AssertionError } from '../../src/base/errors.ts';
import { newSecretKey, publicKeyOf } from '../../src/base/wire/ed25519.ts';
import type { WireAction } from '../../src/venues/wire/codec.ts';
import { ACTION } from '../../src/venues/wire/schema/needs.ts';
import { seal, sealSession } from '../../src/venues/wire/sign-action.ts';
import { bundled, live, liveText } from '../unit/wire/samples.ts';

const SRC = new URL('../../src', import.meta.url).pathname;
const OURS = { create_session: 'createSession', place_order: 'placeOrder', cancel_order_by_id: 'cancelOrder' };
/** Every kind of action in the exchange's own schema. */
const KINDS = [...(/message Action \{[^]*?oneof kind \{([^}]*)\}/.exec(liveText)?.[1] ?? '').matchAll(/^\s*\w+ (\w+) = \d+;/gm)].map(
  ([, name = '']) => name,
);
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const signed: Uint8Array[] = [];
const signer = { publicKey: publicKeyOf(newSecretKey()), sign: (message: Uint8Array) => (signed.push(message), new Uint8Array(64)) };
const wallet = { signSession: async (framed: Uint8Array) => (signed.push(framed), new Uint8Array(64)) };
const common = { timestamp: 5, nonce: 1 };
const place = { ...common, kind: 'placeOrder', sessionId: '8', marketId: 0, side: 'bid', fillMode: 'LIMIT', price: 3n, size: 1n } as const;
const cancel = { ...common, kind: 'cancelOrder', sessionId: '8', orderId: '4' } as const;
const session = { ...common, kind: 'createSession', userPubkey: signer.publicKey, sessionPubkey: signer.publicKey, expiry: 9 } as const;

test('the schema of the exchange has kinds that move funds', () => {
  expect(KINDS).toEqual(expect.arrayContaining([...Object.keys(OURS), 'withdraw', 'transfer', 'atomic', 'revoke_session', 'liquidate']));
  expect(KINDS.length).toBeGreaterThan(20);
});

describe.each(KINDS.filter((kind) => !(kind in OURS)))('%s', (kind) => {
  test('has no encoder, by its own name or as any other kind', () => {
    for (const name of [kind, camel(kind), 'other'])
      for (const codec of [bundled, live]) {
        const action = { ...session, ...place, kind: name, name: kind, [camel(kind)]: { amount: 1n } } as unknown as WireAction;
        expect(() => seal(action as never, { codec, signer })).toThrow(AssertionError);
      }
    expect(signed).toEqual([]);
  });

  test('is not among the messages that are written', () => {
    expect(Object.values(ACTION).flatMap(({ names }) => [...names])).not.toContain(kind);
  });
});

describe('each key signs its own kinds', () => {
  test("the session's: placements and cancels", () => {
    for (const action of [place, cancel]) expect(seal(action, { codec: live, signer }).length).toBeGreaterThan(64);
    expect(signed.splice(0).length).toBe(2);
    expect(() => seal(session as never, { codec: live, signer })).toThrow("the session's key signs placements and cancels alone");
    expect(signed).toEqual([]);
  });

  test("the user's: what opens a session", async () => {
    expect((await sealSession(session, { codec: live, wallet })).length).toBeGreaterThan(64);
    expect(signed.splice(0).length).toBe(1);
    for (const action of [place, cancel])
      await expect(sealSession(action as never, { codec: live, wallet })).rejects.toThrow("the user's own key opens sessions");
    expect(signed).toEqual([]);
  });
});

test('only these sign; all other code passes its actions to them', () => {
  const signing = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && /\bsigner\.sign\(|\bsignApart\(|\bsignWith\(|\bsign\(null\b/.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(signing.sort()).toEqual([
    'base/keys/key.ts',
    'base/keys/sign-apart.ts',
    'base/keys/signer-command.ts',
    'base/wire/ed25519.ts',
    'venues/wire/sign-action.ts',
  ]);
});
