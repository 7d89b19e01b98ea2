// The lines of a turn: decimals as text, in order.
import { describe, expect, test } from 'vitest';
import { timeText } from '../../../src/base/text/duration.ts';
import { type FillLine, fillOf, linesOf, moneyText } from '../../../src/bot/accounting/lines.ts';
import { RunFills } from '../../../src/bot/domain/accounting/run-fills.ts';
import { NO_ACTION } from '../../../src/bot/domain/ids.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Order } from '../../../src/bot/domain/order.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { BTC, START } from '../world-builder.ts';

const ORDER: Order = {
  clientOrderId: '7',
  orderId: 'x',
  market: 0,
  side: 'ask',
  price: ticks(600_005),
  size: lots(120),
  remaining: lots(20),
  fillMode: 'POST_ONLY',
  status: 'unknown',
  sentAt: START,
  touchedAt: START,
  deadAfter: 1_063,
};
const TURN: Turn = {
  at: START,
  events: [{ kind: 'timerFired', at: START }],
  intents: [],
  actions: [],
  findings: [{ guard: 'margin', market: 0, side: 'bid', verdict: 'shrink', reason: 'too much' }],
  changes: [{ order: ORDER, status: 'unknown', reason: 'no answer' }],
  fills: [
    {
      tradeId: 't',
      actionId: '1',
      market: 0,
      side: 'ask',
      price: ticks(600_005),
      size: lots(100),
      role: 'taker',
      fee: micros(2_100_000),
      orderId: 'theirs',
      clientOrderId: '7',
      time: START - 250,
    },
  ],
  alarms: [{ name: 'position', market: 0, reason: 'not explained' }],
};
const lines = (turn: Turn) => linesOf(turn, new Map([[0, BTC]]));

test('a turn becomes lines for its fills, orders, findings and alarms', () => {
  const at = '2023-11-14T22:13:20.000Z';
  const order = { clientOrderId: '7', orderId: 'x', side: 'ask', price: '60000.5', size: '0.0120', fillMode: 'POST_ONLY' };
  expect(lines(TURN)).toEqual([
    {
      kind: 'fill',
      at: '2023-11-14T22:13:19.750Z',
      market: 'BTCUSDC',
      side: 'ask',
      price: '60000.5',
      size: '0.0100',
      fee: '2.10',
      role: 'taker',
      orderId: 'theirs',
      tradeId: 't',
      actionId: '1',
      clientOrderId: '7',
    },
    { kind: 'order', at, market: 'BTCUSDC', ...order, status: 'unknown', reason: 'no answer', deadAfter: 1_063 },
    { kind: 'finding', at, guard: 'margin', market: 'BTCUSDC', side: 'bid', verdict: 'shrink', reason: 'too much' },
    { kind: 'alarm', at, alarm: 'position', market: 'BTCUSDC', reason: 'not explained' },
  ]);
});

test('a finding or an alarm may have no market', () => {
  const bare: Turn = {
    ...TURN,
    changes: [],
    fills: [],
    findings: [{ guard: 'g', verdict: 'hold', reason: 'r' }],
    alarms: [{ name: 'mode', reason: 'r' }],
  };
  expect(lines(bare)).toMatchObject([
    { kind: 'finding', market: undefined },
    { kind: 'alarm', market: undefined },
  ]);
});

test('a market that is not one of the run is an error of the program', () => {
  expect(() => linesOf(TURN, new Map())).toThrow("market 0 is not one of this run's");
});

describe('money', () => {
  test.each([
    [0, '0.00'],
    [12_500_000, '12.50'],
    [12_000_000, '12.00'],
    [12_345_600, '12.3456'],
    [1, '0.000001'],
    [-250_000, '-0.25'],
    [-10, '-0.00001'],
    [100_000_000_000, '100000.00'],
  ])('%i is %s', (amount, text) => expect(moneyText(micros(amount))).toBe(text));
});

test('time is RFC 3339', () => expect(timeText(START)).toBe('2023-11-14T22:13:20.000Z'));

test('the sums of lines equal the sums of turns', () => {
  const [ofTurn, ofLines] = [new RunFills([BTC]), new RunFills([BTC])];
  for (const fill of TURN.fills) ofTurn.add(fill);
  for (const line of lines(TURN)) if (line.kind === 'fill') ofLines.add(fillOf(line, BTC));
  expect(ofLines.carry()).toEqual(ofTurn.carry());
  expect(ofTurn.totals()).toMatchObject({ fills: 1, fees: 2_100_000 });
});

test.each([undefined, micros(0), micros(2_100_000), micros(-1)])('a fill with a fee of %s is the same again from its line', (fee) => {
  const [fill] = TURN.fills.map((one) => ({ ...one, fee }));
  const [line] = lines({ ...TURN, fills: fill === undefined ? [] : [fill] });
  expect(fillOf(line as FillLine, BTC)).toEqual(fill);
});

test('a fill of a journal of an earlier version names no action', () => {
  const { actionId: _, ...line } = lines(TURN)[0] as FillLine;
  expect(fillOf(line, BTC)).toEqual({ ...TURN.fills[0], actionId: NO_ACTION });
});
