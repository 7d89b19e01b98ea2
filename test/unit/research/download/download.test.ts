// Downloads from an exchange with the traps of real ones: nothing is lost, nothing is written twice, nothing is invented.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fetched, LAST_END, minute, minutes, oneMarket, openingsOf, rowsOf, SPOT, START, temporaryFolder } from './bench.ts';
import { type FakeCcxtOptions, Temporary } from './fake-ccxt.ts';
import { MarketHistory } from './market-history.ts';

const ALL = minutes(0, 120);

type Twist = NonNullable<FakeCcxtOptions['twist']>;

const everySecondFails: Twist = (rows, { count }) => {
  if (count % 2 === 1) throw new Temporary('too many requests');
  return rows;
};

const withWrongRows: Twist = (rows) =>
  rows.map(([time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0]) => {
    if (time === minute(3)) return [time, open, low, high, close, volume];
    if (time === minute(4)) return [time, open, high, low, close];
    return [time === minute(5) ? time + 1_000 : time, open, high, low, close, volume];
  });

const goneAfter =
  (questions: number): Twist =>
  (rows, { count }) => {
    if (count > questions) throw new Error('the exchange is gone');
    return rows;
  };

const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(join(folder, 'BTC-USDT')).map((name) => [name, readFileSync(join(folder, 'BTC-USDT', name)).toString('base64')]);

const newestRows = (from: number): number[][] =>
  new MarketHistory({ begins: 0 })
    .candles(minute(from), { to: LAST_END, span: 60_000, limit: 20 })
    .map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume]);

describe('pages', () => {
  test('cover all minutes once, in a file for each month, without the running candle', async () => {
    const folder = temporaryFolder();
    const done = await fetched(folder);
    expect(openingsOf(folder, done)).toEqual(ALL);
    expect(done.manifest.markets[SPOT]?.candles.files.map(({ name }) => name)).toEqual([
      'candles-1m-2025-01.csv.gz',
      'candles-1m-2025-02.csv.gz',
    ]);
    expect(done.coverage).toMatchObject({ candles: 120, first: START, last: LAST_END - 60_000, missing: 0, shortOf: [] });
  });

  test('that end early are followed by more', async () => {
    const folder = temporaryFolder();
    expect(openingsOf(folder, await fetched(folder, { twist: (rows) => rows.slice(0, 3) }))).toEqual(ALL);
  });

  test('that come in reverse, with earlier rows and with rows twice, give each candle once', async () => {
    const folder = temporaryFolder();
    const done = await fetched(folder, { twist: (rows) => [...rows, ...rows.slice(0, 2), [START - 60_000, 1, 1, 1, 1, 1]].reverse() });
    expect(openingsOf(folder, done)).toEqual(ALL);
    expect(done.coverage.leftOut['candles twice']).toBeGreaterThan(0);
  });

  test('that are empty once are asked for again', async () => {
    const folder = temporaryFolder();
    const done = await fetched(folder, { twist: (rows, { count }) => (count % 3 === 0 ? [] : rows) });
    expect(openingsOf(folder, done)).toEqual(ALL);
  });

  test('of a long gap are empty, and the rest follows; the gap is reported and not filled', async () => {
    const folder = temporaryFolder();
    const markets = oneMarket({ holes: [[minute(20), minute(95)]] });
    // An exchange that answers with a page only, also if it is empty.
    const done = await fetched(folder, { markets, twist: (rows, { since }) => rows.filter(([time = 0]) => time < since + 10 * 60_000) });
    expect(openingsOf(folder, done)).toEqual([...minutes(0, 20), ...minutes(95, 120)]);
    expect(done.coverage).toMatchObject({ missing: 75, gapCount: 1, longestGap: { from: minute(20), to: minute(95) }, shortOf: [] });
  });

  test.each([
    ['once lose nothing', 1, minutes(0, 120)],
    ['each time cost that page only', 100, [...minutes(0, 20), ...minutes(30, 120)]],
  ])('that hold the newest rows, because the question is old, %s', async (_, times, openings) => {
    const folder = temporaryFolder();
    let left = times;
    const twist = (rows: number[][], { since }: { since: number }): number[][] =>
      since === minute(20) && left-- > 0 ? newestRows(110) : rows;
    const done = await fetched(folder, { twist });
    expect(openingsOf(folder, done)).toEqual(openings);
    expect(done.coverage.missing).toBe(120 - openings.length);
  });

  test('of temporary errors are asked for again', async () => {
    const folder = temporaryFolder();
    expect(openingsOf(folder, await fetched(folder, { twist: everySecondFails }))).toEqual(ALL);
  });
});

