// The user's key leaves memory after the session is created: it is searched for in a heap snapshot and in all writable memory of the process.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { sealKeystore } from '../../src/base/keys/keystore.ts';
import { newSecretKey, publicKeyOf, toBase58 } from '../../src/base/wire/ed25519.ts';
import type { Embedded } from '../../src/embedded/server/embedded.ts';
import { embeddedOn } from '../replay/virtual-run.ts';
import { type Artefact, found } from './canaries.ts';

const ROOT = new URL('../..', import.meta.url);
const PASSPHRASE = 'a canary of many words';
let exchange: Embedded;
beforeAll(async () => {
  exchange = await embeddedOn(systemClock, { seed: 'memory', port: 0, onBug: () => undefined });
});
afterAll(() => exchange.close());

/** The heap and the writable memory of a process that has opened a session with each of the keys. */
async function remains(careless: string, files: readonly string[], env: Record<string, string>): Promise<Artefact[]> {
  const snapshot = join(mkdtempSync(join(tmpdir(), 'heap-')), 'a.heapsnapshot');
  const memory = await memoryAfter(['test/security/open-sessions.ts', exchange.url ?? '', snapshot, careless, ...files], env);
  return [{ name: 'heap snapshot', bytes: readFileSync(snapshot) }, ...memory];
}

/** The writable memory of a process of Node when it has written its first output; none where it cannot be read. */
async function memoryAfter(args: readonly string[], env: Record<string, string> = {}): Promise<readonly Artefact[]> {
  const child = spawn(process.execPath, ['--import', './src/base/load-typescript.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const open = await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended.then(() => undefined)]);
  if (open === undefined) throw new Error('it ended before its keys were open');
  const memory = existsSync(`/proc/${child.pid}/mem`) ? memoryOf(child.pid ?? 0) : [];
  child.stdin.write('seen\n');
  await ended;
  return memory;
}

/** Linux lets a parent read the memory of its child. */
function memoryOf(pid: number): Artefact[] {
  const regions = readFileSync(`/proc/${pid}/maps`, 'latin1')
    .split('\n')
    .filter((line) => /^\S+ rw/.test(line));
  const descriptor = openSync(`/proc/${pid}/mem`, 'r');
  const read = (line: string): Artefact[] => {
    const [from = 0n, to = 0n] = (line.split(' ')[0] ?? '').split('-').map((hex) => BigInt(`0x${hex}`));
    const bytes = Buffer.allocUnsafe(Number(to - from));
    try {
      const length = readSync(descriptor, bytes, 0, bytes.length, from);
      return [{ name: 'memory', bytes: bytes.subarray(0, length) }];
    } catch {
      return []; // reserved, but never touched
    }
  };
  const memory = regions.flatMap(read);
  closeSync(descriptor);
  return memory;
}

function keyFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'key-')), 'user.key');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const pairOf = (secret: Uint8Array): string => JSON.stringify([...secret, ...publicKeyOf(secret)]);

test('the key is gone when its session is open, and a key that is kept is found', async () => {
  const [pair, base58, sealed, careless] = [newSecretKey(), newSecretKey(), newSecretKey(), newSecretKey()];
  const keystore = JSON.stringify(await sealKeystore(sealed, Buffer.from(PASSPHRASE)));
  const files = [pairOf(pair), toBase58(base58), keystore].map(keyFile);
  const artefacts = await remains(keyFile(pairOf(careless)), files, { TICKWRIGHT_PASSPHRASE_FILE: keyFile(PASSPHRASE) });
  const remained = found(artefacts, { pair, base58, sealed, careless });
  expect(remained.filter((line) => !line.includes('careless'))).toEqual([]);
  expect(remained).toContain('heap snapshot: careless key in JSON');
  if (artefacts.length > 1) expect(remained).toContain('memory: careless key in raw');
  expect(artefacts.filter(({ bytes }) => bytes.includes(PASSPHRASE)).map(({ name }) => name)).toEqual([]);
});

// Six processes, because in each the copies that Node frees may happen to be overwritten.
test('a keystore that was opened leaves no part of its key', async () => {
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
    const secret = newSecretKey();
    const file = keyFile(JSON.stringify(await sealKeystore(secret, Buffer.from(PASSPHRASE))));
    const memory = await memoryAfter(['test/security/open-keystore.ts', PASSPHRASE, file]);
    expect(found(memory, { [name]: secret })).toEqual([]);
  }
});
