// Candles as a path of the price: its shape and timing, the volume on it, and the orders near it.
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../../src/bot/domain/numbers.ts';
import { CandlePath, type CandlePathOptions, DEFAULT_CANDLES } from '../../../../src/embedded/exchange/recorded/candle-path.ts';
import { CandleTimes, isEndOfCandle } from '../../../../src/embedded/exchange/recorded/candle-times.ts';
import { RowFeed } from '../../../../src/embedded/exchange/recorded/recording.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { ASK_BIT, codeOf, KIND_BITS, LAST_BIT, ROW, type RowKind, type Rows } from '../../../../src/embedded/rows/rows.ts';
import { RecordedExchange, START } from './recorded-exchange.ts';

const MINUTE = 60_000;
type Ohlcv = readonly [open: number, high: number, low: number, close: number, volume: number];

/** Minutes from the start, prices in ticks; text is a row of another kind. */
function tape(...reported: readonly (Ohlcv | { after: number; kind: RowKind; price?: number })[]): Rows {
  const builder = new RowBuilder();
  let minute = 0;
  for (const what of reported) {
    const add = (time: number, kind: RowKind, price: number, size: number): void =>
      builder.add({ time: time * 1_000, lag: 0, code: codeOf(kind), price, size });
    if ('kind' in what) {
      add(START + what.after, what.kind, what.price ?? 0, 0);
      continue;
    }
    const time = START + minute++ * MINUTE;
    const [open, high, low, close, volume] = what;
    add(time, 'open', open, MINUTE);
    add(time, 'high', high, 0);
    add(time, 'low', low, 0);
    add(time, 'close', close, volume);
  }
  return builder.take();
}

const nameOf = (code: number): RowKind => Object.entries(ROW).find(([, value]) => value === (code & KIND_BITS))![0] as RowKind;

const listOf = ({ count, times, codes, prices, sizes }: Rows) =>
  Array.from({ length: count }, (_, at) => ({
    after: times[at]! / 1_000 - START,
    kind: nameOf(codes[at]!),
    side: (codes[at]! & ASK_BIT) === 0 ? 'bid' : 'ask',
    last: (codes[at]! & LAST_BIT) !== 0,
    price: prices[at]!,
    size: sizes[at]!,
  }));

type Listed = ReturnType<typeof listOf>[number];

function pathOf(rows: Rows, options: Partial<CandlePathOptions> = { halfSpreadBps: 0 }, isWhole = true) {
  const [times, points] = [new CandleTimes(), pointsOf(options, isWhole)];
  return [times.rows(rows), times.end()].flatMap(points);
}

/** Returns a function that returns rows with the path in place of the candles; unless `isWhole`, no order can meet the quotes on it. */
function pointsOf(options: Partial<CandlePathOptions>, isWhole: boolean): (rows: Rows) => readonly Listed[] {
  const found: Listed[] = [];
  const add = (time: number, kind: RowKind, row: Partial<Listed>): number =>
    found.push({ after: time / 1_000 - START, kind, side: 'bid', last: false, price: 0, size: 0, ...row });
  const path = new CandlePath(
    { ...DEFAULT_CANDLES, ...options },
    {
      trade: (side, price, size, time) => add(time, 'trade', { side, price, size }),
      quotes: (rows) => found.push(...listOf(rows)),
      mark: (price, time) => add(time, 'mark', { price }),
    },
  );
  return (rows) => {
    for (const [at, row] of listOf(rows).entries()) {
      path.see(ROW[row.kind], row.price);
      if (ROW[row.kind] < ROW.open) found.push(row);
      else if (isEndOfCandle(rows.codes[at]!)) path.end(rows.times[at]!, isWhole);
      else if (row.kind === 'close') path.begin(rows.times[at]!, row.price, row.size);
    }
    return found.splice(0);
  };
}

/** The path of the price: its distinct marks. */
const wayOf = (list: ReturnType<typeof pathOf>): readonly number[] => list.filter(({ kind }) => kind === 'mark').map(({ price }) => price);