describe('what is missing is said', () => {
  test('a history that begins later than asked, also if it is far from there', async () => {
    const folder = temporaryFolder();
    const since = Date.UTC(2015, 0, 1);
    const done = await fetched(folder, { markets: oneMarket({ begins: minute(30) }), limit: 500 }, { since });
    expect(openingsOf(folder, done)).toEqual(minutes(30, 120));
    expect(done.coverage.shortOf).toEqual(['asked for from 2015-01-01T00:00Z, the candles begin at 2025-01-31T23:30Z']);
    expect(done.requests).toBeLessThan(40);
  });

  test('only the newest candles, whatever is asked', async () => {
    const folder = temporaryFolder();
    const done = await fetched(
      folder,
      { twist: (rows, { since }) => (since < minute(100) ? newestRows(100) : rows) },
      { since: Date.UTC(2025, 0, 10) },
    );
    expect(openingsOf(folder, done)).toEqual(minutes(100, 120));
    expect(done.coverage.shortOf[0]).toContain('the candles begin at 2025-02-01T00:40Z');
  });

  test('rows off the grid, contradictory and without a volume are left out and counted', async () => {
    const folder = temporaryFolder();
    const done = await fetched(folder, { twist: withWrongRows });
    expect(openingsOf(folder, done)).toEqual([...minutes(0, 3), ...minutes(6, 120)]);
    expect(done.coverage.leftOut).toEqual({ 'candles contradictory prices': 1, 'candles not numbers': 1, 'candles off the grid': 1 });
    expect(done.coverage).toMatchObject({ missing: 3, gapCount: 1 });
  });
});

describe('volumes, funding and trades', () => {
  // The fake states 7; a contract is 0.1 tokens.
  test.each([
    ['gate', 'in contracts, become base tokens, exact', '0.7'],
    ['okx', 'in base tokens, stay', '7'],
  ])('volumes that ccxt states, as at %s, %s', async (name, _, volume) => {
    const folder = temporaryFolder();
    const markets = { 'BTC/USDT:USDT': { history: new MarketHistory({ begins: 0 }), contractSize: 0.1 } };
    const done = await fetched(folder, { name, markets, twist: (rows) => rows.map((row) => [...row.slice(0, 5), 7]) });
    expect(new Set(rowsOf(folder, done).map((row) => row[5]))).toEqual(new Set([volume]));
    expect(done.manifest.markets['BTC/USDT:USDT']).toMatchObject({ kind: 'perp', contractSize: '0.1' });
  });

  test('funding rates of a perpetual', async () => {
    const folder = temporaryFolder();
    const markets = { 'BTC/USDT:USDT': { history: new MarketHistory({ begins: 0 }) } };
    const done = await fetched(folder, { markets, limit: 500 }, { funding: true, since: Date.UTC(2024, 11, 1) });
    const expected = new MarketHistory({ begins: 0 }).funding(Date.UTC(2024, 11, 1), { to: LAST_END, limit: 1_000 });
    expect(rowsOf(folder, done, 'funding').map(([time]) => Number(time))).toEqual(expected.map(({ time }) => time));
    expect(done.coverage.funding).toBe(expected.length);
  });

  test('each trade once, also if more have one time than a page holds', async () => {
    const folder = temporaryFolder();
    const trades = Array.from({ length: 57 }, (_, index) => {
      const timestamp = index < 20 ? minute(1) + index * 700 : index < 35 ? minute(5) : minute(5) + (index - 34) * 10_000;
      return { timestamp, id: String(index), side: index % 2 === 0 ? 'buy' : 'sell', price: 100 + index, amount: 0.5 };
    });
    const shown = trades.filter((_, index) => index < 20 || index >= 25); // ten of one time are a page
    const done = await fetched(folder, { trades: shown }, { trades: true });
    expect(rowsOf(folder, done, 'trades').map((row) => row[4])).toEqual(shown.map(({ id }) => id));
    expect(rowsOf(folder, done, 'trades')[0]).toEqual([
      'fake',
      'BTCUSDT',
      String(minute(1) * 1_000),
      String(minute(1) * 1_000),
      '0',
      'buy',
      '100',
      '0.5',
    ]);
  });

  test('trades without ids are refused with words', async () => {
    const trades = [1, 2].map((amount) => ({ timestamp: minute(5), id: undefined, side: 'buy', price: 100, amount }));
    const refused = fetched(temporaryFolder(), { trades }, { trades: true });
    await expect(refused).rejects.toThrow(/lists the trades of .* without ids/);
  });
});

