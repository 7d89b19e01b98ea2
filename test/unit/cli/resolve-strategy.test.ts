// Which strategy a command line means, with and without the separator `--` of npm.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { resolveStrategy } from '../../../src/program/resolve-strategy.ts';

const KNOWN = {
  commands: ['run', 'exchange', 'schema', 'keys', 'backtest'],
  options: ['--strategy', '--for', '--start-timeout', '--adopt', '--json', '--key'],
};

interface Typed {
  readonly name?: string;
  readonly more?: readonly string[];
  readonly flag?: string;
  /** The flags that npm has taken. */
  readonly taken?: readonly string[];
}

function resolved({ name, more = [], flag, taken = [] }: Typed): string | undefined {
  const env = Object.fromEntries(taken.map((option) => [`npm_config_${option}`, 'true']));
  try {
    return resolveStrategy({ name, more, flag, env }, KNOWN);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.message} | ${error.hint ?? ''}`;
  }
}

test('is found by the flag, by its name alone, or by default', () => {
  expect(resolved({ flag: 'grid' })).toBe('grid');
  expect(resolved({ name: 'grid' })).toBe('grid');
  expect(resolved({ name: 'grid', flag: 'grid' })).toBe('grid');
  expect(resolved({ flag: 'anything' })).toBe('anything');
  expect(resolved({})).toBeUndefined();
});

test.each(['./mine.ts', 'strategies/mine.js', 'mine.ts', 'C:\\mine.ts'])('%s is a path', (name) => {
  expect(resolved({ name })).toBe(name);
});

describe('without -- npm takes the flags', () => {
  test('`npm run bot --strategy grid` arrives as a name, and works', () => {
    expect(resolved({ name: 'grid', taken: ['strategy'] })).toBe('grid');
  });

  test('other lost options are reported, with what to type', () => {
    expect(resolved({ name: 'grid', more: ['20s'], taken: ['strategy', 'for', 'json'] })).toBe(
      'npm took --for, --json for its own options, because there was no -- before them | type: npm run bot -- --strategy grid --for 20s',
    );
    expect(resolved({ taken: ['strategy'] })).toContain('npm took --strategy for its own options');
  });

  test('options without a value are reported beside the name of a strategy', () => {
    expect(resolved({ name: 'grid', taken: ['adopt', 'start_timeout'] })).toContain(
      'npm took --start-timeout, --adopt for its own options',
    );
  });

  test("npm's own settings of the same name are ignored", () => {
    expect(resolved({ flag: 'grid', taken: ['json', 'key'] })).toBe('grid');
  });
});

test('an unknown word is reported before a conflict with other options', () => {
  for (const typed of [
    { name: 'backtst', flag: 'grid' },
    { name: 'backtst', more: ['my.tape'] },
  ] as const)
    expect(resolved(typed)).toContain('"backtst" | did you mean "backtest"?');
});

test.each([
  ['grdi', 'did you mean "grid"?'],
  ['exchnge', 'did you mean "exchange"?'],
  ['twapp', 'did you mean "twap"?'],
  ['somethingelse', 'strategies: grid, lean-maker, twap, crossover, pairs, carry, trend; commands: --help'],
])('%s is no command and no strategy', (name, hint) => {
  expect(resolved({ name })).toBe(`there is no command and no built-in strategy "${name}" | ${hint}`);
});

test('options that exclude each other are refused', () => {
  expect(resolved({ name: 'grid', flag: 'twap' })).toContain('two strategies were given: "twap" and "grid"');
  expect(resolved({ name: 'grid', more: ['20s'] })).toContain('unexpected after "grid": "20s"');
  expect(resolved({ name: 'exchange' })).toContain('the command "exchange" goes before its options');
});
