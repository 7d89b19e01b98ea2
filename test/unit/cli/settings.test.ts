// The settings: options that are keys of the configuration too. One declaration has the check, the default and the words of both.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/bot/run/core/config.ts';
import { SETTINGS } from '../../../src/program/common-options.ts';
import { configOf, withSettings } from '../../../src/program/configuration.ts';
import { nameOf } from '../../../src/program/declared.ts';
import { runCommand } from './run-command.ts';

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'settings-')), 'run.yaml');
  writeFileSync(file, text);
  return file;
}

const FILE = `
strategy: twap
exchange: ./mine.ts
polling: { orderBookMs: 300 }
signals: { port: 8787 }
notify: { to: [ntfy://file] }
`;

const valuesOf = ({ strategy, exchange, polling, signals, notify }: ReturnType<typeof configOf>) => [
  strategy,
  exchange,
  polling.orderBookMs,
  signals.port,
  notify.to,
];

test('an option goes before --set, --set before the file, the file before the default; a list of an option goes before that of the file', () => {
  const config = fileOf(FILE);
  const set = ['polling.orderBookMs=400', 'signals.port=1'];
  const given = { strategy: 'grid', exchange: 'local', poll: 500, signals: 0, notify: ['ntfy://option'] } as const;
  expect(valuesOf(configOf({ config, set, ...given }))).toEqual(['grid', 'local', 500, 0, ['ntfy://option', 'ntfy://file']]);
  expect(valuesOf(configOf({ config, set }))).toEqual(['twap', './mine.ts', 400, 1, ['ntfy://file']]);
  expect(valuesOf(configOf({ config }))).toEqual(['twap', './mine.ts', 300, 8787, ['ntfy://file']]);
  expect(valuesOf(configOf({}))).toEqual([undefined, undefined, 250, undefined, []]);
});

test('what is wrong in the file is reported also if an option replaces it', () => {
  expect(() => configOf({ config: fileOf('polling: { orderBookMs: 3 }'), poll: 500 })).toThrow(
    /run\.yaml:1:25: polling\.orderBookMs: must be/,
  );
  expect(() => configOf({ config: fileOf('notify: { to: [5] }'), notify: ['ntfy://a'] })).toThrow(
    /run\.yaml:1:15: notify\.to\.0: must be a URL/,
  );
});

test('each setting has the name and the default of its key', () => {
  const config = loadConfig({ file: undefined, sets: [] });
  for (const [name, { key, usual, ...declared }] of Object.entries(SETTINGS)) {
    expect(nameOf(declared)).toBe(name);
    const value = key.reduce<unknown>((map, part) => (map as Record<string, unknown>)[part], config);
    expect(value, key.join('.')).toEqual(usual);
  }
});

test('a key takes what its option takes, and an option is refused in its own words', async () => {
  for (const [key, option, wrong, why, words] of [
    ['signals.port', '--signals', '65536', 'must be a port', 'is not a port'],
    ['polling.orderBookMs', '--poll', '19', 'must be at least 20', 'is not an interval'],
    ['retention.runDays', '--runs', '1,5', '"1,5" is not a decimal; write 1.5', 'is not a number of days'],
  ] as const) {
    const command = { '--signals': 'grid', '--poll': 'backtest --tape x', '--runs': 'clean' }[option];
    expect(() => loadConfig({ file: undefined, sets: [`${key}="${wrong}"`] })).toThrow(`${key}: ${why}`);
    expect((await runCommand(`${command} ${option} ${wrong}`)).err).toContain(`error: ${option} "${wrong}" ${words}\n`);
  }
  expect(loadConfig({ file: undefined, sets: ['signals.port="8787"'] }).signals.port).toBe(8787);
});

test('a setting leaves the keys of other options alone', () => {
  const fleet = { name: 'two', notify: { to: ['ntfy://file'], mostAnHour: 3 } };
  expect(withSettings(fleet, { notify: ['ntfy://option'] })).toEqual({
    name: 'two',
    notify: { to: ['ntfy://option', 'ntfy://file'], mostAnHour: 3 },
  });
  expect(withSettings(fleet, { notify: undefined })).toBe(fleet);
});
