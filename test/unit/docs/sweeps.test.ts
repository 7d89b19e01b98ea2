// docs/sweeps.md: its manifests are valid YAML, and the options in its commands exist.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/sweeps.md');
const manifests = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text]) => parse(text ?? '') as Readonly<Record<string, unknown>>);

test('the compose file and the Kubernetes job are YAML with what they are named after', () => {
  expect(manifests.map((manifest) => manifest['kind'] ?? Object.keys(manifest))).toEqual([['services', 'volumes'], 'Job']);
  expect(manifests[1]).toMatchObject({
    spec: { completionMode: 'Indexed', podFailurePolicy: { rules: [{ onExitCodes: { values: [2] } }] } },
  });
});

test('every option in a command of the page is one of the program', () => {
  const known = read('src/program/commands/sweep/command.ts') + read('src/program/commands/backtest/command.ts');
  const commands = [...page.matchAll(/sweep (?:worker )?--[^`\n]*/g)].map(([text]) => text);
  const options = new Set(commands.flatMap((text) => [...text.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option)));
  expect(options.size).toBeGreaterThan(5);
  expect([...options].filter((option) => !known.includes(`'${option} `))).toEqual([]);
});
