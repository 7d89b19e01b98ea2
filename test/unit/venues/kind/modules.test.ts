// The code of an exchange of another author: what is loaded, what is refused and with which words, and what a run says when its code is gone or changed.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { factsLeftIn } from '../../../../src/program/commands/operate/find-account.ts';
import { exchangeOf } from '../../../../src/program/commands/run/plan.ts';
import { configOf } from '../../../../src/program/configuration.ts';
import { VENUES } from '../../../../src/program/venues.ts';
import { type RunFacts, readFacts, writeFacts } from '../../../../src/venues/kind/facts.ts';
import { loadAgain, loadVenue, moduleNamed, namesModule } from '../../../../src/venues/kind/modules/load-venue.ts';
import type { VenueFacts } from '../../../../src/venues/kind/venue-kind.ts';

let folder = '';
const before = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

function put(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, text, { mode: 0o644 });
  return file;
}

const definition = (changed = ''): string =>
  `export default { apiVersion: 1, name: 'mine', who: 'my exchange', exampleUrl: 'https://api.mine.example', client: () => ({ rules: { orderLife: 1 } }), ${changed} };\n`;

test('a file and a package are loaded, with version and hash', async () => {
  const file = put('mine.mjs', definition("version: '2'"));
  const { definition: found, module } = await loadVenue('./mine.mjs');
  expect(found.name).toBe('mine');
  expect(module).toEqual({ file, version: '2', sha256: moduleNamed('./mine.mjs').sha256 });
  put('node_modules/tickwright-venue-x/package.json', '{"version":"1.2.3","type":"module","exports":{".":{"import":"./lib/venue.js"}}}');
  const entry = put('node_modules/tickwright-venue-x/lib/venue.js', definition());
  expect((await loadVenue('tickwright-venue-x')).module).toMatchObject({ file: entry, package: 'tickwright-venue-x', version: '1.2.3' });
});

test('the hash covers the files that it imports', () => {
  put('lib.mjs', 'export const a = 1;\n');
  put('mine.mjs', `import { a } from './lib.mjs';\n${definition('a')}`);
  const { sha256 } = moduleNamed('./mine.mjs');
  put('lib.mjs', 'export const a = 2;\n');
  expect(moduleNamed('./mine.mjs').sha256).not.toBe(sha256);
});

test('names of exchanges and mistyped ones name no module', () => {
  expect(['hosted', 'hostd', './a.ts', '../a', 'a.mjs'].map(namesModule)).toEqual([false, false, true, true, true]);
});

test.each([
  ['another version', definition().replace('apiVersion: 1', 'apiVersion: 7'), 'it has apiVersion 7, and this program takes 1'],
  ['no version', definition().replace('apiVersion: 1, ', ''), 'it has no apiVersion'],
  ['no object', 'export default 3;\n', 'it has no apiVersion'],
  ['a name of the program', definition().replace("'mine'", "'hosted'"), 'belongs to an exchange of the program'],
  ['a bad name', definition().replace("'mine'", "'My Exchange'"), 'is no word of lowercase letters'],
  ['no client', definition().replace(/client: [^)]*\) => \(\{.*?\}\)/, 'client: 1'), 'client is not a function'],
  ['half a key file', definition('keyFile: {}'), 'keyFile lacks hint, parse or textOf'],
  ['an import that is not there', "import 'nowhere';\n", 'cannot be loaded'],
])('a module with %s is refused with words', async (name, text, message) => {
  const path = `${name.replaceAll(' ', '-')}.mjs`;
  put(path, text);
  await expect(loadVenue(`./${path}`)).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(message) });
});

test('code that others can write is not loaded, nor what it imports', async () => {
  const file = put('open.mjs', definition());
  chmodSync(file, 0o666);
  await expect(loadVenue('./open.mjs')).rejects.toMatchObject({ message: expect.stringContaining('others can write it (mode 0666)') });
  const lib = put('lib2.mjs', 'export const a = 1;\n');
  put('user.mjs', `import { a } from './lib2.mjs';\n${definition('a')}`);
  chmodSync(lib, 0o620);
  await expect(loadVenue('./user.mjs')).rejects.toMatchObject({ message: expect.stringContaining(lib) });
});

