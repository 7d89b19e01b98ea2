// A paper run by the program as a process on the data of a stand-in of Binance, through the library ccxt, where it is installed; and what is refused.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BinanceStandIn } from '../unit/research/download/binance-stand-in.ts';
import { MarketHistory } from '../unit/research/download/market-history.ts';
import { startChild } from './children.ts';

const isInstalled = existsSync(new URL('../../node_modules/ccxt', import.meta.url));
if (!isInstalled) console.log('skipped: a paper run through ccxt, which is not installed (npm install --no-save --save-dev ccxt@4.5.84)');

const HISTORY = new MarketHistory({ begins: Date.UTC(2024, 0, 1), price: 100 });
/** Up and down by half a per cent in twelve seconds. */
const mid = (at: number): number => 100 + 0.5 * Math.sin((at / 12_000) * 2 * Math.PI);

test.skipIf(!isInstalled)(
  'a grid trades a perpetual of Binance on paper by GET alone, without a key, and its tape repeats the run',
  async () => {
    const standIn = new BinanceStandIn({ markets: { BTC: HISTORY }, perpetuals: { BTC: HISTORY }, now: Date.now(), mid });
    const url = await standIn.listen();
    const state = join(mkdtempSync(join(tmpdir(), 'paper-ccxt-')), 'state');
    try {
      const words = [
        '--strategy',
        'grid',
        '--exchange',
        'ccxt:binance',
        '--url',
        url,
        '--paper',
        '--state',
        state,
        '--for',
        '25s',
        '--json',
      ];
      const run = startChild(['run', ...words, '--set', 'params.market=BTC/USDT:USDT', '--set', 'params.spacingBps=5']);
      expect(await run.ended, run.stderrText()).toBe(0);
      const summary = run.lines.at(-1);
      expect(summary).toMatchObject({ kind: 'summary', exchange: 'ccxt:binance', paper: true });
      expect(summary?.['fills']).toBeGreaterThan(3);
      expect(summary?.['quality']).toMatch(
        /^ccxt:binance by ccxt .*, 20 levels a side; trades every 1 s, at most the newest 50; mark and index price every 2 s; funding rates\./,
      );
      expect(run.stderrText()).toContain(`data: ${String(summary?.['quality'])}`);
      expect(run.lines.find(({ kind }) => kind === 'ready')).toMatchObject({ exchange: 'ccxt:binance', paper: true });

      expect(standIn.paths.filter((path) => !path.startsWith('GET '))).toEqual([]);
      expect(new Set(standIn.paths)).toContain('GET /fapi/v1/aggTrades');
      expect(standIn.headers.filter((name) => /key|auth|sign/i.test(name))).toEqual([]);

      const tape = startChild(['tape', 'info', join(state, 'market.tape'), '--json']);
      expect(await tape.ended, tape.stderrText()).toBe(0);
      expect(tape.lines.at(-1)).toMatchObject({ markets: { 'BTC/USDT:USDT': { kind: 'perp' } } });
      const parity = startChild(['parity', '--state', state, '--json']);
      expect(await parity.ended, parity.stderrText()).toBe(0);
      expect(parity.lines.at(-1)).toMatchObject({ agreement: 1 });
      const kill = startChild(['kill', '--state', state, '--json']);
      expect(await kill.ended, kill.stderrText()).toBe(0);
      const doctor = startChild(['doctor', '--exchange', 'ccxt:binance', '--url', url, '--json']);
      await doctor.ended;
      expect(doctor.lines).toContainEqual(expect.objectContaining({ check: 'exchange', verdict: 'ok' }));
    } finally {
      await standIn.close();
    }
  },
);

test.skipIf(!isInstalled).each<[readonly string[], string]>([
  [['--exchange', 'ccxt:bnance', '--paper'], 'did you mean "binance"?'],
  [['--exchange', 'ccxt:binance'], 'no order is sent through ccxt'],
  [['--exchange', 'ccxt:binance', '--live'], 'no order is sent through ccxt'],
  [['--exchange', 'ccxt:binance', '--paper', '--key', 'my.key'], '--paper does not take --key'],
  [['--exchange', 'ccxt', '--paper'], '"ccxt" names no exchange'],
  [
    ['--exchange', 'ccxt:binance', '--paper', '--url', 'http://127.0.0.1:1', '--start-timeout', '1s'],
    'connecting to ccxt:binance failed for 1 s',
  ],
])('%j is refused in words', async (words, text) => {
  const run = startChild(['run', '--strategy', 'grid', '--json', ...words]);
  expect(await run.ended).toBe(words.includes('--start-timeout') ? 1 : 2);
  expect(run.stderrText()).toContain(text);
});
