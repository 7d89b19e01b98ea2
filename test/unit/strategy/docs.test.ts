// The guide for authors: its programs are files that run, its configurations load, and its messages are real.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/base/errors.ts';
import { type LoadedConfig, loadConfig } from '../../../src/bot/run/core/config.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { BUILT_IN_STRATEGIES, loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../../src/bot/strategy/params.ts';
import maker from '../docs/examples/maker.ts';
import { calmWorld } from '../world-builder.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const guide = read('docs/strategies.md');

/** Code blocks of one language. */
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code ?? '');

/** Leaves out the first line and sorts the imports. */
function program(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/(from ')(?:\.{1,2}\/)+(?:[\w-]+\/)*/, '$1./'));
  return [...lines.filter((line) => line.startsWith('import')).sort(), ...lines.filter((line) => !line.startsWith('import'))];
}

const example = (name: string): string => `test/unit/strategy/examples/${name}`;

describe('docs/strategies.md', () => {
  test('its programs are these files', () => {
    const files = [
      'test/unit/docs/examples/maker.ts',
      example('above-average.ts'),
      'strategies/lean-maker.ts',
      example('rider.ts'),
      example('saver.ts'),
      example('follow.ts'),
      'test/unit/docs/examples/maker.test.ts',
    ];
    expect(blocks('ts').map(program)).toEqual(files.map((file) => program(read(file))));
  });

  test('its configurations load', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guide-'));
    const file = join(folder, 'maker.yaml');
    for (const text of blocks('yaml')) {
      writeFileSync(file, text);
      const config = loadConfig({ file, sets: [] });
      expect(config.strategy).toBe('./maker.ts');
      expect(paramsOf(maker, config)).toEqual({ ...maker.defaults, notional: 1_000, halfSpreadBps: 1.5 });
    }
    rmSync(folder, { recursive: true });
  });

  test('it lists all members of a view and its markets', () => {
    const view = calmWorld({ bid: 1, ask: 2 }).view();
    for (const key of Object.keys(view.market('BTCUSDC'))) expect(guide).toMatch(new RegExp(`^\\|.*\`${key}\`.*\\|`, 'm'));
    for (const key of Object.keys(view)) expect(guide).toContain(`view.${key}`);
    for (const key of Object.keys(view.account)) expect(guide).toContain(`\`${key}\``);
  });

  test('its messages are the real ones', () => {
    const messages = [ofComma, () => calmWorld({ bid: 1, ask: 2 }).view().market('BTCUSD')].map(messageFrom);
    for (const message of messages) expect(guide).toContain(`| \`${message}\` |`);
  });
});

test('the mistake that README.md shows gets this message', () => {
  expect(read('README.md')).toContain(`\nerror: ${messageFrom(ofComma)}\n`);
});

/** Loads `size: "0,01"` in config/grid.yaml. */
function ofComma(): void {
  const folder = mkdtempSync(join(tmpdir(), 'comma-'));
  const file = join(folder, 'grid.yaml');
  writeFileSync(file, read('config/grid.yaml').replace(/^  size: \S+/m, '  size: "0,01"'));
  const config = loadConfig({ file, sets: [] });
  rmSync(folder, { recursive: true });
  resolveParams({ defaults: { size: 0 } }, { size: config.params['size'] }, (key) => ({
    ...config.placeOfParam(key),
    file: 'config/grid.yaml',
  }));
}

describe.each(BUILT_IN_STRATEGIES)('config/%s.yaml', (name) => {
  test('names its strategy and all parameters, at their defaults', async () => {
    const { strategy } = await loadStrategy(name);
    const config = loadConfig({ file: new URL(`config/${name}.yaml`, root).pathname, sets: [] });
    expect(config.strategy).toBe(name);
    expect(paramsOf(strategy, config)).toEqual(strategy.defaults);
    expect(Object.keys(config.params)).toEqual(Object.keys(strategy.defaults));
  });

  test('reports an error in it with its place', async () => {
    const { strategy } = await loadStrategy(name);
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, read(`config/${name}.yaml`).replace(/^(  (?:notional|targetNotional|size): )[.\d]+ /m, '$1"0,5" '));
    const config = loadConfig({ file, sets: [] });
    expect(messageFrom(() => paramsOf(strategy, config))).toMatch(/wrong\.yaml:\d+:\d+: \w+ "0,5" is not a decimal; write 0\.5$/);
    rmSync(folder, { recursive: true });
  });
});

const paramsOf = <P extends Params>(strategy: Strategy<P>, config: LoadedConfig): P =>
  resolveParams(strategy, config.params, (key) => config.placeOfParam(key));

function messageFrom(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return messageOf(error);
  }
  throw new Error('nothing was thrown');
}
