// Binance's stream as rows: how snapshots and changes are combined, the effect of a lost change, and the order of messages.
import { describe, expect, test } from 'vitest';
import { fileOf, imported, keepFilesPerTest, rowTexts, START, streamLine } from './recordings.ts';

keepFilesPerTest();

const of = async (...lines: readonly string[]) => {
  const { rows, ...rest } = await imported('binance', [fileOf('recorded.gz', lines)]);
  return { rows: rowTexts(rows, START), ...rest };
};

/** The snapshot reaches update 20. */
const snapshot = streamLine.snapshot(30, 20, { bids: [['99.5', '2.000']], asks: [['100.5', '3.000']] });
const SNAPSHOT_ROWS = ['clear 0 0 *', 'level bid 995 2 *', 'level ask 1005 3 *!'];
const snapshotAt = (at: number): string[] => SNAPSHOT_ROWS.map((row) => `${at} ${row}`);

describe('a snapshot', () => {
  test('is followed by the changes beyond it, including those received before it', async () => {
    const { rows, checks } = await of(
      streamLine.change(10, { U: 11, u: 15, pu: 9 }, { b: [['99.0', '9.000']] }),
      streamLine.change(20, { U: 16, u: 22, pu: 15 }, { b: [['99.0', '1.000']] }),
      snapshot,
      streamLine.change(
        40,
        { U: 23, u: 30, pu: 22 },
        {
          a: [
            ['100.5', '0.000'],
            ['101.0', '4.000'],
          ],
        },
      ),
    );
    expect(rows).toEqual([...snapshotAt(30), '30 level bid 990 1 !', '40 level ask 1005 0', '40 level ask 1010 4 !']);
    expect(checks.book).toMatchObject({ applied: 3, snapshots: 1, stale: 1, unused: 0, gaps: 0, numbered: true });
  });

  test('may end at any change: the next one is found by the number of its predecessor', async () => {
    const { rows, checks } = await of(
      streamLine.change(20, { U: 16, u: 20, pu: 15 }, { b: [['99.0', '1.000']] }),
      snapshot,
      streamLine.change(40, { U: 27, u: 30, pu: 20 }, { b: [['99.5', '5.000']] }),
    );
    expect(rows).toEqual([...snapshotAt(30), '40 level bid 995 5 !']);
    expect(checks.book).toMatchObject({ stale: 1, gaps: 0 });
  });

  test('that is older than the waiting changes is not used; a later one is', async () => {
    const { rows, checks } = await of(
      streamLine.change(20, { U: 26, u: 30, pu: 25 }, { b: [['99.0', '1.000']] }),
      snapshot,
      streamLine.change(40, { U: 31, u: 33, pu: 30 }, { b: [['99.0', '2.000']] }),
      streamLine.snapshot(50, 32, { bids: [['99.0', '1.000']], asks: [['100.0', '1.000']] }),
    );
    expect(rows).toEqual(['50 clear 0 0 *', '50 level bid 990 1 *', '50 level ask 1000 1 *!', '50 level bid 990 2 !']);
    expect(checks.book).toMatchObject({ snapshots: 1, unusedSnapshots: 1, stale: 1, gaps: 0 });
  });

  test('does not bridge a gap in the changes that waited for it', async () => {
    const { rows, checks } = await of(
      streamLine.change(10, { U: 16, u: 22, pu: 15 }, { b: [['99.0', '1.000']] }),
      streamLine.change(20, { U: 31, u: 35, pu: 30 }, { b: [['99.0', '2.000']] }),
      snapshot,
    );
    expect(rows).toEqual([...snapshotAt(30), '30 level bid 990 1 !', '30 gap 0 0 !']);
    expect(checks.book).toMatchObject({ gaps: 1, unused: 1 });
  });

  test('is not needed by a complete book', async () => {
    const { rows, checks } = await of(snapshot, streamLine.snapshot(50, 20, { bids: [['1.0', '1.000']] }));
    expect(rows).toEqual(snapshotAt(30));
    expect(checks.book).toMatchObject({ snapshots: 1, unusedSnapshots: 1 });
  });

  test('of a spot market has no time of its own', async () => {
    const bare = `${START + 35}000000 ${JSON.stringify({ lastUpdateId: 20, bids: [['99.5', '2.000']], asks: [['100.5', '3.000']] })}`;
    const { rows } = await of(streamLine.change(20, { U: 19, u: 22 }, { b: [['99.0', '1.000']] }), bare);
    expect(rows).toEqual([...snapshotAt(20), '20 level bid 990 1 !']);
  });
});