describe('an interrupted download', () => {
  test.each([2, 5, 9, 12])('at question %i continues where it was, with the same bytes as one without a stop', async (stopAt) => {
    const [whole, parted] = [temporaryFolder(), temporaryFolder()];
    await fetched(whole);
    await expect(fetched(parted, { twist: goneAfter(stopAt - 1) })).rejects.toThrow('the exchange is gone');
    const done = await fetched(parted);
    expect(filesIn(parted)).toEqual(filesIn(whole));
    if (stopAt === 12) expect(done).toMatchObject({ reused: 1 });
  });

  test('ignores a last line that is torn, and rows that are not in order', async () => {
    const [whole, parted] = [temporaryFolder(), temporaryFolder()];
    const { ccxt } = await fetched(whole);
    await expect(fetched(parted, { twist: goneAfter(5) })).rejects.toThrow('gone');
    const part = join(parted, 'BTC-USDT', `candles-1m-2025-01.csv.gz.${START}.part`);
    const text = readFileSync(part, 'utf8');
    writeFileSync(part, text.slice(0, -20));
    const done = await fetched(parted);
    expect(filesIn(parted)).toEqual(filesIn(whole));
    expect(done.ccxt.asked.length).toBeLessThan(ccxt.asked.length);
  });

  test('that begins earlier than the interrupted one has all of the earlier part', async () => {
    const [whole, parted] = [temporaryFolder(), temporaryFolder()];
    const done = await fetched(whole);
    await expect(fetched(parted, { twist: goneAfter(5) }, { since: minute(15) })).rejects.toThrow('gone');
    expect(openingsOf(parted, await fetched(parted))).toEqual(openingsOf(whole, done));
    expect(filesIn(parted)).toEqual(filesIn(whole));
  });

  test('downloads a changed file again, and says so', async () => {
    const folder = temporaryFolder();
    await fetched(folder);
    const before = filesIn(folder);
    const file = join(folder, 'BTC-USDT', 'candles-1m-2025-01.csv.gz');
    writeFileSync(file, readFileSync(file).subarray(0, -5));
    const done = await fetched(folder);
    expect(done).toMatchObject({ damaged: ['candles-1m-2025-01.csv.gz'], reused: 1 });
    expect(filesIn(folder)).toEqual(before);
  });

  test('a later one extends the last file, and asks nothing about the others', async () => {
    const folder = temporaryFolder();
    await fetched(folder, {}, { until: minute(80) });
    const done = await fetched(folder);
    expect(openingsOf(folder, done)).toEqual(ALL);
    expect(done.reused).toBe(1);
    expect(Math.min(...done.ccxt.asked)).toBe(minute(60));
  });
});

describe('is refused with words', () => {
  const refusals: readonly (readonly [string, Parameters<typeof fetched>[1], Parameters<typeof fetched>[2], string])[] = [
    ['an unknown market', {}, { markets: ['BTC/USDC'] }, 'fake has no market "BTC/USDC"'],
    [
      'an inverse contract',
      { markets: { 'BTC/USD:BTC': { history: new MarketHistory({ begins: 0 }), listed: { inverse: true } } } },
      {},
      'is an inverse contract',
    ],
    [
      'a future with an end',
      { markets: { 'BTC/USDT:USDT-250328': { history: new MarketHistory({ begins: 0 }), listed: { swap: false, type: 'future' } } } },
      {},
      'another kind (future)',
    ],
    [
      'a contract of several tokens, if the unit of its volumes is not known',
      { markets: { 'BTC/USDT:USDT': { history: new MarketHistory({ begins: 0 }), contractSize: 0.1 } } },
      {},
      'a contract of BTC/USDT:USDT is 0.1 tokens, and it is not known whether ccxt states the amounts of candles of fake in contracts or in tokens',
    ],
    ['a length that the exchange does not have', {}, { span: 180_000 }, 'fake has no candles of 3m'],
    ['a time in the future', {}, { since: LAST_END }, 'no candle of 1m has ended between --since and --until'],
    [
      'funding that is not published',
      { markets: { 'A/B:B': { history: new MarketHistory({ begins: 0 }) } }, has: { fetchFundingRateHistory: false } },
      { funding: true },
      'publishes no history of funding rates',
    ],
    [
      'two markets that would share a folder, before the first of them is downloaded',
      { markets: { [SPOT]: { history: new MarketHistory({ begins: 0 }) }, 'BTC-USDT': { history: new MarketHistory({ begins: 0 }) } } },
      { markets: [SPOT, 'BTC-USDT'] },
      'BTC-USDT and BTC/USDT would share the folder BTC-USDT',
    ],
  ];

  test.each(refusals)('%s', async (_, fake, options, message) => {
    const folder = temporaryFolder();
    await expect(fetched(folder, fake, options)).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('another length of candles in the same folder', async () => {
    const folder = temporaryFolder();
    await fetched(folder);
    await expect(fetched(folder, {}, { span: 3_600_000 })).rejects.toThrow('has candles of 1m from ccxt:fake; asked for are 1h');
  });

  test('a market that would share the folder of a stored one', async () => {
    const folder = temporaryFolder();
    await fetched(folder);
    const before = filesIn(folder);
    const markets = { 'BTC-USDT': { history: new MarketHistory({ begins: 0 }) } };
    await expect(fetched(folder, { markets })).rejects.toThrow('BTC-USDT and BTC/USDT would share the folder BTC-USDT');
    expect(filesIn(folder)).toEqual(before);
  });
});
