// The program reads and writes nothing in the shared temporary folder, where other users of the machine can put files first.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOADER = join(ROOT, 'src/base/load-typescript.mjs');
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

let shared: string;
beforeEach(() => {
  shared = mkdtempSync(join(tmpdir(), 'shared-'));
  chmodSync(shared, 0o1777);
});

const run = (loader: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, ['--import', loader, ...args], { cwd: ROOT, env: { ...process.env, TMPDIR: shared }, encoding: 'utf8' });

const elsewhere = (): string => mkdtempSync(join(tmpdir(), 'elsewhere-'));

test('a command that handles a key leaves the shared folder empty', () => {
  const key = join(mkdtempSync(join(tmpdir(), 'keys-')), 'my.key');
  run(LOADER, 'src/program/main.ts', 'keys', 'new', key);
  expect(lstatSync(key).mode & 0o777).toBe(0o600);
  expect(readdirSync(shared)).toEqual([]);
});

test('no process is started with the loader that shares its cache', () => {
  const starts = /--import['", ]+tsx\b/;
  const files = ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const offenders = files.filter((file) => /\.(ts|mjs)$/.test(file) && starts.test(readFileSync(join(ROOT, file), 'utf8')));
  expect([...offenders, ...(starts.test(readFileSync(join(ROOT, 'package.json'), 'utf8')) ? ['package.json'] : [])]).toEqual([]);
});

test('the environment is passed on unchanged', () => {
  const script = "console.log(JSON.stringify([process.env.TMPDIR, 'TSX_DISABLE_CACHE' in process.env]))";
  expect(JSON.parse(run(LOADER, '--input-type=module', '-e', script))).toEqual([shared, false]);
});

test.skipIf(!isRoot)(
  'a folder that another user made at the path of the usual cache is not touched (needs root to act as another user)',
  () => {
    const planted = join(shared, `tsx-${process.geteuid?.()}`);
    mkdirSync(planted, { mode: 0o777 });
    chmodSync(planted, 0o777);
    chownSync(planted, NOBODY, NOBODY);
    run(LOADER, 'src/program/main.ts', '--help');
    expect(readdirSync(planted)).toEqual([]);
  },
);

/** An installation with a cache that `makeCache` creates. */
function installation(makeCache: (cache: string) => void): { readonly loader: string; readonly script: string } {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'));
  mkdirSync(join(folder, 'src/program'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/.cache'), { recursive: true });
  cpSync(LOADER, join(folder, 'src/base/load-typescript.mjs'));
  for (const name of ['tsx', 'esbuild', '@esbuild', 'get-tsconfig']) {
    const there = join(ROOT, 'node_modules', name);
    if (lstatSync(there, { throwIfNoEntry: false }) !== undefined) symlinkSync(there, join(folder, 'node_modules', name));
  }
  makeCache(join(folder, 'node_modules/.cache/tickwright'));
  return { loader: join(folder, 'src/base/load-typescript.mjs'), script: join(ROOT, 'src/base/text/visible.ts') };
}

describe('the cache is used only if it is private', () => {
  test('a cache that it made itself is used', () => {
    let cache = '';
    const { loader, script } = installation((path) => (cache = path));
    run(loader, script);
    expect([lstatSync(cache).mode & 0o777, readdirSync(cache).length]).toEqual([0o700, 1]);
    expect(readdirSync(shared)).toEqual([]);
  });

  test('a link to another folder is not', () => {
    const target = elsewhere();
    const { loader, script } = installation((cache) => symlinkSync(target, cache));
    run(loader, script);
    expect([readdirSync(target), readdirSync(shared)]).toEqual([[], []]);
  });

  test('a folder that others can write to is not', () => {
    let found = '';
    const { loader, script } = installation((cache) => {
      found = cache;
      mkdirSync(cache);
      chmodSync(cache, 0o777);
    });
    run(loader, script);
    expect([readdirSync(found), readdirSync(shared)]).toEqual([[], []]);
  });

  test.skipIf(!isRoot)('a folder of another user is not (needs root to act as another user)', () => {
    let found = '';
    const { loader, script } = installation((cache) => {
      found = cache;
      mkdirSync(cache, { mode: 0o755 });
      chownSync(cache, NOBODY, NOBODY);
    });
    run(loader, script);
    expect([readdirSync(found), readdirSync(shared)]).toEqual([[], []]);
  });
});
