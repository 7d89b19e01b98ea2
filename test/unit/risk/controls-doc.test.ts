// docs/limits.md names a test for each of the thirty controls, docs/reliability.md for each row of its catalogue.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { limitsSchema, RULE_NAMES, stopsFrom } from '../../../src/bot/risk/rules.ts';

/** In the order in which they run. */
const STOP_NAMES = stopsFrom(limitsSchema.parse({})).map(({ name }) => name);

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** The cells of the rows of the table under a heading. */
function rowsUnder(heading: string, path: string): string[][] {
  const [, section = ''] = read(path).split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| #') && !line.startsWith('| row'));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const testsIn = (row: readonly string[]): string[] => [...row.join(' ').matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
const CONTROLS = rowsUnder('The thirty controls', 'docs/limits.md');
const ROWS = rowsUnder('What can go wrong, row by row', 'docs/reliability.md');

test('all thirty controls are listed, and each has a test that exists', () => {
  expect(CONTROLS.map(([number]) => Number(number))).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  const bare = CONTROLS.filter((row) => testsIn([row[3] ?? '']).length === 0);
  expect(bare).toEqual([]);
});

test('the rules that they name exist', () => {
  const named = CONTROLS.flatMap(([, , where = '']) =>
    [...where.matchAll(/(?:guards?|gate|stop) `([a-z-]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThanOrEqual(20);
  expect(named.filter((name) => ![...RULE_NAMES, ...STOP_NAMES].includes(name))).toEqual([]);
});

test('each row of the catalogue has a test', () => {
  const named = ROWS.flatMap(([row = '']) => row.split(', '));
  const wanted = 'C10 D5 E7 E8 E15 F9 G5 G6 G7 G8 G12 G13 G15 I8 J1 J2 J4 J7 J8 S8 S13 S14 S18 S25'.split(' ');
  expect([...named].sort()).toEqual([...wanted].sort());
  expect(ROWS.filter((row) => testsIn(row).length === 0)).toEqual([]);
});

test('every named test exists', () => {
  const missing = [...CONTROLS, ...ROWS].flatMap(testsIn).filter((path) => !existsSync(resolve(ROOT, path)));
  expect(missing).toEqual([]);
});