const follows = (at: number, ids: { U: number; u: number; pu?: number }): string => streamLine.change(at, ids, { b: [['99.5', '7.000']] });

describe('a sequence', () => {
  test('with a lost change has a gap that begins at the last known state', async () => {
    const { rows, checks } = await of(
      snapshot,
      follows(40, { U: 21, u: 25, pu: 20 }),
      streamLine.trade(50),
      follows(60, { U: 30, u: 35, pu: 29 }),
      follows(70, { U: 36, u: 40, pu: 35 }),
    );
    expect(rows).toEqual([...snapshotAt(30), '40 level bid 995 7 !', '50 trade bid 1000 1 !', '50 gap 0 0 !']);
    expect(checks.book).toMatchObject({ gaps: 1, unused: 2 });
    expect(checks.book.gapsAt).toEqual([{ from: (START + 50) * 1_000, lost: { seen: (START + 60) * 1_000, reached: 25, needed: 29 } }]);
  });

  test('continues after a gap with the next snapshot', async () => {
    const { rows, checks } = await of(
      snapshot,
      follows(60, { U: 30, u: 35, pu: 29 }),
      streamLine.snapshot(70, 33, { bids: [['98.0', '1.000']], asks: [['99.0', '1.000']] }),
      follows(80, { U: 36, u: 40, pu: 35 }),
    );
    expect(rows).toEqual([
      ...snapshotAt(30),
      '30 gap 0 0 !',
      '70 clear 0 0 *',
      '70 level bid 980 1 *',
      '70 level ask 990 1 *!',
      '70 level bid 995 7 !',
      '80 level bid 995 7 !',
    ]);
    expect(checks.book).toMatchObject({ gaps: 1, snapshots: 2, unused: 0 });
  });

  test('of a spot market has consecutive numbers', async () => {
    const { checks, header } = await of(
      snapshot,
      follows(40, { U: 21, u: 25 }),
      follows(50, { U: 26, u: 28 }),
      follows(60, { U: 30, u: 31 }),
    );
    expect(header.market.kind).toBe('spot');
    expect(checks.book.gapsAt.map(({ lost }) => lost)).toEqual([{ seen: (START + 60) * 1_000, reached: 28, needed: 29 }]);
  });

  test('applies a change only once', async () => {
    const { rows, checks } = await of(
      snapshot,
      follows(40, { U: 21, u: 25, pu: 20 }),
      follows(40, { U: 21, u: 25, pu: 20 }),
      follows(50, { U: 26, u: 27, pu: 25 }),
    );
    expect(rows).toEqual([...snapshotAt(30), '40 level bid 995 7 !', '50 level bid 995 7 !']);
    expect(checks.book).toMatchObject({ gaps: 0, stale: 1 });
  });

  test('keeps its order, whatever its times', async () => {
    const { rows } = await of(
      snapshot,
      follows(60, { U: 21, u: 25, pu: 20 }),
      streamLine.change(50, { U: 26, u: 27, pu: 25 }, { b: [['99.5', '8.000']] }),
    );
    expect(rows.slice(3)).toEqual(['60 level bid 995 7 !', '60 level bid 995 8 !']);
  });
});