const RISING: Ohlcv = [1_000, 1_060, 980, 1_040, 1_200];
const FALLING: Ohlcv = [1_000, 1_060, 980, 990, 1_200];

const corners = (candle: Ohlcv, path = DEFAULT_CANDLES.path): readonly number[] => {
  const way = wayOf(pathOf(tape(candle), { halfSpreadBps: 0, path }));
  return way.filter((price, at) => at === 0 || at === way.length - 1 || price === candle[1] || price === candle[2]);
};

describe('the path', () => {
  test('is the shortest by default: to the low first if the candle rises, to the high first if it falls', () => {
    expect(corners(RISING)).toEqual([1_000, 980, 1_060, 1_040]);
    expect(corners(FALLING)).toEqual([1_000, 1_060, 980, 990]);
  });

  test('can go to the nearer extreme first', () => {
    expect(corners([1_000, 1_010, 900, 1_005, 1], 'nearest')).toEqual([1_000, 1_010, 900, 1_005]);
    expect(corners([1_000, 1_100, 990, 995, 1], 'nearest')).toEqual([1_000, 990, 1_100, 995]);
  });

  test('stands at the open until the last millisecond of the candle', () => {
    const points = pathOf(tape(RISING)).filter(({ kind }) => kind === 'mark');
    expect(points.map(({ after }) => after)).toEqual([0, MINUTE - 1, MINUTE - 1, MINUTE - 1]);
    expect(points.map(({ price }) => price)).toEqual([1_000, 980, 1_060, 1_040]);
  });

  test('does not move if the candle does not', () => {
    expect(wayOf(pathOf(tape([1_000, 1_000, 1_000, 1_000, 5])))).toEqual([1_000, 1_000, 1_000, 1_000]);
  });
});

test('shows resting sizes by the volume of the last candle, because the volume of this candle predicts its range', () => {
  const list = pathOf(tape([1_000, 1_060, 980, 1_040, 1_200], [1_040, 1_050, 1_030, 1_050, 120], [1_050, 1_100, 1_050, 1_050, 12]));
  const resting = list.filter(({ kind, size }) => kind === 'level' && size > 0);
  expect(resting.map(({ after, size }) => [Math.floor(after / MINUTE), size])).toEqual([
    ...Array.from({ length: 8 }, () => [0, 100]),
    ...Array.from({ length: 8 }, () => [1, 100]),
    ...Array.from({ length: 8 }, () => [2, 10]),
  ]);
});

const volumeOf = (...candles: readonly Ohlcv[]): number =>
  pathOf(tape(...candles))
    .filter(({ kind }) => kind === 'trade')
    .reduce((sum, { size }) => sum + size, 0);

/** The bids on the path of a rising candle. */
const quoted = (isWhole: boolean): readonly number[] =>
  pathOf(tape(RISING), { halfSpreadBps: 0 }, isWhole).flatMap(({ kind, side, size, price }) =>
    kind === 'level' && side === 'bid' && size > 0 ? [price] : [],
  );

