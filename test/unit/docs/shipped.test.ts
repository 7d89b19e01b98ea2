// What a reader of the package has: the pages that its messages name, and an install before each `npx tickwright`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { docsFile } from '../../../src/base/package.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

/** The pages that texts of the program and its configurations name; comments of the program are for developers. */
function namedPages(): ReadonlySet<string> {
  const lines = [
    ...filesIn('src')
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => read(file).split('\n'))
      .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line)),
    ...filesIn('config')
      .filter((file) => file.endsWith('.yaml') || file.endsWith('.service'))
      .flatMap((file) => read(file).split('\n')),
  ];
  return new Set(lines.flatMap((line) => [...line.matchAll(/(?:docs\/|docsFile\(')([a-z-]+\.md)/g)].map(([, page = '']) => page)));
}

test('the package has every page that its messages and configurations name', () => {
  const { files } = JSON.parse(read('package.json')) as { files: readonly string[] };
  const named = namedPages();
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((page) => !files.includes(`docs/${page}`))).toEqual([]);
});

test('a message names a page as the reader can open it', () => {
  expect(docsFile('sweeps.md')).toBe('docs/sweeps.md'); // the tests run in the folder of the repository
});

/** Without the package, `npx tickwright` runs what the registry has under this name. */
test('no document starts a project before the package is installed', () => {
  for (const page of ['README.md', ...filesIn('docs').filter((file) => file.endsWith('.md'))]) {
    const text = read(page);
    for (const { index } of text.matchAll(/npx tickwright new/g))
      expect([page, text.slice(0, index)]).toEqual([page, expect.stringContaining('npm install ./tickwright-')]);
  }
});
