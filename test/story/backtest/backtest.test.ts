// Backtests of a strategy on a tape: events, actions and results.

import { describe, expect, test } from 'vitest';
import { messageOf, UserError } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type Resolution, spanOf } from '../../../src/bot/domain/candle.ts';
import type { Event } from '../../../src/bot/domain/event.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { StrategyError } from '../../../src/bot/strategy/decide.ts';
import type { CandleView } from '../../../src/bot/strategy/view/market-parts.ts';
import { defineStrategy } from '../../../src/index.ts';
import { testTools } from '../../../src/research/testing/tools.ts';
import { HOSTED_RULES } from '../../../src/venues/hosted/rules.ts';
import { DEFAULTS } from '../../replay/virtual-run.ts';
import { MARKET, memoryTape, randomRows, Script, START } from './memory-tape.ts';
import { ASSUMPTIONS, fineGrid, played } from './played.ts';

/** A strategy that bids one price until it has a position. */
const bidder = (price: number, size = 0.01) =>
  defineStrategy({
    name: 'bidder',
    defaults: { market: MARKET.symbol },
    create:
      ({ market }) =>
      (view) => {
        const seen = view.market(market);
        return seen.mid === undefined || seen.position !== 0 ? [] : [seen.quote({ bids: [{ price, size }], asks: [] })];
      },
  }) as unknown as Strategy<Params>;

const eventsOf = (turns: readonly Turn[]): readonly Event[] => turns.flatMap(({ events }) => events);
const steady = (): Script => new Script().add(0, 'index', { price: 600_000 }).book(0, 600_000);

describe('a bid at the best price of a quiet market', () => {
  const tape = memoryTape(
    steady().add(3_000, 'trade', { side: 'ask', price: 599_999, size: 5_040 }).add(6_000, 'index', { price: 600_001 }).rows,
  );

  test('fills after the 0.5 ahead of it, and appears in the account and the summary', async () => {
    const { turns, summary, ending, span } = await played([tape], bidder(59_999.9));
    expect(span).toEqual({ from: START, to: START + 6_000 });
    expect(ending).toEqual({ kind: 'settled' });
    const sent = turns.find(({ actions }) => actions.length > 0);
    expect(sent?.at).toBe(START + 20);
    expect(sent?.events).toContainEqual(expect.objectContaining({ kind: 'bookSeen' }));
    const fills = turns.flatMap((turn) => turn.fills);
    expect(fills).toMatchObject([{ role: 'maker', side: 'bid', price: 599_999, size: 40, time: START + 3_000 }]);
    expect(summary).toMatchObject({
      run: 'backtest',
      strategy: 'bidder',
      exchange: 'embedded',
      orders: { placed: 1, cancelled: 1, unknown: 0, openAtExit: 0 },
      fills: 1,
      positions: { BTCUSDC: '0.0040' },
    });
  });

  test('is reported as filled by the next poll of own trades, not earlier', async () => {
    const { turns } = await played([tape], bidder(59_999.9));
    const reported = turns.find(({ fills }) => fills.length > 0)?.events;
    expect(reported).toContainEqual(
      expect.objectContaining({ kind: 'fillsSeen', asked: START + 3_000 - HOSTED_RULES.listingLagMs, at: START + 3_020 }),
    );
  });

  test('misses the trade if its latency is too long', async () => {
    const latency = { kind: 'constant', there: 1_000, back: 1_000 } as const;
    const { summary } = await played([tape], bidder(59_999.9), { assumptions: { ...ASSUMPTIONS, latency } });
    expect(summary.fills).toBe(0);
  });
});

test('funding of a held position is in the summary', async () => {
  const { summary } = await played(
    [
      memoryTape(
        steady()
          .add(0, 'mark', { price: 600_000 })
          .add(1, 'funding', { price: 4_999, size: 1e9 }) // a tenth of a percent, due five seconds after the start
          .add(3_000, 'trade', { side: 'ask', price: 599_990, size: 50_000 })
          .add(6_000, 'index', { price: 600_000 }).rows,
      ),
    ],
    bidder(59_999.9),
  );
  // 0.01 bought at 59999.9 with a mark of 60000; a maker fee of one basis point; funding of ten basis points on 600
  expect(summary).toMatchObject({ positions: { BTCUSDC: '0.0100' }, fees: '0.06', funding: '-0.60', pnl: '-0.659' });
});

