// Hyperliquid's messages as rows: polled books by their differences, and trades without those from before the recording.
import { describe, expect, test } from 'vitest';
import { fileOf, imported, keepFilesPerTest, rowTexts, START } from './recordings.ts';

keepFilesPerTest();

type Levels = readonly (readonly [string, string])[];

const message = (at: number, channel: string, data: unknown): string => `${START + at + 400}000000 ${JSON.stringify({ channel, data })}`;
const levels = (side: Levels): object[] => side.map(([px, sz]) => ({ px, sz, n: 1 }));
const book = (at: number, bids: Levels, asks: Levels): string =>
  message(at, 'l2Book', { coin: 'BTC', time: START + at, levels: [levels(bids), levels(asks)] });
const trades = (heard: number, ...times: readonly number[]): string =>
  message(
    heard,
    'trades',
    times.map((at) => ({ coin: 'BTC', side: 'A', px: '100.0', sz: '0.5', time: START + at, tid: at })),
  );

const of = async (...lines: readonly string[]) => {
  const { rows, ...rest } = await imported('hyperliquid', [fileOf('recorded.gz', lines)]);
  return { rows: rowTexts(rows, START), ...rest };
};
const ASKS: Levels = [['101.0', '1.0']];

const whole = (at: number): string[] => [`${at} clear 0 0 *`, `${at} level bid 100 10 *!`];

describe('books', () => {
  test('begin complete and continue as differences, removals first', async () => {
    const { rows, header } = await of(
      book(
        0,
        [
          ['100.0', '1.0'],
          ['99.0', '2.5'],
        ],
        ASKS,
      ),
      book(
        500,
        [
          ['100.0', '1.0'],
          ['99.0', '2.5'],
        ],
        ASKS,
      ),
      book(
        1_000,
        [
          ['101.0', '3.0'],
          ['100.0', '1.0'],
        ],
        [['102.0', '1.0']],
      ),
      book(
        1_500,
        [
          ['101.0', '2.0'],
          ['100.0', '1.0'],
        ],
        [['102.0', '1.0']],
      ),
    );
    expect(rows).toEqual([
      '0 clear 0 0 *',
      '0 level bid 100 10 *',
      '0 level bid 99 25 *',
      '0 level ask 101 10 *!',
      '1000 level bid 99 0',
      '1000 level ask 101 0',
      '1000 level bid 101 30',
      '1000 level ask 102 10 !',
      '1500 level bid 101 20 !',
    ]);
    expect(header).toMatchObject({
      books: 'polled',
      pollMs: 500,
      fundingIntervalMs: 3_600_000,
      market: { priceDecimals: 0, sizeDecimals: 1 },
    });
  });

  test('that arrive too late are dropped', async () => {
    const old = book(0, [['99.0', '1.0']], ASKS).replace(/^\d+/, `${START + 20_500}000000`);
    const { rows, checks } = await of(
      book(5, [['100.0', '1.0']], ASKS),
      book(6_000, [['100.0', '1.0']], ASKS),
      book(16_010, [['100.0', '2.0']], ASKS),
      old,
    );
    expect(rows.slice(3)).toEqual(['16000 gap 0 0 !', '16010 clear 0 0 *', '16010 level bid 100 2 *', '16010 level ask 101 1 *!']);
    expect(checks.excluded).toMatchObject([{ what: 'book', reason: 'too far out of order', count: 1 }]);
  });

  test('have a gap after a silence of more than ten seconds, then start again', async () => {
    const { rows, checks } = await of(
      book(0, [['100.0', '1.0']], []),
      book(10_000, [['100.0', '1.0']], []),
      trades(11_000, 11_000),
      book(21_000, [['100.0', '1.0']], []),
    );
    expect(rows).toEqual([...whole(0), '11000 trade ask 100 5 !', '20000 gap 0 0 !', ...whole(21_000)]);
    expect(checks.book).toMatchObject({ gaps: 1, snapshots: 2, numbered: false, gapsAt: [{ from: (START + 20_000) * 1_000 }] });
  });
});

describe('trades', () => {
  test('from before the recording are excluded', async () => {
    const { rows, checks } = await of(book(0, [['100.0', '1.0']], ASKS), trades(100, -60_000, -5, 50), trades(200, 150));
    expect(rows.slice(3)).toEqual(['50 trade ask 100 5 !', '150 trade ask 100 5 !']);
    expect(checks.excluded).toMatchObject([{ reason: 'older than the recording', count: 2 }]);
    expect(checks.skew).toEqual({ least: 400_000, median: 450_000 }); // not a minute
  });

  test('that a new subscription repeats are excluded', async () => {
    const { rows, checks } = await of(book(0, [['100.0', '1.0']], ASKS), trades(200, 150, 180), trades(400, 150, 180, 390, 380));
    expect(rows.slice(3)).toEqual([
      '150 trade ask 100 5 !',
      '180 trade ask 100 5 !',
      '180 trade ask 100 5 !',
      '380 trade ask 100 5 !',
      '390 trade ask 100 5 !',
    ]);
    expect(checks.excluded).toMatchObject([{ reason: 'older than a trade received before', count: 1 }]);
  });
});

test('other channels are counted by name', async () => {
  const { checks } = await of(book(0, [['100.0', '1.0']], ASKS), message(1, 'subscriptionResponse', {}));
  expect(checks.notRead).toEqual({ subscriptionResponse: 1 });
});
