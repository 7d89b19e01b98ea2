// Tardis CSV files as rows, each kind alone and together with others.
import { describe, expect, test } from 'vitest';
import { errorTextOf, fileOf, imported, keepFilesPerTest, rowTexts, START } from './recordings.ts';

keepFilesPerTest();

const stamps = (at: number, lag = 7): string => `deribit,BTC_USDC-PERPETUAL,${START + at}000,${START + at + lag}000`;
const COMMON = 'exchange,symbol,timestamp,local_timestamp';

const changes = (...rows: readonly (readonly [at: number, snapshot: boolean, side: string, price: string, amount: string])[]): string[] => [
  `${COMMON},is_snapshot,side,price,amount`,
  ...rows.map(([at, snapshot, side, price, amount]) => `${stamps(at)},${snapshot},${side},${price},${amount}`),
];
const trades = (...rows: readonly (readonly [at: number, side: string])[]): string[] => [
  `${COMMON},id,side,price,amount`,
  ...rows.map(([at, side], index) => `${stamps(at)},${index},${side},100.5,2`),
];
const quotes = (...rows: readonly (readonly [at: number, bid: string, ask: string])[]): string[] => [
  `${COMMON},ask_amount,ask_price,bid_price,bid_amount`,
  ...rows.map(([at, bid, ask]) => `${stamps(at)},5,${ask},${bid},5`),
];

const of = async (...files: readonly (readonly string[])[]) => {
  const paths = files.map((lines, index) => fileOf(`${index}.csv${index % 2 === 0 ? '' : '.gz'}`, lines));
  const { rows, ...rest } = await imported('tardis', paths);
  return { rows: rowTexts(rows, START), ...rest };
};

describe('incremental_book_L2', () => {
  test('is grouped by time of receipt; a snapshot restarts the book', async () => {
    const { rows, checks, header } = await of(
      changes(
        [0, false, 'bid', '1', '1'],
        [10, true, 'bid', '100', '10'],
        [10, true, 'ask', '100.5', '1e1'],
        [20, false, 'bid', '100', '0'],
        [20, false, 'bid', '99.5', '20'],
        [30, false, 'ask', '100.5', '5'],
        [40, true, 'bid', '90', '1'],
        [40, true, 'ask', '91', '0'],
      ),
    );
    expect(rows).toEqual([
      '10 clear 0 0 *',
      '10 level bid 1000 10 *',
      '10 level ask 1005 10 *!',
      '20 level bid 1000 0',
      '20 level bid 995 20 !',
      '30 level ask 1005 5 !',
      '40 clear 0 0 *',
      '40 level bid 900 1 *!',
    ]);
    expect(checks.book).toMatchObject({ snapshots: 2, stale: 1, gaps: 0, numbered: false });
    expect(header).toMatchObject({ books: 'changes', basePrice: 100, market: { priceDecimals: 1, sizeDecimals: 0 } });
  });

  test('is merged with trades, compared with quotes', async () => {
    const { rows, checks } = await of(
      changes(
        [0, true, 'bid', '100', '5'],
        [0, true, 'ask', '101', '5'],
        [20, false, 'bid', '100.5', '5'],
        [30, false, 'bid', '100.5', '0'],
      ),
      trades([20, 'sell'], [25, 'buy'], [26, 'unknown']),
      quotes([0, '100', '101'], [20, '100.5', '101'], [30, '99', '101'], [40, '98', '101']),
    );
    expect(rows.slice(3)).toEqual(['20 trade ask 1005 2 !', '20 level bid 1005 5 !', '25 trade bid 1005 2 !', '30 level bid 1005 0 !']);
    expect(checks.best).toMatchObject({ compared: 3, equal: 2 });
    expect(checks.excluded).toMatchObject([{ what: 'trade', reason: 'no side given', count: 1 }]);
  });
});

describe('books cut at a depth', () => {
  test('book_snapshot_N is polled, and may be less deep than its columns', async () => {
    const columns = [0, 1].flatMap((level) => [
      `asks[${level}].price`,
      `asks[${level}].amount`,
      `bids[${level}].price`,
      `bids[${level}].amount`,
    ]);
    const { rows, header } = await of([
      [COMMON, ...columns].join(','),
      `${stamps(0)},101,1,100,2,102,3,99,4`,
      `${stamps(100)},101,1,100,2,,,99,5`,
    ]);
    expect(rows.slice(5)).toEqual(['100 level ask 102 0', '100 level bid 99 5 !']);
    expect(header).toMatchObject({ books: 'polled', pollMs: 100 });
  });

  test('quotes alone are a book of one level', async () => {
    const { rows, header, checks } = await of(quotes([0, '100', '101'], [50, '100.5', '101']));
    expect(rows).toEqual([
      '0 clear 0 0 *',
      '0 level bid 1000 5 *',
      '0 level ask 1010 5 *!',
      '50 level bid 1000 0',
      '50 level bid 1005 5 !',
    ]);
    expect(header.books).toBe('polled');
    expect(checks.skew).toEqual({ least: 7_000, median: 7_000 });
  });

  test('cannot be combined with changes', async () => {
    const cut = [`${COMMON},asks[0].price,asks[0].amount,bids[0].price,bids[0].amount`, `${stamps(0)},101,1,100,2`];
    expect(await errorTextOf(of(changes([0, true, 'bid', '100', '5']), cut))).toContain('two kinds of books');
  });
});

test('derivative_ticker gives mark, index and funding, if present', async () => {
  const header = `${COMMON},funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price`;
  const { rows, header: made } = await of(trades([0, 'buy']), [
    header,
    `${stamps(10)},${START + 60_000}000,0.0001,,1000,100.5,100.44,100.46`,
    `${stamps(20)},,,,1000,100.5,,100.46`,
    `${stamps(61_000)},${START + 120_000}000,1.5e-05,,1000,100.5,100.44,100.46`,
  ]);
  expect(made.fundingIntervalMs).toBe(60_000);
  expect(rows).toEqual([
    '0 trade bid 1005 2 !',
    '10 mark 1005 0 !',
    '10 index 1004 0 !',
    '10 funding 59990 100000000 !',
    '60000 settlement 0 100000000 !',
    '61000 funding 59000 15000000 !',
  ]);
});

test.each([
  ['binance', 'spot'],
  ['bybit-spot', 'spot'],
  ['binance-futures', 'perp'],
  ['deribit', 'perp'],
])('the markets of %s are %s', async (exchange, kind) => {
  const lines = trades([0, 'buy'], [10, 'sell']).map((line) => line.replace('deribit,BTC_USDC-PERPETUAL', `${exchange},BTCUSDT`));
  expect((await of(lines)).header.market.kind).toBe(kind);
});
