// The module hooks with which a strategy file is imported, for old and new versions of Node.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const sourceUrl = (path: string): string => new URL(`../../../src/${path}`, import.meta.url).href;

const MINE = 'file:///mine';

interface Resolved {
  readonly url: string;
  readonly format?: string;
}
type Next = (specifier: string) => Resolved;
const next: Next = (specifier) => ({ url: specifier });

test('both hooks resolve alike', async () => {
  // An instance of its own: the other one resolves the imports of the tests on newer versions of Node.
  const { initialize, resolve, resolveSync } = (await import(`${sourceUrl('base/own-package.mjs')}?instance=tested`)) as {
    initialize: (data: object) => void;
    resolve: (specifier: string, context: object, next: Next) => Promise<Resolved>;
    resolveSync: (specifier: string, context: object, next: Next) => Resolved;
  };
  initialize({ entries: { tickwright: 'file:///program/index.js' } });
  const context = { parentURL: `${MINE}/a.ts?version=b7` };
  for (const [specifier, expected] of [
    ['tickwright', { url: 'file:///program/index.js' }],
    [`${MINE}/b.ts`, { url: `${MINE}/b.ts?version=b7`, format: 'module' }],
    [`${MINE}/c.js`, { url: `${MINE}/c.js?version=b7` }],
    [`${MINE}/node_modules/d.js`, { url: `${MINE}/node_modules/d.js` }],
    ['node:fs', { url: 'node:fs' }],
  ] as const) {
    expect(resolveSync(specifier, context, next)).toEqual(expected);
    expect(await resolve(specifier, context, next)).toEqual(expected);
  }
});

test('a strategy is loaded without a deprecated function of this version of Node', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
  const strategy = join(folder, 'mine.ts');
  writeFileSync(
    strategy,
    `import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'mine', defaults: { market: 'BTCUSDC' }, create: () => () => [] });\n`,
  );
  const main = join(folder, 'main.mjs');
  writeFileSync(
    main,
    `import { loadStrategy } from '${sourceUrl('bot/strategy/loading/loader.ts')}';\nconsole.log((await loadStrategy(${JSON.stringify(strategy)})).strategy.name);\n`,
  );
  const flags = ['--throw-deprecation', '--import', sourceUrl('base/load-typescript.mjs')];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, main]);
  expect([stdout, stderr]).toEqual(['mine\n', '']);
}, 60_000);
