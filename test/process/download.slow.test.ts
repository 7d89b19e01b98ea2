// Downloads by the program as a process: killed at any moment and continued; through the library ccxt, where it is installed; and a sweep on the folder.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BinanceStandIn } from '../unit/research/download/binance-stand-in.ts';
import { HyperliquidStandIn } from '../unit/research/download/hyperliquid-stand-in.ts';
import { MarketHistory } from '../unit/research/download/market-history.ts';
import { type Child, startChild } from './children.ts';

const NOW = Date.UTC(2026, 0, 3, 12, 0, 30);
const folderOf = (): string => mkdtempSync(join(tmpdir(), 'download-'));
/** All files but the manifest, which names the folder in its command. */
const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(gz|tape|part|new)$/.test(name))
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);

test('a download that is killed in the middle of each page continues, and ends with the same bytes', async () => {
  let child: Child | undefined;
  let kills = 0;
  const standIn = new HyperliquidStandIn({
    now: NOW,
    markets: { BTC: new MarketHistory({ begins: Date.UTC(2024, 0, 1), price: 90_000, fundingMs: 3_600_000 }) },
    page: 500,
    instead(type, count) {
      if (child === undefined || kills === 8 || count % 4 !== 0 || !/candle|funding/.test(type)) return undefined;
      kills++;
      void child.signal('SIGKILL');
      return undefined;
    },
  });
  const url = await standIn.listen();
  const words = (out: string) => [
    'download',
    '--from',
    'hyperliquid',
    '--url',
    url,
    '--market',
    'BTC',
    '--since',
    '2025-12-31T04:00Z',
    '--funding',
    '--json',
    '--out',
    out,
  ];
  try {
    const [whole, parted] = [folderOf(), folderOf()];
    const undisturbed = startChild(words(whole));
    expect(await undisturbed.ended, undisturbed.stderrText()).toBe(0);
    let code: number | null = null;
    for (let start = 0; code === null && start < 12; start++) {
      child = startChild(words(parted));
      code = await child.ended;
    }
    expect(code, child?.stderrText()).toBe(0);
    expect(kills).toBeGreaterThan(2);
    expect(child?.lines.at(-1)).toMatchObject({ markets: { BTC: { candles: 4_800, missing: 0 } } });
    expect(filesIn(parted)).toEqual(filesIn(whole));
    const sweep = startChild([
      'sweep',
      '--strategy',
      'crossover',
      '--tape',
      parted,
      '--param',
      'fast=5,8',
      '--workers',
      '1',
      '--json',
      '--store',
      join(parted, 'store.sqlite'),
      '--report',
      join(parted, 'sweep.html'),
    ]);
    expect(await sweep.ended, sweep.stderrText()).toBe(0);
    expect(sweep.lines.at(-1)).toMatchObject({ kind: 'summary', points: 2, failed: 0 });
  } finally {
    await standIn.close();
  }
});

const isInstalled = existsSync(new URL('../../node_modules/ccxt', import.meta.url));
if (!isInstalled) console.log('skipped: a download through ccxt, which is not installed (npm install --no-save --save-dev ccxt@4.5.84)');

test.skipIf(!isInstalled)('ccxt downloads a spot market and a perpetual of Binance from another address, and sends no key', async () => {
  const history = new MarketHistory({
    begins: Date.UTC(2025, 11, 31),
    price: 90_000,
    holes: [[Date.UTC(2026, 0, 1, 10), Date.UTC(2026, 0, 1, 10, 5)]],
  });
  const standIn = new BinanceStandIn({ now: NOW, markets: { BTC: history }, perpetuals: { BTC: history } });
  const url = await standIn.listen();
  try {
    const words = [
      '--from',
      'ccxt:binance',
      '--url',
      url,
      '--market',
      'BTC/USDT',
      '--market',
      'BTC/USDT:USDT',
      '--since',
      '2025-12-01',
      '--funding',
    ];
    const child = startChild(['download', ...words, '--json', '--out', folderOf()]);
    expect(await child.ended, child.stderrText()).toBe(0);
    const found = { candles: 5_035, first: '2025-12-31T00:00:00.000Z', last: '2026-01-03T11:59:00.000Z', missing: 5 };
    expect(child.lines.at(-1)).toMatchObject({ from: 'ccxt:binance', markets: { 'BTC/USDT': { ...found, kind: 'spot' } } });
    // Settlements every eight hours, in the time of the exchange: three days and a half.
    expect(child.lines.at(-1)).toMatchObject({ markets: { 'BTC/USDT:USDT': { ...found, kind: 'perp', funding: 11 } } });
    expect(standIn.paths.filter((path) => !/^GET .*\/(exchangeInfo|time|klines|fundingRate)$/.test(path))).toEqual([]);
    expect(standIn.headers.filter((name) => /key|sign|auth/i.test(name))).toEqual([]);
  } finally {
    await standIn.close();
  }
});