describe('the rows on the path', () => {
  test('are a trade a tick before each point, from the side that drives the price; together they have the volume', () => {
    const trades = pathOf(tape(RISING)).filter(({ kind }) => kind === 'trade');
    const down = trades.filter(({ side }) => side === 'ask').map(({ price }) => price);
    const up = trades.filter(({ side }) => side === 'bid').map(({ price }) => price);
    expect(down).toEqual([981, 1_041]);
    expect(up).toEqual([1_059]);
    expect(trades.map(({ size }) => size)).toEqual([400, 400, 400]);
  });

  test('lack the quotes at the extremes if no order can meet them, but have those at the open and the close', () => {
    expect(quoted(true)).toEqual([999, 979, 1_059, 1_039]);
    expect(quoted(false)).toEqual([999, 1_039]);
  });

  test('have all of a volume that does not divide; a candle that does not move has no trade', () => {
    expect(volumeOf([1_000, 1_060, 980, 1_040, 31])).toBe(31);
    expect(volumeOf([1_000, 1_000, 1_000, 1_000, 31])).toBe(0);
    expect(volumeOf([1_000, 1_001, 1_000, 1_000, 7], RISING)).toBe(1_207);
  });

  test('have one price per side around each point, at a distance in basis points, with the size traded at a point', () => {
    const book = new Map<string, number>();
    const list = pathOf(tape([10_000, 10_060, 9_980, 10_040, 1_200]), { halfSpreadBps: 5 });
    for (const { kind, side, price, size, last } of list) {
      if (kind === 'clear') book.clear();
      if (kind !== 'level') continue;
      if (size === 0) book.delete(`${side} ${price}`);
      else book.set(`${side} ${price}`, size);
      if (last) expect([...book.values()]).toEqual([100, 100]);
    }
    expect([...book.keys()]).toEqual(['bid 10035', 'ask 10045']);
    expect(list[0]).toMatchObject({ kind: 'clear', after: 0 });
  });

  test('include rows of other kinds in order of time, and recorded marks replace the generated ones', () => {
    const list = pathOf(tape(RISING, { after: 7_000, kind: 'mark', price: 777 }, { after: 12_000, kind: 'settlement' }));
    const times = list.map(({ after }) => after);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(list.filter(({ kind }) => kind === 'mark').map(({ price }) => price)).toEqual([1_000, 777]);
    expect(list.filter(({ kind }) => kind === 'settlement')).toMatchObject([{ after: 12_000 }]);
  });

  test('are the same for any division into blocks, and never too early', () => {
    const whole = tape(RISING, { after: 30_500, kind: 'funding' }, FALLING, RISING);
    const [ordered, points] = [new CandleTimes(), pointsOf({ halfSpreadBps: 0 }, true)];
    const parts = [];
    for (let from = 0; from < whole.count; from++) {
      const columns = { times: whole.times, lags: whole.lags, codes: whole.codes, prices: whole.prices, sizes: whole.sizes };
      const entries = Object.entries(columns).map(([name, column]) => [name, column.slice(from, from + 1)]);
      const reported = points(ordered.rows({ ...(Object.fromEntries(entries) as typeof columns), count: 1 }));
      expect(reported.every(({ after }) => after <= whole.times[from]! / 1_000 - START)).toBe(true);
      parts.push(...reported);
    }
    expect([...parts, ...points(ordered.end())]).toEqual(pathOf(whole));
  });

  test('end where an overlapping candle begins; after a gap the book starts again', () => {
    const early = { ...tape(RISING, FALLING) };
    const times = early.times.map((time, at) => (at < 4 ? time : time - 30_000_000));
    const list = pathOf({ ...early, times });
    expect(wayOf(list)).toHaveLength(8);
    const clears = pathOf(tape(RISING, { after: MINUTE - 1, kind: 'gap' }, FALLING)).filter(({ kind }) => kind === 'clear');
    expect(clears.map(({ after }) => after)).toEqual([0, MINUTE]);
  });
});