const OPENING = {
  clock: new VirtualClock(0),
  rng: rngFrom('modules'),
  transport: { request: () => Promise.reject(new Error('nothing is asked')), close: async () => undefined },
  hasTraded: () => true,
  firstNonce: 1,
  openKey: () => Promise.reject(new Error('no key is opened')),
};

const facts = (exchange: VenueFacts): RunFacts => ({
  version: 1,
  run: 'r',
  strategy: 'grid',
  markets: ['A'],
  pid: 1,
  started: '',
  tickwright: '0',
  exchange,
});

test('facts of a run are read without its code; what needs the code says what to install', async () => {
  put('node_modules/tickwright-venue-y/package.json', '{"version":"3.0.0","main":"v.mjs"}');
  put('node_modules/tickwright-venue-y/v.mjs', definition());
  const { module } = await loadVenue('tickwright-venue-y');
  const exchange: VenueFacts = { kind: 'mine', url: 'http://127.0.0.1:1', key: '/k', module };
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  writeFacts(nodeDisk(state), facts(exchange));
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const read = readFacts(state, VENUES);
  expect(read?.exchange).toEqual(exchange);
  const kind = VENUES.of(read!.exchange);
  expect(kind.outlivesRun).toBe(true);
  const log = { info: () => undefined, warn: () => undefined };
  const opening = kind.canceller!(exchange, { ...OPENING, directory: state, log });
  await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining('npm install tickwright-venue-y@3.0.0') });
});

test('a changed hash is among the doubts of a command that finds the run', async () => {
  const file = put('shown.mjs', definition());
  const { module } = await loadVenue('./shown.mjs');
  const state = join(folder, 'changed');
  mkdirSync(state, { mode: 0o700 });
  writeFacts(nodeDisk(state), facts({ kind: 'mine', url: 'http://127.0.0.1:1', module }));
  const doubts = (): readonly string[] => factsLeftIn(state, { disk: nodeDisk(state), venues: VENUES }).doubts;
  expect(doubts()).toEqual([]);
  put('shown.mjs', `${definition()}// changed`);
  expect(doubts()).toEqual([`${file} has changed since the start of the run, when its hash began with ${module.sha256.slice(0, 12)}`]);
});

test('a file that is gone is named with what to do', async () => {
  const missing = { file: join(folder, 'gone.ts'), sha256: '' };
  await expect(loadAgain({ ...missing })).rejects.toMatchObject({ hint: 'put the file back, and give the command again' });
});

const named = (config: string, exchange?: string) => exchangeOf(configOf({ config, exchange }), VENUES);

test('the configuration names an exchange by a path or a package; the command line goes before it', () => {
  put('mine.mjs', definition());
  put('node_modules/tickwright-venue-z/package.json', '{"version":"1.0.0","main":"v.mjs"}');
  put('path.yaml', 'strategy: grid\nexchange: ./mine.mjs\n');
  put('package.yaml', 'exchange: tickwright-venue-z\n');
  put('wrong.yaml', 'strategy: grid\nexchange: hostd\n');
  expect(named('path.yaml')).toBe('./mine.mjs');
  expect(configOf({ config: 'path.yaml' }).placeOfExchange).toEqual({ file: 'path.yaml', line: 2, column: 11 });
  expect(named('package.yaml')).toBe('tickwright-venue-z');
  expect(named('path.yaml', 'local')).toBe('local');
  expect(configOf({ config: 'path.yaml', exchange: 'local' }).placeOfExchange).toBeUndefined();
  expect(exchangeOf(configOf({ set: ['exchange=./mine.mjs'] }), VENUES)).toBe('./mine.mjs');
  expect(exchangeOf(configOf({}), VENUES)).toBe('embedded');
  expect(() => named('wrong.yaml')).toThrow('wrong.yaml:2:11: exchange "hostd" is neither one of embedded');
});
