// docs/limits.md names every rule and limit with its default, in the order in which the rules run.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { limitsSchema, RULE_NAMES, stopsFrom } from '../../../src/bot/risk/rules.ts';

/** In the order in which they run. */
const STOP_NAMES = stopsFrom(limitsSchema.parse({})).map(({ name }) => name);

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const TEXT = read('docs/limits.md');

/** `margin openBuffer 0.25`; only the rule's name if it has no limits. */
function documented(): string[] {
  let rule = '';
  return TEXT.split('\n').flatMap((line) => {
    const [, name = '', limit = '', preset = ''] =
      /^\| (`[a-z-]+`)? *\| *(`[A-Za-z]+`)? *\| *([\d.]*|close-only|flatten) *\|/.exec(line) ?? [];
    if (name === '' && limit === '') return [];
    rule = name === '' ? rule : name.slice(1, -1);
    return [[rule, limit.slice(1, -1), preset].join(' ').trim()];
  });
}

type Limits = Readonly<Record<string, Readonly<Record<string, number | string>>>>;

const DEFAULTS = limitsSchema.parse({}) as Limits;

function listed(all: Limits): string[] {
  return Object.entries(all).flatMap(([rule, limits]) => {
    const all = Object.entries(limits).map(([limit, preset]) => `${rule} ${limit} ${preset}`);
    return all.length === 0 ? [rule] : all;
  });
}

test('the page lists the rules and limits of the configuration', () => expect(documented()).toEqual(listed(DEFAULTS)));

test('config/grid.yaml lists them, for every rule that has limits', () => {
  const { limits } = parse(read('config/grid.yaml')) as { limits: Limits };
  expect(listed(limits)).toEqual(listed(DEFAULTS).filter((line) => line.includes(' ')));
});

test('the names that the summary counts are these rules, and the stops', () => {
  expect([...new Set(documented().map((line) => line.split(' ')[0]))]).toEqual([...RULE_NAMES, ...STOP_NAMES]);
});