describe('orders near the path', () => {
  function recorded(...list: readonly Ohlcv[]) {
    const rows = new RowFeed();
    const ordered = new CandleTimes();
    rows.push(ordered.rows(tape(...list)));
    rows.push(ordered.end());
    rows.end();
    const candles = { ...DEFAULT_CANDLES, halfSpreadBps: 10 };
    const played = new RecordedExchange({ recordings: [{ rows, queue: { kind: 'conservative' }, candles }] });
    played.exchange.advanceTo(START);
    return { played, alice: played.user('alice', 100_000) };
  }
  /** From 1000.0 down to 990.0, up to 1010.0 and back to 1005.0, with 12 BTC. */
  const CANDLE: Ohlcv = [10_000, 10_100, 9_900, 10_050, 12_000];

  test('are filled if the price goes through them by a tick, at their own price', () => {
    const { played, alice } = recorded(CANDLE);
    for (const line of ['bid 0.1 BTCUSDT @ 990', 'bid 0.1 BTCUSDT @ 990.1', 'ask 0.1 BTCUSDT @ 1009.9', 'ask 0.1 BTCUSDT @ 1010'])
      played.placed(alice, line);
    played.pass(MINUTE);
    expect(played.trades().filter((trade) => trade.includes('alice'))).toEqual([
      'sell 990.1@0.1 others>alice',
      'buy 1009.9@0.1 others>alice',
    ]);
  });

  test('are filled up to the size that was traded there', () => {
    const { played, alice } = recorded(CANDLE);
    played.placed(alice, 'bid 30 BTCUSDT @ 990.3');
    played.pass(MINUTE);
    const filled = 30_000 - played.state(alice).orders[0]!.size;
    expect(filled).toBeGreaterThan(0);
    expect(filled).toBeLessThanOrEqual(4_000);
  });

  test('pay the spread if they take, and find one point’s volume', () => {
    const { played, alice } = recorded(CANDLE);
    const { fills } = played.placed(alice, 'bid 5 BTCUSDT @ 1010 IMMEDIATE_OR_CANCEL');
    expect(fills).toMatchObject([{ price: 10_010, size: 1_000 }]);
  });

  test('see nothing of the future', () => {
    const seen = [CANDLE, [10_000, 10_100, 9_900, 10_001, 12_000] as const].map((candle) => {
      const { played } = recorded(candle);
      played.pass(MINUTE - 2);
      return [played.exchange.book(0), played.exchange.live(0), played.trades()];
    });
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe('margins on the way to an extreme', () => {
  /** From 1000.0 down to 900.0 and back. */
  const FALL: Ohlcv = [10_000, 10_000, 9_000, 10_000, 120_000];

  function judged(deposit: number, ...orders: readonly string[]) {
    const rows = new RowFeed();
    const ordered = new CandleTimes();
    rows.push(ordered.rows(tape(FALL)));
    rows.push(ordered.end());
    rows.end();
    const played = new RecordedExchange({ recordings: [{ rows, queue: { kind: 'conservative' }, candles: DEFAULT_CANDLES }] });
    played.exchange.advanceTo(START);
    const alice = played.user('alice', deposit);
    for (const order of orders) played.placed(alice, order);
    const quotes = played.exchange.quotes(0);
    if (quotes === undefined) throw new Error('there are no quotes');
    const wasShown = played.exchange.judgeMargins(0, { low: ticks(9_000), high: ticks(10_000) }, { ...quotes, setsMark: true });
    return { played, alice, wasShown };
  }

  test('liquidate at the price of the liquidation, not at the extreme', () => {
    const { played, alice, wasShown } = judged(100, 'bid 1 BTCUSDT @ 1001 IMMEDIATE_OR_CANCEL');
    const prices = played.trades().flatMap((trade) => (trade.includes('alice') ? [Number(/ ([\d.]+)@/.exec(trade)?.[1])] : []));
    expect(wasShown).toBe(true);
    expect(Math.max(...prices.slice(1))).toBeLessThan(930);
    expect(Math.max(...prices.slice(1))).toBeGreaterThan(915);
    expect(played.state(alice).positions[0]?.size ?? 0).toBeLessThan(1_000);
  });

  test('cancel the orders where the margin of orders ends, and leave an account alone that passes', () => {
    const order = ['bid 1 BTCUSDT @ 1001 IMMEDIATE_OR_CANCEL', 'ask 0.5 BTCUSDT @ 1100'];
    expect(judged(130, ...order).played.state(judged(130, ...order).alice).orders).toEqual([]);
    const rich = judged(1_000, ...order);
    expect([rich.wasShown, rich.played.state(rich.alice).orders.length]).toEqual([false, 1]);
  });
});