test.each([
  ['is an eighth if the tape has no interval', undefined, 0.000_125],
  ['is the whole rate on a tape with hourly payments', 3_600_000, 0.001],
] as const)('the rate of an hour that a bot is shown %s', async (_, fundingIntervalMs, shown) => {
  const { rows } = steady()
    .add(0, 'mark', { price: 600_000 })
    .add(1, 'funding', { price: 99_999, size: 1e9 })
    .add(4_000, 'index', { price: 600_001 });
  const { turns } = await played([memoryTape(rows, { fundingIntervalMs })], bidder(59_999.9));
  const rates = eventsOf(turns).flatMap((event) => (event.kind === 'infoSeen' ? event.infos.map(({ fundingRate }) => fundingRate) : []));
  expect(rates.at(-1)).toBeCloseTo(shown, 12);
});

describe('in a gap of the recording', () => {
  const script = steady()
    .add(5_000, 'gap')
    .book(65_000, 600_100)
    .add(65_000, 'index', { price: 600_100 })
    .add(80_000, 'index', { price: 600_101 });

  test('the bot reports missing data, cancels its orders after a while and continues after the gap', async () => {
    const { turns, summary, ending } = await played([memoryTape(script.rows)], bidder(59_990));
    const health = eventsOf(turns).flatMap((event) => (event.kind === 'healthSeen' && event.stream === 'book' ? [event] : []));
    expect(health.map(({ at, healthy, reason }) => [at - START, healthy, reason])).toEqual([
      [20, true, 'order book seen'],
      [5_020, false, 'no order book: the data has a gap here'],
      [65_020, true, 'order book seen'],
    ]);
    const books = eventsOf(turns).flatMap((event) => (event.kind === 'bookSeen' ? [event.at - START] : []));
    expect(books.filter((at) => at > 5_000 && at < 65_000)).toEqual([]);
    const cancels = turns.filter(({ actions }) => actions.some(({ kind }) => kind === 'cancel')).map(({ at }) => at - START);
    expect(cancels[0]).toBeGreaterThan(33_000);
    expect(cancels[0]).toBeLessThan(36_000);
    expect(summary.orders).toMatchObject({ placed: 2, cancelled: 2, openAtExit: 0 });
    expect(ending).toEqual({ kind: 'settled' });
  });
});

