// `bot keys`: creating, encrypting and showing keys; and keys that are typed in the wrong place.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openKeystore, parseKeystore } from '../../../src/base/keys/keystore.ts';
import { toBase58 } from '../../../src/base/wire/ed25519.ts';
import { runProgram } from '../../../src/program/program.ts';
import { fileOf, folder, PAIR, PUBLIC, SECRET } from '../run/keys/samples.ts';
import { FakeHost } from './fake-host.ts';

const PLAIN = JSON.stringify([...PAIR]);

async function bot(argv: readonly string[], env: Record<string, string> = {}) {
  const host = new FakeHost({ env });
  const code = await runProgram(argv, host);
  return { code, out: host.stdout.text, err: host.stderr.text };
}

test('new, encrypt, show: one public key, three files', async () => {
  const file = join(folder(), 'my.key');
  const env = { TICKWRIGHT_PASSPHRASE_FILE: fileOf('some good words\n') };
  const made = await bot(['keys', 'new', file]);
  const sealed = await bot(['keys', 'encrypt', file], env);
  expect(sealed).toEqual({
    code: 0,
    out: made.out,
    err: `wrote ${file}.keystore; ${file} still holds the key unencrypted: delete it when you have tried the keystore\n`,
  });
  expect(statSync(`${file}.keystore`).mode & 0o777).toBe(0o600);
  expect((await bot(['keys', 'show', `${file}.keystore`])).out).toBe(made.out);
  const keystore = parseKeystore(JSON.parse(readFileSync(`${file}.keystore`, 'utf8')), 'x');
  const secret = await openKeystore(keystore, Buffer.from('some good words'));
  expect([...secret]).toEqual((JSON.parse(readFileSync(file, 'utf8')) as number[]).slice(0, 32));
});

test('encrypt writes to a file of another name, and overwrites nothing', async () => {
  const [file, out] = [fileOf(PLAIN), join(folder(), 'here')];
  const env = { TICKWRIGHT_PASSPHRASE_FILE: fileOf('some good words') };
  expect((await bot(['keys', 'encrypt', file, '--out', out], env)).code).toBe(0);
  const again = await bot(['keys', 'encrypt', file, '--out', out], env);
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('exists, and a key file is never overwritten') as string });
  const twice = await bot(['keys', 'encrypt', out, '--out', `${out}.2`], env);
  expect(twice).toMatchObject({ code: 2, err: expect.stringContaining('does not contain a plain key') as string });
});

test('without a terminal and without a passphrase elsewhere: one message, exit code 2, nothing written', async () => {
  const file = fileOf(PLAIN);
  const { code, out, err } = await bot(['keys', 'encrypt', file]);
  expect([code, out, err.trimEnd().split('\n').length]).toEqual([2, '', 2]);
  expect(err).toContain('set TICKWRIGHT_PASSPHRASE_FILE');
  expect(() => statSync(`${file}.keystore`)).toThrow('ENOENT');
});

test('show prints the key of a signer', async () => {
  const file = fileOf(JSON.stringify({ signer: ['/bin/true'], publicKey: toBase58(PUBLIC) }));
  expect(await bot(['keys', 'show', file])).toEqual({ code: 0, out: `${toBase58(PUBLIC)}\n`, err: '' });
});

const expectKeyNotPrinted = (result: { code: number; out: string; err: string }, key: string): void => {
  expect([result.code, result.out]).toEqual([2, '']);
  expect(result.err).toMatch(/looks like a key/);
  expect(result.err).not.toContain(key);
  expect(result.err).not.toContain(key.slice(0, 12));
};

describe('a key in the wrong place is refused, and not printed', () => {
  const hosted = ['run', '--strategy', 'grid', '--exchange', 'hosted', '--live', '--url', 'https://exchange.example'];
  const spellings = { 'base58 of 32 bytes': toBase58(SECRET), 'base58 of 64 bytes': toBase58(PAIR), 'a list': PLAIN };
  test.each(Object.entries(spellings))('%s, typed anywhere', async (_, key) => {
    for (const argv of [
      [...hosted, '--key', key],
      [...hosted, `--key=${key}`],
      ['--strategy', 'grid', '--set', `params.note=${key}`],
      ['--strategy', 'grid', '--set', `params={a: "${key}"}`],
      ['--strategy', key],
      [key],
      ['keys', 'show', key],
      ['keys', 'encrypt', `--${key}`],
    ])
      expectKeyNotPrinted(await bot(argv), key);
    expectKeyNotPrinted(await bot(['--strategy', 'grid'], { npm_config_key: key }), key);
    expectKeyNotPrinted(await bot(['keys', 'show', 'x'], { TICKWRIGHT_PASSPHRASE: key }), key);
  });

  test.each(Object.entries(spellings))('%s, in a configuration', async (_, key) => {
    const config = fileOf('');
    writeFileSync(config, `strategy: grid\nparams:\n  note: ${JSON.stringify(key)}\n`);
    const result = await bot(['--config', config]);
    expectKeyNotPrinted(result, key);
    expect(result.err).toContain(`${config}:3: `);
  });
});

test('a file whose name is its public key is accepted', async () => {
  const file = join(folder(), `${toBase58(PUBLIC)}.json`);
  writeFileSync(file, PLAIN, { mode: 0o600 });
  expect((await bot(['keys', 'show', file])).code).toBe(0);
});

test('a signer whose identity is not checked is refused before anything is sent', async () => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    const key = fileOf(PLAIN);
    const flags = ['run', '--strategy', 'grid', '--exchange', 'hosted', '--live', '--key', key];
    const result = await bot([...flags, '--url', 'https://exchange.example']);
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0 is set') as string });
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  }
});
