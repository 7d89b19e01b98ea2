// Loading a strategy: built-in names, the user's files, and every error in them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { messageOf, UserError } from '../../../src/base/errors.ts';
import { BUILT_IN_STRATEGIES, loadStrategy, shapeFault } from '../../../src/bot/strategy/loading/loader.ts';

const folder = mkdtempSync(join(tmpdir(), 'strategies-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function refusal(nameOrPath: string): Promise<UserError> {
  const error: unknown = await loadStrategy(nameOrPath).catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return error;
  throw new Error(`not refused: ${messageOf(error)}`);
}

describe('loadStrategy', () => {
  test.each(BUILT_IN_STRATEGIES)('finds %s by its name', async (name) => {
    expect(await loadStrategy(name)).toMatchObject({ strategy: { name } });
  });

  test('finds a file of the user by its path', async () => {
    const path = file('mine.mjs', `export default { name: 'mine', defaults: { size: 1 }, create: () => () => [] };`);
    expect(await loadStrategy(path)).toMatchObject({ path, strategy: { name: 'mine', defaults: { size: 1 } } });
  });

  test('suggests the nearest for an unknown name', async () => {
    expect(await refusal('gird')).toMatchObject({
      message: 'unknown strategy "gird"; did you mean "grid"?',
      hint: 'name a file of your own by its path: ./gird.ts',
    });
  });

  test('a file that does not exist, or is no program, is named', async () => {
    expect((await refusal('./nowhere.ts')).message).toBe('there is no strategy file ./nowhere.ts');
    expect((await refusal('./config/grid.yaml')).message).toBe(
      './config/grid.yaml is not a strategy file; one of .ts, .js, .mts, .mjs is expected',
    );
  });

  test('a file without a strategy is named with what is missing', async () => {
    const path = file('none.mjs', 'export const name = 1;');
    expect((await refusal(path)).message).toBe(`${path}: no strategy is exported as default`);
  });

  test('an error while the file is loaded is named with its line', async () => {
    const path = file('throws.mjs', '\n\nthrow new Error("not today");');
    expect((await refusal(path)).message).toMatch(/throws\.mjs:3:7: not today$/);
  });
});

test('a syntax error, a failed import or an error in the file has its file and line, as in a run', () => {
  const files = [
    file('syntax.ts', `import { defineStrategy } from 'tickwright';\n\nexport default defineStrategy({\n  name: 'x',,\n});\n`),
    file('import.ts', `import { nothing } from './not-there.ts';\nexport default nothing;\n`),
    file('throws.ts', `export default {};\n\nconst a: number = undefinedThing;\nconsole.log(a);\n`),
  ];
  const loader = new URL('../../../src/bot/strategy/loading/loader.ts', import.meta.url).href;
  const script = `const { loadStrategy } = await import('${loader}');
    const reported = [];
    for (const file of ${JSON.stringify(files)}) await loadStrategy(file).catch((error) => reported.push(error.name + ': ' + error.message));
    console.log(JSON.stringify(reported));`;
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const printed = execFileSync(process.execPath, ['--import', './src/base/load-typescript.mjs', '--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(JSON.parse(printed)).toEqual([
    `UserError: ${files[0]}:4:13: not valid TypeScript: Expected identifier but found ","`,
    expect.stringMatching(/^UserError: .*import\.ts.*: Cannot find module '.*not-there\.ts'/),
    expect.stringMatching(/^UserError: .*throws\.ts:3:\d+: undefinedThing is not defined$/),
  ]);
});

test.each([
  [undefined, 'no strategy is exported as default'],
  [{ defaults: {}, create() {} }, 'the strategy has no name'],
  [{ name: 'x', defaults: {} }, 'the strategy x has no create function'],
  [{ name: 'x', create() {} }, 'the strategy x has no defaults; without parameters write defaults: {}'],
  [
    { name: 'x', create() {}, defaults: { size: NaN } },
    'the default of size is NaN; a finite number, a text, true or false, or a list of numbers or of texts is expected',
  ],
  [{ name: 'x', create() {}, defaults: { size: 1 }, ranges: { sise: [0, 1] } }, 'there is a range for sise, which has no default'],
  [{ name: 'x', create() {}, defaults: { size: 2 }, ranges: { size: [0, 1] } }, 'the default of size is not within its range'],
  [{ name: 'x', create() {}, defaults: { kind: 'a' }, ranges: { kind: ['b'] } }, 'the default of kind is not within its range'],
  [{ name: 'x', create() {}, defaults: { size: 1, kind: 'a' }, ranges: { size: [0, 1], kind: ['a'] } }, undefined],
])('shapeFault of %o', (candidate, fault) => {
  expect(shapeFault(candidate)).toBe(fault);
});
