// The installed packages are the reviewed ones: exact versions, no unlisted package, no install script, and no access to the key.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { signApart } from '../../src/base/keys/sign-apart.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Package {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly hasInstallScript?: boolean;
}
interface Lock {
  readonly packages: Readonly<Record<string, Package>>;
}
type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scripts: Versions;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const lock = JSON.parse(read('package-lock.json')) as Lock;
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('the lock file', () => {
  test('belongs to this package.json, in which every version is exact', () => {
    const { dependencies, devDependencies } = lock.packages[''] as unknown as Manifest;
    expect({ dependencies, devDependencies }).toEqual({ dependencies: manifest.dependencies, devDependencies: manifest.devDependencies });
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    for (const [name, version] of Object.entries(all))
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  });

  test('names only reviewed packages, and no build package as a runtime dependency', () => {
    const listed = read('test/security/packages.txt')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const runs = new Set(locked.filter(([, { dev }]) => dev !== true).map(([path]) => nameOf(path)));
    const found = new Set(locked.map(([path]) => nameOf(path)).map((name) => (runs.has(name) ? name : `${name} dev`)));
    expect([...found].sort()).toEqual([...listed].sort());
  });

  test('has the digest of every package, and fetches all of them from the registry', () => {
    expect(locked.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
    const elsewhere = locked.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'));
    expect(elsewhere).toEqual([]);
  });

  test('has one package with an install script, which is not allowed to run', () => {
    const scripted = new Set(locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => nameOf(path)));
    expect([...scripted].filter((name) => manifest.allowScripts[name] !== false)).toEqual([]);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare)/.test(name))).toEqual([]);
  });

  test('matches what is installed here, and what the build installs', () => {
    const installed = JSON.parse(read('node_modules/.package-lock.json')) as Lock;
    const differing = Object.entries(installed.packages).filter(
      ([path, { version, integrity }]) => lock.packages[path]?.version !== version || lock.packages[path]?.integrity !== integrity,
    );
    const added = lock.packages['node_modules/ccxt'] === undefined ? broughtBy('ccxt', installed) : [];
    expect(differing.map(([path]) => path).filter((path) => !added.includes(path))).toEqual([]);
    expect(read('.ci/run')).toContain('npm ci');
  });
});

/** An optional peer that a person installed with `--no-save`, and what it needs, so far as the lock file has none of it. */
function broughtBy(peer: string, installed: Lock): readonly string[] {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const path = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((known) => installed.packages[known] !== undefined);
    if (path === undefined || found.has(path) || lock.packages[path] !== undefined) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = installed.packages[path] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, path);
  };
  add(peer, 'node_modules');
  return [...found];
}

describe('a hostile package in the tree', () => {
  const { NODE_OPTIONS, NODE_PATH } = process.env;
  afterEach(() => {
    for (const [name, value] of Object.entries({ NODE_OPTIONS, NODE_PATH })) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  test('is not loaded in the process that signs with the wallet key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evil-'));
    const [evil, seen] = [join(folder, 'evil.cjs'), join(folder, 'seen')];
    writeFileSync(evil, `require('node:fs').appendFileSync(${JSON.stringify(seen)}, process.execArgv.join(' ') + '\\n');`);
    // What code in the bot's process can do to every child that inherits its environment.
    Object.assign(process.env, { NODE_OPTIONS: `--require ${evil}`, NODE_PATH: folder });
    await promisify(execFile)(process.execPath, ['-e', '0']);
    expect(readFileSync(seen, 'utf8').split('\n').length).toBe(2); // it is loaded in other processes
    const { signature } = await signApart(newSecretKey(), new Uint8Array([1, 2, 3]));
    expect(signature.length).toBe(64);
    expect(readFileSync(seen, 'utf8').split('\n').length).toBe(2);
  });
});
