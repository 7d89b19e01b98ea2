// Pairs the orders and fills of a run with those of its backtest; the reasons of the rest, and causes that add up.
import { expect, test } from 'vitest';
import { Market } from '../../../src/bot/domain/market.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { agreementOf, match } from '../../../src/research/parity/match.ts';
import type { OwnRecord, RunOrder } from '../../../src/research/parity/own-orders.ts';
import { causesOf, moneyOf } from '../../../src/research/parity/pnl-causes.ts';
import { differencesOf } from '../../../src/research/parity/reasons.ts';

const MARKETS = [new Market(LISTED_MARKETS[0]!.spec)];
const T = 1_000_000;

interface Given extends Partial<Omit<RunOrder, 'price' | 'size' | 'fills'>> {
  readonly price?: number;
  readonly size?: number;
  /** Sizes by time after T. */
  readonly filled?: readonly (readonly [at: number, size: number, fee?: number])[];
}

function order(id: string, { price = 600_000, size = 10, filled = [], ...given }: Given = {}): RunOrder {
  const sentAt = given.sentAt ?? T;
  const base = { market: 0, side: 'bid', fillMode: 'POST_ONLY', outcome: 'opened', taken: [], ahead: 0, cancels: [] } as const;
  const trip = { sentAt, arrival: sentAt + 10, answeredAt: sentAt + 20, handledAt: sentAt + 20, before: -1, after: -1 };
  const fills = filled.map(([at, part, fee = 5], index): Fill => {
    const ids = { tradeId: `${id}-${index}`, actionId: '0', orderId: id, clientOrderId: id };
    return {
      ...ids,
      market: 0,
      side: given.side ?? 'bid',
      price: ticks(price),
      size: lots(part),
      role: 'maker',
      fee: micros(fee),
      time: T + at,
    };
  });
  return {
    ...base,
    ...trip,
    clientOrderId: id,
    price: ticks(price),
    size: lots(size),
    resting: size,
    gone: Number.POSITIVE_INFINITY,
    ...given,
    cancels: [...(given.cancels ?? [])],
    fills,
  };
}

interface Values {
  readonly mark?: number;
  readonly funding?: number;
  /** What the position from before the first turn earned. */
  readonly ofOpening?: number;
}

const worthAt = (mark: number, { side, price, size, fee = micros(0) }: Fill): number =>
  (side === 'bid' ? 1 : -1) * (MARKETS[0]!.notional(ticks(mark), size) - MARKETS[0]!.notional(price, size)) - fee;

function record(
  orders: readonly RunOrder[],
  { mark = 600_100, funding = 0, ofOpening = 0, ...more }: Values & Partial<Omit<OwnRecord, 'funding'>> = {},
): OwnRecord {
  const filled = orders.flatMap(({ fills }) => fills);
  const { profit = filled.reduce((sum, fill) => sum + worthAt(mark, fill), funding + ofOpening) } = more;
  return {
    orders: new Map(orders.map((one) => [one.clientOrderId, one])),
    fills: filled.toSorted((a, b) => a.time - b.time),
    listed: new Set(),
    roundTrip: 10,
    clockOffset: 0,
    turns: 1,
    first: T,
    last: T + 10_000,
    accountReadTimes: [],
    fillReadTimes: [],
    start: undefined,
    marks: new Map([[0, ticks(mark)]]),
    funding: micros(funding),
    profit: micros(profit),
    findings: [],
    dataGaps: [],
    ...more,
  };
}

const reasonsOf = (run: OwnRecord, backtest: OwnRecord) =>
  differencesOf(match(run, backtest), { run, backtest }).map(({ kind, only, reason, follows }) => [kind, only, reason, follows]);

test('orders and fills are pairs if only ids differ, and times by at most a second', () => {
  const run = record([order('1', { filled: [[500, 10]] }), order('2', { sentAt: T + 5_000 })]);
  const backtest = record([order('a', { sentAt: T + 900, filled: [[1_400, 10]] }), order('b', { sentAt: T + 6_001 })]);
  const { orders, fills } = match(run, backtest);
  expect([orders.both.length, orders.onlyRun.length, orders.onlyBacktest.length]).toEqual([1, 1, 1]);
  expect([fills.both.length, fills.onlyRun.length, fills.onlyBacktest.length]).toEqual([1, 0, 0]);
});

test.each([
  ['price', { price: 600_001 }],
  ['size', { size: 11 }],
  ['side', { side: 'ask' }],
  ['fill mode', { fillMode: 'LIMIT' }],
] as const)('an order with another %s is another', (_, given) => {
  expect(match(record([order('1')]), record([order('a', given)])).orders.both).toEqual([]);
});

