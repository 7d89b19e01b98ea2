// The documents for authors: every program in them is a file that is type-checked and run here.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import type { View } from '../../../src/bot/strategy/view/view.ts';
import { play, testTools } from '../../../src/testing.ts';
import { minutes } from '../../story/strategies/minutes.ts';
import { BTC, START, WorldBuilder } from '../world-builder.ts';
import fromFreqtrade from './examples/from-freqtrade.ts';
import fromHummingbot from './examples/from-hummingbot.ts';
import fromJesse from './examples/from-jesse.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const example = (name: string): string => read(`test/unit/docs/examples/${name}.ts`);

const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code ?? '');

describe('the programs of the pages are the examples', () => {
  test.each([
    ['docs/getting-started.md', ['maker']],
    ['docs/testing.md', ['maker', 'maker-in-node', 'restart-in-node']],
    ['docs/coming-from.md', ['from-freqtrade', 'from-hummingbot', 'from-jesse']],
    ['docs/debugging.md', []],
  ])('%s', (page, names) => {
    expect(blocks(page, 'ts')).toEqual(names.map(example));
  });

  test('every example is in a document', () => {
    const shown = ['from-freqtrade', 'from-hummingbot', 'from-jesse', 'maker', 'maker.test', 'maker-in-node', 'restart-in-node'];
    expect(new Set(readdirSync(new URL('examples', import.meta.url)))).toEqual(new Set(shown.map((name) => `${name}.ts`)));
  });

  test('every file that a document names exists', () => {
    for (const page of ['docs/testing.md', 'docs/coming-from.md', 'docs/debugging.md']) {
      for (const [, file = ''] of read(page).matchAll(/`((?:src|strategies|docs)\/[\w/.-]+\.(?:ts|md))`/g)) {
        if (!/^strategies\/m(aker|y-bot)/.test(file)) expect(existsSync(new URL(file, root)), `${page} names ${file}`).toBe(true);
      }
      for (const [, file = ''] of read(page).matchAll(/`([\w-]+\.md)`/g))
        expect(existsSync(new URL(`docs/${file}`, root)), file).toBe(true);
    }
  });
});

test('maker-in-node and restart-in-node pass with the test runner of Node', () => {
  const files = ['maker-in-node', 'restart-in-node'].map((name) => fileURLToPath(new URL(`examples/${name}.ts`, import.meta.url)));
  const loader = new URL('src/base/load-typescript.mjs', root).href;
  const { status, stdout } = spawnSync(process.execPath, ['--import', loader, '--test', '--test-reporter=tap', ...files], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  expect(Number(/^# pass (\d+)/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(files.length);
  expect(status, stdout).toBe(0);
});

describe('the examples of coming-from.md trade', () => {
  test('the market maker rests on both sides', async () => {
    const { orders } = await play(fromHummingbot, { market: minutes([3_000], 'ETHUSDC') });
    expect(new Set(orders.map(({ side }) => side))).toEqual(new Set(['bid', 'ask']));
  });

  test.each([
    ['up', 1, { fromFreqtrade: 100, fromJesse: 806 }], // 5 % of 100,000 at 62,030
    ['down', -1, { fromFreqtrade: 0, fromJesse: -861 }], // and at 58,050
  ] as const)('the two others follow a market that goes %s', (_, direction, positions) => {
    const [quarters, hours] = [15, 60].map((length) => trendingWorld(length * 60_000, direction).view());
    expect(decided(fromFreqtrade, quarters!)).toMatchObject([{ kind: 'target', position: positions.fromFreqtrade }]);
    expect(decided(fromJesse, hours!)).toMatchObject([{ kind: 'target', position: positions.fromJesse }]);
  });

  test('nothing is wanted before there are enough candles', () => {
    const view = trendingWorld(60_000, 1).view();
    expect([decided(fromFreqtrade, view), decided(fromJesse, view)]).toEqual([[], []]);
  });
});

const decided = <P extends Params>(strategy: Strategy<P>, view: View) => strategy.create(strategy.defaults, testTools())(view);

/** 200 candles that rise or fall by 10 on average, with larger moves back and forth; an account of 100,000, and a book at the last close. */
function trendingWorld(span: number, direction: number): WorldBuilder {
  const start = Math.floor(START / span) * span - 200 * span;
  const closes = Array.from({ length: 200 }, (_, index) => 60_000 + direction * 10 * index + (index % 2) * 40);
  const candles = closes.map((close, index) => {
    const price = BTC.restAt('bid', close);
    return { start: start + index * span, open: price, high: ticks(price + 300), low: ticks(price - 300), close: price };
  });
  const last = closes.at(-1) ?? 0;
  return new WorldBuilder()
    .account({ balance: 100_000 })
    .apply((at) => ({ kind: 'candlesSeen', at, asked: at, market: 0, candles, span }))
    .info({ price: last })
    .book([[last - 1, 1]], [[last + 1, 1]]);
}