describe('the order of rows', () => {
  test('is that of the exchange, and a trade comes before the book that shows it', async () => {
    const { rows, checks } = await of(
      snapshot,
      streamLine.change(50, { U: 21, u: 25, pu: 20 }, { a: [['100.5', '2.000']] }),
      streamLine.trade(50, { p: '100.5', lag: 9 }),
      streamLine.trade(45, { p: '100.5', m: true, lag: 20 }),
    );
    expect(rows.slice(3)).toEqual(['45 trade ask 1005 1 !', '50 trade bid 1005 1 !', '50 level ask 1005 2 !']);
    expect(checks).toMatchObject({ mended: 1, late: 0 });
  });

  test('drops a trade that is more than ten seconds late', async () => {
    const { rows, checks } = await of(
      streamLine.trade(0),
      streamLine.trade(11_000),
      streamLine.trade(500, { lag: 10_600 }),
      streamLine.trade(1_500, { lag: 9_700 }),
    );
    expect(rows).toEqual(['0 trade bid 100 1 !', '500 trade bid 100 1 !', '1500 trade bid 100 1 !', '11000 trade bid 100 1 !']);
    expect(checks.mended).toBe(2);
    const late = await of(streamLine.trade(0), streamLine.trade(5), streamLine.trade(11_000), streamLine.trade(3, { lag: 11_100 }));
    expect(late.rows).toEqual(['0 trade bid 100 1 !', '5 trade bid 100 1 !', '11000 trade bid 100 1 !']);
    expect(late.checks.excluded).toMatchObject([{ what: 'trade', reason: 'too far out of order', count: 1 }]);
  });

  test('keeps a book message however late it is, because its sequence must be complete', async () => {
    const { rows, checks } = await of(
      snapshot,
      streamLine.trade(100),
      streamLine.trade(20_000),
      streamLine.change(50, { U: 21, u: 25, pu: 20 }, { b: [['99.5', '7.000']] }),
    );
    expect(rows.slice(3)).toEqual(['100 trade bid 1000 1 !', '100 level bid 995 7 !', '20000 trade bid 1000 1 !']);
    expect(checks.late).toBe(1);
  });
});

const other = (stream: string, data: object): string => `${START}000 ${JSON.stringify({ stream, data })}`;

