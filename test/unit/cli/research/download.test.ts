// `bot download` from a stand-in of Hyperliquid, and a backtest on the folder as it lies.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HyperliquidStandIn } from '../../research/download/hyperliquid-stand-in.ts';
import { MarketHistory } from '../../research/download/market-history.ts';
import { runCommand } from '../run-command.ts';

const NOW = Date.UTC(2026, 0, 3, 12, 0, 30);
const folder = mkdtempSync(join(tmpdir(), 'download-'));
const data = join(folder, 'data');
let standIn: HyperliquidStandIn;
let url = '';

beforeAll(async () => {
  const begins = Date.UTC(2024, 0, 1);
  standIn = new HyperliquidStandIn({
    now: NOW,
    markets: {
      BTC: new MarketHistory({
        begins,
        price: 90_000,
        holes: [[Date.UTC(2026, 0, 1, 10), Date.UTC(2026, 0, 1, 10, 5)]],
        fundingMs: 3_600_000,
      }),
      ETH: new MarketHistory({ begins, price: 3_000, fundingMs: 3_600_000 }),
      'PURR/USDC': new MarketHistory({ begins: Date.UTC(2026, 0, 2), price: 5 }),
    },
  });
  url = await standIn.listen();
});
afterAll(() => standIn.close());

const download = (words: string) => runCommand(`download --from hyperliquid --url ${url} --out ${data} ${words}`);
const ALL = '--market BTC ETH --market PURR/USDC --since 2025-12-31T20:00Z --funding';

test('says of each market what there is and what is missing', async () => {
  const { code, lines, err } = await download(ALL);
  expect(err).not.toContain('error');
  expect(code).toBe(0);
  expect(lines).toEqual([
    'BTC: 3,835 candles of 1m, 2025-12-31 20:00 to the one of 2026-01-03 11:59 UTC, perpetual',
    '  missing   5 candles in 1 gap, the longest 2026-01-01 10:00 to 2026-01-01 10:05',
    '  funding   64 rates',
    `  tape      ${data}/BTC-1m.tape`,
    'ETH: 3,840 candles of 1m, 2025-12-31 20:00 to the one of 2026-01-03 11:59 UTC, perpetual',
    '  missing   no candle between the first and the last',
    '  funding   64 rates',
    `  tape      ${data}/ETH-1m.tape`,
    'PURR/USDC: 2,160 candles of 1m, 2026-01-02 00:00 to the one of 2026-01-03 11:59 UTC, spot market',
    '  short of  asked for from 2025-12-31T20:00Z, the candles begin at 2026-01-02T00:00Z; Hyperliquid shows the newest 5,000 candles of each length only',
    '  missing   no candle between the first and the last',
    `  tape      ${data}/PURR-USDC-1m.tape`,
  ]);
});

test('again it asks for markets and time only, and gives the summary', async () => {
  const before = standIn.requests.length;
  const { code, lines } = await download(`${ALL} --json`);
  expect(code).toBe(0);
  expect(lines).toHaveLength(1);
  const { markets, ...summary } = JSON.parse(lines[0] ?? '');
  expect(summary).toEqual({ kind: 'summary', from: 'hyperliquid', requests: 3, reused: 10 });
  expect(markets.BTC).toEqual({
    candles: 3_835,
    first: '2025-12-31T20:00:00.000Z',
    last: '2026-01-03T11:59:00.000Z',
    missing: 5,
    funding: 64,
    kind: 'perp',
  });
  expect(markets['PURR/USDC']).toMatchObject({ kind: 'spot', shortOf: expect.stringContaining('the candles begin at 2026-01-02T00:00Z') });
  expect(standIn.requests.slice(before)).toEqual(['meta', 'spotMeta', 'exchangeStatus']);
});

test('the manifest names source, hashes and gaps', () => {
  const manifest = JSON.parse(readFileSync(join(data, 'download.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: 1, from: 'hyperliquid', library: expect.stringMatching(/^tickwright \d/), intervalMs: 60_000 });
  const [, january] = manifest.markets.BTC.candles.files;
  expect(january).toMatchObject({ name: 'candles-1m-2026-01.csv.gz', missing: 5, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('a backtest plays the markets of the folder together', async () => {
  const { code, lines, err } = await runCommand(
    `backtest --strategy crossover --tape ${data} --from 2026-01-03T06:00Z --set params.market=ETH --report ${join(folder, 'report.html')} --json`,
  );
  expect(err).not.toContain('error');
  expect(code).toBe(0);
  const summary = JSON.parse(lines.at(-1) ?? '');
  expect(Object.keys(summary.markets)).toEqual(['BTC', 'ETH', 'PURR/USDC']);
  expect(summary.markets['PURR/USDC'].kind).toBe('spot');
});

test('a tape that is missing is made again, with the same bytes', async () => {
  const file = join(data, 'ETH-1m.tape');
  const before = readFileSync(file);
  rmSync(file);
  const { code } = await runCommand(
    `backtest --strategy crossover --tape ${data} --from 2026-01-03T06:00Z --report ${join(folder, 'again.html')}`,
  );
  expect(code).toBe(0);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a download that is not complete is refused by a backtest, with the command that continues it', async () => {
  const path = join(data, 'download.json');
  const manifest = readFileSync(path, 'utf8');
  writeFileSync(path, manifest.replace('"complete": true', '"complete": false'));
  const { code, err } = await runCommand(`backtest --strategy crossover --tape ${data}`);
  writeFileSync(path, manifest);
  expect(code).toBe(2);
  expect(err).toContain(`the download of BTC in ${data} is not complete`);
  expect(err).toContain('download --from hyperliquid --candles 1m --since 2025-12-31T20:00:00.000Z');
});

test('a folder without tapes is refused', async () => {
  const { code, err } = await runCommand(`backtest --strategy crossover --tape ${mkdtempSync(join(folder, 'empty-'))}`);
  expect(code).toBe(2);
  expect(err).toContain('has no tapes and no downloaded candles');
});

test.each([
  ['--market BTC BTC --since 2026-01-01', '--market BTC is given twice'],
  ['--market BTC --since 2026-01-01 --trades', 'hyperliquid publishes no history of trades'],
  ['--market BTC --since yesterday', '--since "yesterday" is not a time'],
  ['--market BTC --since 2026-01-01 --candles 7m', '"7m" is not a length of candles'],
  ['--market BTC --since 2026-01-01 --candles 1h', 'has candles of 1m from hyperliquid; asked for are 1h from hyperliquid'],
  ['--since 2026-01-01', "required option '--market <symbol...>' not specified"],
])('download %s is wrong input', async (words, message) => {
  const { code, err } = await download(words);
  expect(err).toContain(message);
  expect(code).toBe(2);
});
