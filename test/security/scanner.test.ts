// The search for secrets finds every planted secret; otherwise its empty results would prove nothing.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { newSecretKey, publicKeyOf } from '../../src/base/wire/ed25519.ts';
import { type Artefact, artefact, artefactsIn, found } from './canaries.ts';

const secret = newSecretKey();
const pair = Buffer.concat([secret, publicKeyOf(secret)]);
const raw = Buffer.from(secret);
const PLANTED: Readonly<Record<string, string | Buffer>> = {
  raw,
  'raw, in half': raw.subarray(16),
  'raw of both halves': pair,
  hex: raw.toString('hex'),
  'hex in capitals': `0x${raw.toString('hex').toUpperCase()}`,
  'base58 of 32 bytes': bs58.encode(secret),
  'base58 of both halves': bs58.encode(pair),
  base64: raw.toString('base64'),
  'base64 of both halves': pair.toString('base64'),
  'base64 after one byte': Buffer.concat([Buffer.of(7), raw]).toString('base64'),
  'base64 after PKCS8': Buffer.concat([Buffer.alloc(16, 3), raw]).toString('base64'),
  'base64 after two bytes': Buffer.concat([Buffer.of(7, 9), raw]).toString('base64'),
  base64url: raw.toString('base64url'),
  'a keypair file': JSON.stringify([...pair]),
  'a keypair file over lines': JSON.stringify([...pair], undefined, 0).replaceAll(',', ',\n'),
  'a keypair with blanks': `[${[...pair].join(', ')}]`,
  'a typed array as JSON': JSON.stringify({ key: secret }),
  'a Buffer as JSON': JSON.stringify(raw),
  'a bigint': BigInt(`0x${raw.toString('hex')}`).toString(),
  'in a line that is compressed': gzipSync(`x ${raw.toString('hex')} y`),
  'in a recording that was cut off': gzipSync(`${'x'.repeat(9_000)}${raw.toString('hex')}${'y'.repeat(9_000)}`).subarray(0, -4),
};

test.each(Object.entries(PLANTED))('%s', (_, planted) => {
  const bytes = Buffer.isBuffer(planted) ? planted : Buffer.from(planted);
  const around: Artefact = {
    name: 'file',
    bytes: bytes[0] === 0x1f ? bytes : Buffer.concat([Buffer.from('before '), bytes, Buffer.from(' after')]),
  };
  expect(found([around], { wallet: secret })).not.toEqual([]);
});

test('finds nothing in another key, in its public half and in its signature', () => {
  const other = newSecretKey();
  const lines = [raw, pair].flatMap((bytes) => [
    bytes.toString('hex'),
    bytes.toString('base64'),
    bs58.encode(bytes),
    JSON.stringify([...bytes]),
  ]);
  expect(found([artefact('file', [...lines, bs58.encode(publicKeyOf(other))].join('\n'))], { wallet: other })).toEqual([]);
});

test('finds secrets in every file of a folder except those that may hold them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scan-'));
  mkdirSync(join(folder, 'deep'));
  for (const name of ['home', 'a', join('deep', 'b')]) writeFileSync(join(folder, name), secret);
  const names = found(artefactsIn(folder, ['home']), { s: secret }).map((line) => line.split(':')[0]);
  expect(new Set(names)).toEqual(new Set(['a', join('deep', 'b')]));
});