describe('other messages', () => {
  test('executions outside the book are excluded, with the reason', async () => {
    const { rows, checks, header } = await of(
      streamLine.trade(0),
      streamLine.trade(1, { p: '28722.5555', X: 'INSURANCE_FUND' }),
      streamLine.trade(2, { q: '0' }),
    );
    expect(rows).toEqual(['0 trade bid 100 1 !']);
    expect(checks.excluded).toMatchObject([
      { what: 'trade', reason: 'INSURANCE_FUND, not a trade on the book', count: 1, example: '28722.5555 × 1.000' },
      { what: 'trade', reason: 'its size is 0', count: 1 },
    ]);
    expect(header.market.priceDecimals).toBe(0);
  });

  test('mark, index and funding are written when they change, a settlement when its time has passed', async () => {
    const { rows, checks } = await of(
      streamLine.trade(0, { p: '100.5' }),
      streamLine.mark(1_000, { due: 2_000, p: '100.46000000', i: '100.44000000' }),
      streamLine.mark(1_500, { due: 2_000, p: '100.46000000', i: '100.61000000' }),
      streamLine.trade(2_100, { p: '100.5' }),
      streamLine.mark(2_500, { due: 9_000, p: '100.46000000', i: '100.61000000', r: '-0.00002754' }),
    );
    expect(rows).toEqual([
      '0 trade bid 1005 1 !',
      '1000 mark 1005 0 !',
      '1000 index 1004 0 !',
      '1000 funding 1000 100000000 !',
      '1500 index 1006 0 !',
      '2000 settlement 0 100000000 !',
      '2100 trade bid 1005 1 !',
      '2500 funding 6500 -27540000 !',
    ]);
    expect(checks.announced).toEqual([(START + 2_000) * 1_000, (START + 9_000) * 1_000]);
    expect(checks.settled).toMatchObject({ count: 1, first: (START + 2_000) * 1_000 });
  });

  test.each([
    ['the venue pays every eight hours, unless the data says otherwise', [8], 8],
    ['what is announced says how often', [8, 12], 4],
    ['a hole of days says nothing', [8, 56], 8],
    ['an announcement that came late neither', [8, 12, 8, 12], 4],
  ])('funding: %s', async (_, hours, expected) => {
    const { header } = await of(
      ...hours.map((due, index) => streamLine.mark(1_000 * index, { due: due * 3_600_000 })),
      streamLine.trade(9_000),
    );
    expect(header.fundingIntervalMs).toBe(expected * 3_600_000);
  });

  test('the best bid and ask is compared, not written', async () => {
    const change = streamLine.change(40, { U: 21, u: 25, pu: 20 }, { b: [['99.5', '7.000']] });
    const { rows, checks } = await of(
      snapshot,
      streamLine.best(35, 20, ['99.5', '2.000', '100.5', '3.000']),
      change,
      streamLine.best(45, 25, ['99.5', '7.000', '100.5', '3.100']),
      streamLine.best(50, 26, ['99.5', '7.100', '100.5', '3.100']),
    );
    expect(rows).toHaveLength(4);
    expect(checks.best).toEqual({ compared: 2, equal: 1, share: 0.5 });
  });

  test('moments of a crossed book are counted', async () => {
    const { checks } = await of(
      snapshot,
      streamLine.change(40, { U: 21, u: 25, pu: 20 }, { b: [['100.5', '7.000']] }),
      streamLine.change(50, { U: 26, u: 27, pu: 25 }, { b: [['100.5', '0.000']] }),
    );
    expect(checks.book).toMatchObject({ crossed: 1, firstCrossed: (START + 40) * 1_000 });
  });

  test('messages of other kinds, such as partial books, are counted by name', async () => {
    const { checks } = await of(
      streamLine.trade(0),
      other('btcusdt@aggTrade', { e: 'aggTrade', E: START, s: 'BTCUSDT' }),
      other('btcusdt@depth5@100ms', { e: 'depthUpdate', E: START, s: 'BTCUSDT' }),
      other('btcusdt@depth20', { lastUpdateId: 4, bids: [], asks: [] }),
    );
    expect(checks.notRead).toEqual({ aggTrade: 1, 'btcusdt@depth5@100ms': 1, 'btcusdt@depth20': 1 });
  });

  test.each([
    ['milliseconds', ''],
    ['microseconds', '000'],
    ['nanoseconds', '000000'],
  ])('times of receipt in %s are reported by their digits', async (_, zeros) => {
    const trade = (at: number): string => streamLine.trade(at).replace(/^\d+/, `${START + at - 1_270}${zeros}`);
    const { checks, rows } = await of(trade(0), trade(1));
    expect(checks.skew).toEqual({ least: -1_270_000, median: -1_270_000 });
    expect(rows).toHaveLength(2);
  });
});

describe('several files', () => {
  const lines = [
    snapshot,
    streamLine.change(40, { U: 21, u: 25, pu: 20 }, { b: [['99.5', '7.000']] }),
    streamLine.trade(41),
    streamLine.change(42, { U: 26, u: 27, pu: 25 }, { a: [['100.5', '1.000']] }),
  ];

  test('that follow each other are joined, in whatever order they are given', async () => {
    const whole = await imported('binance', [fileOf('whole', lines)]);
    const [first, second] = [fileOf('first.gz', lines.slice(0, 2)), fileOf('second', lines.slice(2))];
    for (const files of [
      [first, second],
      [second, first],
    ]) {
      const { rows, checks, header } = await imported('binance', files);
      expect(rows).toEqual(whole.rows);
      expect(checks.book).toEqual(whole.checks.book);
      expect(header.source).toBe('binance BTCUSDT from first.gz, second');
    }
  });

  test('of one time are merged by time of receipt', async () => {
    const whole = await imported('binance', [fileOf('whole', lines)]);
    const { rows } = await imported('binance', [
      fileOf('even', [lines[0] ?? '', lines[2] ?? '']),
      fileOf('odd', [lines[1] ?? '', lines[3] ?? '']),
    ]);
    expect(rows).toEqual(whole.rows);
  });
});
