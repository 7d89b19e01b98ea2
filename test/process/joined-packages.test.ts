// The built program holds the code of the packages that consist of many small files, so that a start does not load each of these.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUILT_MAIN } from './program.ts';

const DIST = dirname(dirname(BUILT_MAIN));
const SCRIPTS = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.js') && !file.includes('browser/'),
);
const sourceOf = (file: string): string => readFileSync(join(DIST, file), 'utf8');
const LICENSES = sourceOf('chunks/LICENSES.txt');

describe.each(['rxjs', 'zod', 'yaml', 'trading-signals', 'hyparquet', 'hyparquet-writer'])('%s', (name) => {
  test('is loaded from no file of its own', () => {
    expect(SCRIPTS.length).toBeGreaterThan(50);
    const importing = SCRIPTS.filter((file) => new RegExp(`(from|import|require)\\s*\\(?\\s*["']${name}["'/]`).test(sourceOf(file)));
    expect(importing).toEqual([]);
  });

  test('has its license beside it', () => {
    expect(LICENSES).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
