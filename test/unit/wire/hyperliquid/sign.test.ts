// Signatures of Hyperliquid's actions, against those of its official Python SDK: fixed ones, and random ones where Python has the SDK
// (`pip install hyperliquid-python-sdk==0.24.0`).
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rngFrom } from '../../../../src/base/rng.ts';
import { action, type HyperliquidAction, withoutZeros } from '../../../../src/venues/wire/hyperliquid/actions.ts';
import {
  actionHash,
  actionSigner,
  approvalDigest,
  type HyperliquidNetwork,
  signAction,
  type Unsigned,
} from '../../../../src/venues/wire/hyperliquid/sign.ts';
import { addressOf, type Signature, signerOf } from '../../../../src/venues/wire/hyperliquid/typed-data.ts';

const FIXTURES = new URL('../../../fixtures/hyperliquid/', import.meta.url);
const optional = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const signature = z.object({ r: z.string(), s: z.string(), v: z.number() });
const signed = z.object({
  name: z.string(),
  action: z.record(z.string(), z.unknown()),
  nonce: z.number(),
  vaultAddress: optional,
  expiresAfter: z
    .number()
    .nullish()
    .transform((value) => value ?? undefined),
  connectionId: z.string(),
  testnet: signature,
  mainnet: signature,
});
const file = z
  .object({ key: z.string(), address: z.string(), vectors: z.array(z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('signing-vectors.json', FIXTURES), 'utf8')));
const vectors = file.vectors.flatMap((vector) => signed.safeParse(vector).data ?? []);
const SECRET = Buffer.from(file.key.slice(2), 'hex');
const NETWORKS: readonly HyperliquidNetwork[] = ['testnet', 'mainnet'];

/** The SDK leaves out zeros at the beginning of r and s. */
const numbersOf = ({ r, s, v }: Signature) => ({ r: BigInt(r), s: BigInt(s), v });

describe('the signatures of the official SDK', () => {
  test('are all compared', () => expect(vectors.length).toBe(12));
  test.each(vectors)('$name', ({ action: row, connectionId, ...vector }) => {
    const unsigned: Unsigned = { ...vector, action: row as HyperliquidAction };
    expect(Buffer.from(actionHash(unsigned)).toString('hex')).toBe(connectionId.slice(2));
    for (const network of NETWORKS) {
      expect(numbersOf(signAction(unsigned, { secret: SECRET, network })), network).toEqual(numbersOf(vector[network]));
      expect(actionSigner(unsigned, { signature: vector[network], network }), network).toBe(file.address.toLowerCase());
    }
  });

  test('an action that was parsed from JSON in another order has the same hash', () => {
    const [one] = vectors.filter(({ name }) => name === 'order-alo-cloid-expires');
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, reversed(item)]),
      );
    };
    const parsed = action.parse(reversed(one!.action));
    expect(Buffer.from(actionHash({ ...one!, action: parsed })).toString('hex')).toBe(one!.connectionId.slice(2));
  });
});

test('the address of the key is that of the SDK', () => {
  expect(addressOf(SECRET)).toBe(file.address.toLowerCase());
});

test('the approval of an agent has the signature of the SDK', () => {
  const approval = z.object({ name: z.literal('approveAgent(user-signed)'), action: z.unknown(), testnet: signature });
  const vector = file.vectors.flatMap((one) => approval.safeParse(one).data ?? [])[0];
  const shape = z.object({
    hyperliquidChain: z.string(),
    signatureChainId: z.string(),
    agentAddress: z.string(),
    agentName: z.string(),
    nonce: z.number(),
  });
  expect(signerOf(approvalDigest(shape.parse(vector?.action)), vector!.testnet)).toBe(file.address.toLowerCase());
});

test('a signature over other bytes names another address', () => {
  const unsigned: Unsigned = { action: { type: 'noop' }, nonce: 1 };
  const made = signAction(unsigned, { secret: SECRET, network: 'testnet' });
  expect(actionSigner({ ...unsigned, nonce: 2 }, { signature: made, network: 'testnet' })).not.toBe(file.address.toLowerCase());
  expect(actionSigner(unsigned, { signature: made, network: 'mainnet' })).not.toBe(file.address.toLowerCase());
  expect(actionSigner(unsigned, { signature: { ...made, r: '0x0' }, network: 'testnet' })).toBeUndefined();
});

const python = process.env['HYPERLIQUID_PYTHON'] ?? 'python3';
const hasSdk = spawnSync(python, ['-c', 'import hyperliquid']).status === 0;

test.skipIf(!hasSdk)(
  'a thousand random actions have the signatures of the SDK (skipped: Python has no hyperliquid-python-sdk)',
  { timeout: 120_000 },
  () => {
    const seed = 'random actions';
    const rng = rngFrom(seed);
    const digits = (count: number): string => Array.from({ length: count }, () => rng.below(10)).join('');
    const decimal = (): string => withoutZeros(`${1 + rng.below(99_999)}.${digits(rng.below(5)) || '0'}`);
    const hex = (count: number): string => `0x${Array.from({ length: count }, () => rng.below(16).toString(16)).join('')}`;
    const cloid = (): string => hex(32);
    const order = () => ({
      a: rng.below(2) === 0 ? rng.below(300) : 10_000 + rng.below(400),
      b: rng.below(2) === 0,
      p: decimal(),
      s: decimal(),
      r: rng.below(2) === 0,
      t: { limit: { tif: (['Alo', 'Ioc', 'Gtc'] as const)[rng.below(3)]! } },
      ...(rng.below(2) === 0 && { c: cloid() }),
    });
    const many = <T>(make: () => T): T[] => Array.from({ length: 1 + rng.below(4) }, make);
    const oid = (): number => (rng.below(2) === 0 ? rng.below(4_000_000_000) : 4_294_967_296 + rng.below(500_000_000_000));
    const kinds: readonly (() => HyperliquidAction)[] = [
      () => ({ type: 'order', orders: many(order), grouping: 'na' }),
      () => ({ type: 'cancel', cancels: many(() => ({ a: rng.below(300), o: oid() })) }),
      () => ({ type: 'cancelByCloid', cancels: many(() => ({ asset: rng.below(300), cloid: cloid() })) }),
      () => ({ type: 'scheduleCancel', ...(rng.below(2) === 0 && { time: 1_700_000_000_000 + rng.below(1e9) }) }),
      () => ({ type: 'updateLeverage', asset: rng.below(300), isCross: rng.below(2) === 0, leverage: 1 + rng.below(50) }),
      () => ({ type: 'noop' }),
    ];
    const made: Unsigned[] = Array.from({ length: 1_000 }, (_, index) => ({
      action: kinds[index % kinds.length]!(),
      nonce: 1_700_000_000_000 + rng.below(1e9),
      ...(rng.below(2) === 0 && { vaultAddress: hex(40) }),
      ...(rng.below(2) === 0 && { expiresAfter: 1_700_000_000_000 + rng.below(1e9) }),
    }));
    const output = execFileSync(python, [new URL('sign.py', FIXTURES).pathname, file.key], {
      input: JSON.stringify(made),
      encoding: 'utf8',
    });
    const theirs = z.array(signature).parse(JSON.parse(output));
    for (const [index, unsigned] of made.entries()) {
      const ours = signAction({ ...unsigned, action: action.parse(unsigned.action) }, { secret: SECRET, network: 'testnet' });
      expect(numbersOf(ours), `${seed}: ${JSON.stringify(unsigned)}`).toEqual(numbersOf(theirs[index]!));
    }
  },
);
