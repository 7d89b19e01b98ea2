// Configurations: their values, and the place of each error.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { loadConfig } from '../../../src/bot/run/core/config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});

function configOf(text: string, sets: readonly string[] = []) {
  const file = join(folder, 'run.yaml');
  writeFileSync(file, text);
  return loadConfig({ file, sets });
}

/** `line:column: message` of the error. */
function complaint(text: string, sets: readonly string[] = []): string {
  try {
    configOf(text, sets);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.message}${error.hint === undefined ? '' : ` | ${error.hint}`}`.replace(`${join(folder, 'run.yaml')}:`, '');
  }
}

describe('what is given', () => {
  test('an empty one has defaults for everything but the strategy', () => {
    const config = loadConfig({ file: undefined, sets: [] });
    expect([config.strategy, config.params, config.polling.orderBookMs]).toEqual([undefined, {}, 250]);
    expect(config.local).toEqual({ flagsAs: 'boolean' });
  });

  test('a file may have numbers bare or quoted', () => {
    const config = configOf('strategy: grid\nparams:\n  market: BTCUSDC\n  size: "0.01"\npolling: { orderBookMs: "100" }\n');
    expect([config.strategy, config.params, config.polling.orderBookMs]).toEqual(['grid', { market: 'BTCUSDC', size: '0.01' }, 100]);
    expect(config.placeOfParam('size')).toEqual({ file: join(folder, 'run.yaml'), line: 4, column: 9 });
  });

  test('--set overrides the file, value by value, and errors in it name the option', () => {
    const config = configOf('params: { market: BTCUSDC, levels: 3 }\n', ['params.levels=5', 'params.on=true', 'polling.accountMs=200']);
    expect(config.params).toEqual({ market: 'BTCUSDC', levels: 5, on: true });
    expect([config.polling.accountMs, config.polling.orderBookMs]).toEqual([200, 250]);
    expect(configOf('', ['local.flagsAs=text']).local).toEqual({ flagsAs: 'text' });
    expect(config.placeOfParam('levels')).toEqual({ file: '--set params.levels=5' });
  });
});

describe('what is wrong, and where', () => {
  test.each([
    ['an unknown key', 'strategy: grid\nparms: {}\n', '2:1: unknown key "parms" | did you mean "params"?'],
    ['an unknown guard', 'limits:\n  margn: { openBuffer: 1 }\n', '2:3: unknown key "margn" in limits | did you mean "margin"?'],
    [
      'an unknown limit',
      'limits:\n  margin:\n    openBufer: 1\n',
      '3:5: unknown key "openBufer" in limits.margin | did you mean "openBuffer"?',
    ],
    ['an unknown format of flags', 'local:\n  flagsAs: yes\n', '2:12: local.flagsAs: must be boolean or text'],
    ['a comma', 'limits:\n  margin:\n    openBuffer: "0,25"\n', '3:17: limits.margin.openBuffer: "0,25" is not a decimal; write 0.25'],
    ['a negative number', 'polling:\n  orderBookMs: -5\n', '2:16: polling.orderBookMs: must be at least 20'],
    ['not a number', 'polling:\n  orderBookMs: .nan\n', '2:16: polling.orderBookMs: must be a number'],
    ['a strategy that is not text', 'strategy: [grid]\n', '1:11: strategy: must be a name or a path'],
    ['params that are not a map', 'params: 5\n', '1:9: params: must be a map of keys and values'],
    ['limits that are not a map', 'limits: 5\n', '1:9: limits: must be a map of keys and values'],
    ['kinds that are not a list', 'notify: { kinds: alarm }\n', '1:18: notify.kinds: must be a list of kinds'],
    ['a port that is text', 'signals: { port: x }\n', '1:18: signals.port: must be a port; write a number up to 65535'],
  ])('%s', (_, text, said) => {
    expect(complaint(text)).toContain(said);
  });

  test.each([
    ['a bracket that does not close', 'params: {a: 1\n'],
    ['a key twice', 'strategy: grid\nstrategy: twap\n'],
    ['two documents', 'strategy: grid\n---\nstrategy: grid\n'],
    ['a tab', 'params:\n\tsize: 1\n'],
  ])('%s is not YAML, at a line and a column', (_, text) => {
    expect(complaint(text)).toMatch(/^\d+:\d+: not valid YAML: /);
  });

  test.each([
    ['a list', '- strategy\n'],
    ['a word', 'grid\n'],
  ])('%s is no configuration', (_, text) => {
    expect(complaint(text)).toBe('1:1: the configuration: must be a map of keys and values, as in key: value');
  });

  test.each([
    ['no "="', 'params.levels', 'has no "path=value"'],
    ['no path', '=5', 'has no "path=value"'],
    ['an unknown path', 'parms.levels=5', 'unknown key "parms" | did you mean "params"?'],
    ['invalid YAML', 'params.levels=[1', '--set params.levels=[1: '],
    ['a negative limit', 'polling.accountMs=-1', '--set polling.accountMs=-1: polling.accountMs: must be at least 20'],
  ])('--set with %s', (_, set, said) => {
    expect(complaint('', [set])).toContain(said);
  });

  test.each([
    ['above', 'limits.margn.openBuffer=2', '--set limits.margn.openBuffer=2: unknown key "margn" in limits | did you mean "margin"?'],
    ['below', 'limits.margin={openBufer: 2}', '--set limits.margin={openBufer: 2}: unknown key "openBufer" in limits.margin'],
  ])('an error %s the value of --set names --set, not the file', (_, set, said) => {
    expect(complaint('limits:\n  margin: { openBuffer: 0.5 }\n', [set])).toContain(said);
    expect(complaint('limits:\n  margin: { openBufer: 0.5 }\n', ['limits.rate.maxPerSecond=5'])).toMatch(/^2:13: /);
  });
});

describe('hostile files', () => {
  test('an alias bomb is refused without expanding it', () => {
    const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(',')}]`);
    expect(complaint(`l0: &l0 [1]\n${levels.join('\n')}\nparams: { x: *l9 }\n`)).toContain('Excessive alias count');
  });

  test('an alias without an anchor', () => {
    expect(complaint('params: { x: *nowhere }\n')).toContain('nowhere');
  });

  test.each(['__proto__', 'constructor', 'prototype'])('the key %s', (key) => {
    expect(complaint(`params:\n  ${key}: { polluted: true }\n`)).toContain(`the key "${key}" is not allowed`);
    expect(complaint('', [`params.${key}.polluted=true`])).toContain(`the key "${key}" is not allowed`);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('something that is not a file, or is too large', () => {
    expect(() => loadConfig({ file: folder, sets: [] })).toThrow('cannot be read');
    expect(() => loadConfig({ file: join(folder, 'nowhere.yaml'), sets: [] })).toThrow('cannot be read');
    expect(complaint(`# ${'x'.repeat(300_000)}\n`)).toContain('larger than 256 KiB');
  });
});