test('two partial fills are no pair of one whole fill', () => {
  const { fills } = match(
    record([order('1', { filled: [[500, 10]] })]),
    record([
      order('a', {
        filled: [
          [500, 4],
          [500, 6],
        ],
      }),
    ]),
  ); // prettier-ignore
  expect([fills.both.length, fills.onlyRun.length, fills.onlyBacktest.length]).toEqual([0, 1, 2]);
});

function taker(id: string, filled: NonNullable<Given['filled']>): RunOrder {
  const one = order(id, { filled, fillMode: 'IMMEDIATE_OR_CANCEL' });
  return { ...one, fills: one.fills.map((fill) => ({ ...fill, role: 'taker' })) };
}

test('all that an order takes at one price is one fill, from however many orders', () => {
  const [run, backtest] = [
    record([
      taker('1', [
        [500, 4],
        [500, 6],
      ]),
    ]),
    record([taker('a', [[503, 10]])]),
  ];
  expect(match(run, backtest).fills).toMatchObject({ both: [{ run: { fill: { size: 10, fee: 10 } } }], onlyRun: [], onlyBacktest: [] });
});

test('agreement counts each fill once per side, and is 1 without fills', () => {
  expect(agreementOf({ both: [], onlyRun: [], onlyBacktest: [] })).toBe(1);
  const pair = { run: 0, backtest: 0 };
  expect(agreementOf({ both: [pair, pair, pair], onlyRun: [0], onlyBacktest: [0] })).toBe(0.75);
});

test.each([
  ['queue: both rested, one was filled', { filled: [[500, 10]] }, {}, 'queue'],
  ['latency: the other arrived later', { filled: [[500, 10]] }, { arrival: T + 600 }, 'latency'],
  ['latency: the other was cancelled before', { filled: [[500, 10]] }, { gone: T + 400 }, 'latency'],
  ['rejected: the other was refused', { filled: [[500, 10]] }, { outcome: 'rejected' }, 'rejected'],
  ['unknown: no answer came', { filled: [[500, 10]], outcome: 'unknown' }, {}, 'unknown'],
] as const)('%s', (_, run, backtest, reason) => {
  expect(reasonsOf(record([order('1', run as Given)]), record([order('a', backtest as Given)]))).toEqual([['fill', 'run', reason, false]]);
});

test('a difference during a data gap has the reason data', () => {
  const run = record([order('1', { filled: [[500, 10]] })], { dataGaps: [{ market: 0, from: T + 400, to: T + 600 }] });
  expect(reasonsOf(run, record([order('a')]))).toEqual([['fill', 'run', 'data', false]]);
});

test('an order that a guard held back on one side has the reason guard', () => {
  const findings = [{ at: T, guard: 'margin', market: 0, verdict: 'refuse', reason: 'too much' }] as const;
  expect(reasonsOf(record([order('1')]), record([], { findings }))).toEqual([['order', 'run', 'guard', false]]);
});

test('a difference that follows from another has its reason', () => {
  const run = record([order('1', { filled: [[500, 10]] }), order('2', { sentAt: T + 600, price: 599_000, filled: [[900, 10]] })]);
  const backtest = record([order('a'), order('b', { sentAt: T + 600, price: 601_000, side: 'ask' })]);
  expect(reasonsOf(run, backtest)).toEqual([
    ['fill', 'run', 'queue', false],
    ['order', 'run', 'queue', true],
    ['order', 'backtest', 'queue', true],
    ['fill', 'run', 'queue', true],
  ]);
});

test('causes add up to the difference in profit and loss, to the last unit', () => {
  const run = record([order('1', { filled: [[500, 10, 7]] }), order('2', { price: 599_991, filled: [[700, 3]] })], { funding: 11 });
  const played = [
    order('a', { filled: [[510, 10, 5]] }),
    order('b', { sentAt: T + 3_000, price: 601_237, side: 'ask', size: 7, filled: [[3_500, 7, 3]] }),
  ];
  const backtest = record(played, { mark: 600_333, funding: -2, ofOpening: 40 });
  const matched = match(run, backtest);
  const causes = causesOf(matched, differencesOf(matched, { run, backtest }), { run, backtest, markets: MARKETS });
  const sum = [...causes.values()].reduce((total, amount) => total + amount, 0);
  expect(sum).toBe(moneyOf(backtest, MARKETS).pnl - moneyOf(run, MARKETS).pnl);
  expect(causes.get('fees')).toBe(2);
  expect(causes.get('funding')).toBe(-13);
  expect(causes.get('polls')).toBe(10 * 233 * 10 + 40);
});