describe('several tapes', () => {
  const second = { ...MARKET, symbol: 'ETHUSDC' };

  test('are played for their common time range', async () => {
    const long = memoryTape(randomRows('long', 40));
    const late = steady();
    late.rows.splice(0, late.rows.length, ...steady().rows.map((row) => ({ ...row, time: row.time + 10_000_000 })));
    late.add(30_000, 'index', { price: 600_000 });
    const { span, ending } = await played([long, memoryTape(late.rows, { market: second })], bidder(50_000));
    expect(span).toEqual({ from: START + 10_000, to: START + 30_000 });
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('without a common time range are a user error', async () => {
    const early = memoryTape(steady().add(1_000, 'index', { price: 600_000 }).rows);
    const late = memoryTape(new Script().book(2_000, 600_000).add(9_000, 'index', { price: 600_000 }).rows, { market: second });
    await expect(played([early, late], bidder(50_000))).rejects.toThrow(UserError);
  });

  test.each([
    ['two of one market', [{}, {}], 'the tapes of BTCUSDC are order books, and order books'],
    ['one with too many decimals', [{ market: { ...MARKET, priceDecimals: 6 } }], 'together at most 8 are possible'],
    ['none with rows', [{}], 'the tape is empty'],
  ])('are refused with %s', async (_, headers, message) => {
    const tapes = headers.map((header) => memoryTape([], header));
    await expect(played(tapes, bidder(50_000))).rejects.toThrow(message);
    await expect(played(tapes, bidder(50_000))).rejects.toThrow(UserError);
  });

  test('without order ids do not support exact queue positions', async () => {
    const assumptions = { ...ASSUMPTIONS, queue: { kind: 'exact' } as const };
    await expect(played([memoryTape(steady().rows)], bidder(50_000), { assumptions })).rejects.toThrow('has no order ids');
  });
});

/** Three candles of a minute; the price falls far in the second. */
function candles() {
  const script = new Script(0);
  const candle = (at: number, prices: readonly [open: number, high: number, low: number, close: number]): void => {
    for (const [index, kind] of (['open', 'high', 'low', 'close'] as const).entries()) {
      script.add(at, kind, { price: prices[index] ?? 0, size: kind === 'open' ? 60_000 : kind === 'close' ? 120_000 : 0 });
    }
  };
  candle(0, [600_000, 600_200, 599_900, 600_100]);
  candle(60_000, [600_100, 600_300, 599_000, 600_000]);
  candle(120_000, [600_000, 600_100, 599_950, 600_050]);
  return memoryTape(script.rows, { books: 'candles', pollMs: 60_000 });
}

test('a tape of candles is played along the assumed price path', async () => {
  const { summary, turns } = await played([candles()], bidder(59_950));
  const [fill] = turns.flatMap(({ fills }) => fills);
  expect(fill).toMatchObject({ role: 'maker', side: 'bid', price: 599_500, size: 100 });
  expect(fill?.time).toBeGreaterThan(START + 60_000);
  expect(summary.positions).toEqual({ BTCUSDC: '0.0100' });
});

const price = (ticks: number): number => Number((ticks / 10).toFixed(1));

/** Returns candles with random prices and volumes, some of them missing. */
function randomCandles({ seed, count, span }: { seed: string; count: number; span: number }) {
  const rng = rngFrom(seed);
  const script = new Script(0);
  const file: CandleView[] = [];
  let close = 600_000;
  for (let at = 0; at < count; at++) {
    const open = close + rng.below(41) - 20;
    close = open + rng.below(801) - 400;
    const [high, low] = [Math.max(open, close) + rng.below(200), Math.min(open, close) - rng.below(200)];
    const volume = rng.below(5) === 0 ? 0 : rng.below(1_000_000);
    if (at > 3 && rng.below(15) === 0) continue;
    script.add(at * span, 'open', { price: open, size: span });
    script
      .add(at * span, 'high', { price: high })
      .add(at * span, 'low', { price: low })
      .add(at * span, 'close', { price: close, size: volume });
    file.push({
      start: START + at * span,
      open: price(open),
      high: price(high),
      low: price(low),
      close: price(close),
      volume: Number((volume / 1e4).toFixed(4)),
    });
  }
  return { tape: memoryTape(script.rows, { books: 'candles', pollMs: span, block: 70 }), file };
}

/** A strategy that records every newest candle of these resolutions. */
function collector(...resolutions: readonly Resolution[]) {
  const shown = new Map<Resolution, CandleView[]>(resolutions.map((resolution) => [resolution, []]));
  const strategy: Strategy<Params> = {
    name: 'collector',
    defaults: { market: MARKET.symbol },
    create: () => (view) => {
      for (const [resolution, list] of shown) {
        const last = list.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
        const news = view
          .market(MARKET.symbol)
          .candles(resolution)
          .filter(({ start }) => start > last);
        for (const candle of news) if (candle.start + spanOf(resolution) > view.now) throw new Error('a candle that has not ended');
        list.push(...news);
      }
      return [];
    },
  };
  return { strategy, shown };
}

/** Returns the candles of complete windows, from a simple reference implementation. */
function windowsOf(file: readonly CandleView[], span: number): readonly CandleView[] {
  const starts = [...new Set(file.map(({ start }) => start - (start % span)))];
  return starts.map((start) => {
    const inside = file.filter((candle) => candle.start >= start && candle.start < start + span);
    return {
      start,
      open: inside[0]!.open,
      high: Math.max(...inside.map(({ high }) => high)),
      low: Math.min(...inside.map(({ low }) => low)),
      close: inside.at(-1)!.close,
      volume: Number(inside.reduce((sum, { volume }) => sum + volume!, 0).toFixed(4)),
    };
  });
}

test.each([
  ['minutes', 60_000, ['1m', '5m', '1h']],
  ['hours', 3_600_000, ['1h', '4h', '1d']],
] as const)('on candles of %s a strategy sees every candle of the file and of all multiples', async (name, span, resolutions) => {
  const { tape, file } = randomCandles({ seed: name, count: 300, span });
  const { strategy, shown } = collector(...resolutions);
  const { ending } = await played([tape], strategy);
  expect(ending).toEqual({ kind: 'settled' });
  expect(shown.get(resolutions[0])).toEqual(file);
  const end = file.at(-1)!.start + span;
  for (const resolution of resolutions.slice(1)) {
    const whole = windowsOf(file, spanOf(resolution)).filter(({ start }) => start >= START && start + spanOf(resolution) <= end);
    expect(whole.length).toBeGreaterThan(1);
    expect(shown.get(resolution)).toEqual(whole);
  }
});

test('a strategy with `history` and `every` is called once it has the history, then once per candle; the result reports it', async () => {
  const { tape, file } = randomCandles({ seed: 'history', count: 300, span: 60_000 });
  const calls: { readonly at: number; readonly newest: number }[] = [];
  const strategy: Strategy<Params> = {
    name: 'quarterly',
    defaults: { market: MARKET.symbol },
    history: { candles: { '1m': 100, '15m': 4 } },
    every: '15m',
    create: () => (view) => {
      const market = view.market(MARKET.symbol);
      calls.push({ at: view.now, newest: market.candles('15m').at(-1)!.start });
      return [market.target({ position: calls.length % 2 === 0 ? 0 : 0.01 })];
    },
  };
  const { history, summary } = await played([tape], strategy);
  expect(history).toMatchObject({ missing: [], completeAt: calls[0]!.at });
  expect(calls[0]!.at).toBeGreaterThan(file[99]!.start + 60_000);
  const newest = calls.map((call) => call.newest);
  expect(newest).toEqual([...new Set(newest)]);
  expect(newest.at(-1)).toBe(START + 285 * 60_000);
  for (const { at, newest: start } of calls.slice(1)) expect(at - start - 900_000).toBeLessThan(10_000);
  expect(summary.fills).toBeGreaterThan(5);
});

test('on a tape shorter than the history the strategy is not called; the result reports what is missing', async () => {
  const { tape } = randomCandles({ seed: 'short', count: 30, span: 60_000 });
  const strategy = { ...bidder(59_000), history: { candles: { '1h': 2 } }, create: () => () => expect.unreachable() };
  const { history, summary } = await played([tape], strategy);
  expect(history).toMatchObject({ completeAt: undefined, missing: [{ count: 2, found: 0, span: 3_600_000 }] });
  expect(summary.fills).toBe(0);
});

test('there is one turn per candle plus those of orders; an order is executed in the next candle', async () => {
  const { tape, file } = randomCandles({ seed: 'one look', count: 200, span: 60_000 });
  let calls = 0;
  const strategy: Strategy<Params> = {
    name: 'switch',
    defaults: { market: MARKET.symbol },
    every: '1m',
    create: () => (view) => {
      calls += 1;
      return [view.market(MARKET.symbol).target({ position: calls % 20 < 10 ? 0.01 : -0.01 })];
    },
  };
  const { turns, ending, summary } = await played([tape], strategy);
  expect(ending).toEqual({ kind: 'settled' });
  const fills = turns.flatMap((turn) => turn.fills);
  expect(fills.length).toBeGreaterThan(10);
  expect(calls).toBe(file.length);
  for (const fill of fills) expect((fill.time - START) % 60_000).toBeGreaterThanOrEqual(10); // an order is in flight for 10 ms; the rest of one may be sent again at a heartbeat
  const actions = turns.flatMap((turn) => turn.actions);
  expect(summary.turns).toBeLessThan(200 * 1.3 + (actions.length + fills.length) * 7); // a heartbeat every four candles; a receipt, five looks and a fill per order
  const looks = eventsOf(turns).flatMap((event) => (event.kind === 'bookSeen' ? [event.asked - START] : []));
  for (const look of looks) expect(look % 60_000).toBe(0);
});

test('nothing is sent or received inside a candle but soon after its beginning', async () => {
  const { tape } = randomCandles({ seed: 'restless', count: 20, span: 60_000 });
  const strategy: Strategy<Params> = {
    name: 'restless',
    defaults: { market: MARKET.symbol },
    create: () => (view) => {
      const { mid = 0, quote } = view.market(MARKET.symbol);
      const away = 3 + ((view.now / 100) % 20) / 10; // other prices at every call
      return [quote({ bids: [{ price: mid - away, size: 0.01 }], asks: [{ price: mid + away, size: 0.01 }] })];
    },
  };
  const { turns } = await played([tape], strategy);
  const [acted, learned] = [turns.filter(({ actions }) => actions.length > 0), turns.filter(({ fills }) => fills.length > 0)];
  expect(acted.length).toBeGreaterThan(20);
  expect(learned.length).toBeGreaterThan(5);
  for (const { at } of [...acted, ...learned]) expect((at - START) % 60_000).toBeLessThan(60_000 / 8 + 100);
});

test('candles shorter than those of the tape are an error that lists those of the tape', async () => {
  const { tape } = randomCandles({ seed: 'short', count: 5, span: 3_600_000 });
  const { ending } = await played([tape], collector('1m').strategy);
  expect(ending).toMatchObject({ kind: 'failed' });
  expect(ending.kind === 'failed' && messageOf(ending.error)).toContain('has candles of 1h; candles of 1m cannot be made of them');
});

test('on candles data is read at their boundaries; the result reports it', async () => {
  const { polling, limits, turns } = await played([candles()], bidder(59_950));
  const looks = eventsOf(turns).flatMap((event) => (event.kind === 'bookSeen' ? [event.asked - START] : []));
  expect(looks.slice(0, 3)).toEqual([0, 60_000, 120_000]);
  expect(polling).toEqual({
    ...DEFAULTS.polling,
    orderBookMs: 60_000,
    accountMs: 120_000,
    fillsMs: 120_000,
    tradesMs: 120_000,
    liveMs: 240_000,
    timeMs: 240_000,
  });
  expect(limits['data-age']).toMatchObject({ bookMs: 720_000, accountMs: 1_200_000 });
  expect({ ...limits, 'data-age': undefined }).toEqual({ ...DEFAULTS.limits, 'data-age': undefined });
});

test.each([
  ['a second', memoryTape(randomRows('ticks', 5)), 1_000],
  ['four minutes on candles of a minute', candles(), 240_000],
])('the state of the run is reported once %s of its own time', async (_, tape, every) => {
  const reported: number[] = [];
  const { span } = await played([tape], bidder(59_000), { onSecond: (trading) => reported.push(Date.parse(trading.status().at)) });
  const due = Array.from({ length: Math.floor((span.to - span.from) / every) }, (_, at) => span.from + (at + 1) * every);
  expect(reported.filter((at) => at <= span.to)).toEqual(due);
});

test('the block size of a tape changes nothing', async () => {
  const rows = randomRows('blocks', 30);
  const strategy = await fineGrid();
  const [one, many] = [
    await played([memoryTape(rows, { block: 1e6 })], strategy),
    await played([memoryTape(rows, { block: 7 })], strategy),
  ];
  expect(one.summary.fills).toBeGreaterThan(0);
  expect(JSON.stringify(many.turns)).toBe(JSON.stringify(one.turns));
  expect(many.summary).toEqual(one.summary);
});

test('a strategy that throws ends the run with cancelled orders; the result reports it', async () => {
  const failing = {
    ...bidder(59_990),
    create: () => {
      const decide = bidder(59_990).create({ market: MARKET.symbol }, testTools());
      return (view: Parameters<typeof decide>[0]) => {
        if (view.now > START + 4_000) throw new Error('a mistake of the author');
        return decide(view);
      };
    },
  };
  const { ending, summary } = await played([memoryTape(randomRows('failing', 20))], failing);
  expect(ending).toMatchObject({ kind: 'failed' });
  expect(ending.kind === 'failed' && ending.error).toBeInstanceOf(StrategyError);
  expect(summary.seconds).toBeLessThan(8);
});

test('a run ends although the tape has no more rows and an account was in flight during its cancels', async () => {
  const tape = memoryTape(steady().add(6_995, 'index', { price: 600_000 }).rows);
  const { ending, summary, turns } = await played([tape], bidder(59_990));
  const cancelled = eventsOf(turns).find(({ kind }) => kind === 'cancelAnswered');
  const between = eventsOf(turns).find((event) => event.kind === 'accountSeen' && event.asked === START + 7_000);
  expect([cancelled?.at, between?.at]).toEqual([START + 7_015, START + 7_020]);
  expect(ending).toEqual({ kind: 'settled' });
  expect(summary.orders).toMatchObject({ placed: 1, cancelled: 1, openAtExit: 0 });
});

test('progress grows from zero to one and never falls', async () => {
  const shares: number[] = [];
  await played([memoryTape(randomRows('progress', 20))], bidder(59_000), { progress: (share) => shares.push(share) });
  expect(shares.at(-1)).toBe(1);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('the latency model "recorded" uses the latency of the tape', async () => {
  const tape = memoryTape(new Script(40).add(0, 'index', { price: 600_000 }).book(0, 600_000).add(5_000, 'index', { price: 600_001 }).rows);
  const { turns } = await played([tape], bidder(59_000), { assumptions: { ...ASSUMPTIONS, latency: { kind: 'recorded' } } });
  const first = eventsOf(turns).find(({ kind }) => kind === 'bookSeen');
  expect(first).toMatchObject({ asked: START, at: START + 80 });
});

test('a recorder clock that is ahead of the exchange is corrected by its fastest row', async () => {
  const script = new Script(-1_260).add(0, 'index', { price: 600_000 }).book(0, 600_000).add(5_000, 'index', { price: 600_001 });
  const rows = script.rows.map((row, at) => (at === script.rows.length - 1 ? { ...row, lag: -1_300_000 } : row));
  const { turns, clockBehind } = await played([memoryTape(rows)], bidder(59_000), {
    assumptions: { ...ASSUMPTIONS, latency: { kind: 'recorded' } },
  });
  const first = eventsOf(turns).find(({ kind }) => kind === 'bookSeen');
  expect([first, clockBehind]).toMatchObject([{ asked: START, at: START + 80 }, 1_300]);
});
