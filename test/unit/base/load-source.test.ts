// The compiler of this repository's own TypeScript: what it compiles, and when it compiles a file again.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LOADER_FILES = ['load-source.mjs', 'private-cache.mjs', 'source-hooks.mjs'].map((file) => `src/base/${file}`);

/** A repository with these files. */
function repository(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'repository-'));
  for (const file of ['package.json', ...LOADER_FILES]) cpSync(join(ROOT, file), join(folder, file));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['esbuild', '@esbuild']) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  write(folder, files);
  return folder;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

const run = (folder: string, file: string): string =>
  execFileSync(process.execPath, ['--import', join(folder, 'src/base/load-source.mjs'), file], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });

test('a strategy imports the program by its name, and a changed file is compiled again, into the same file of the cache', () => {
  const folder = repository({
    'src/index.ts': 'export const answer: number = 1;\n',
    'strategies/one.ts': "import { answer } from 'tickwright';\nconsole.log(answer);\n",
  });
  const cached = (): readonly string[] => readdirSync(join(folder, 'node_modules/.cache/tickwright'));
  expect(run(folder, 'strategies/one.ts')).toBe('1\n');
  const before = cached();
  expect(before).toHaveLength(2);
  write(folder, { 'src/index.ts': 'export const answer: number = 2;\n' });
  expect(run(folder, 'strategies/one.ts')).toBe('2\n');
  expect(cached()).toEqual(before);
});

test('an error names the line of the source', () => {
  const folder = repository({ 'src/fails.ts': "interface Unused {\n  readonly a: string;\n}\n\nthrow new Error('here');\n" });
  let printed = '';
  try {
    run(folder, 'src/fails.ts');
  } catch (error) {
    printed = String((error as { stderr: unknown }).stderr);
  }
  expect(printed).toContain('fails.ts:5:');
});
