// The history of an order from a journal and a recording: found by any part of its ids, with the time of every step, in order.
import { describe, expect, test } from 'vitest';
import { timeText } from '../../../../src/base/text/duration.ts';
import type { FillLine, OrderLine } from '../../../../src/bot/accounting/lines.ts';
import type { PlaceOrder } from '../../../../src/bot/domain/action.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Turn } from '../../../../src/bot/domain/turn.ts';
import { type Entry, sentEntry } from '../../../../src/bot/run/state/entries.ts';
import { headerText, turnText } from '../../../../src/bot/run/state/turn-recording.ts';
import { ordersLike, type Step, stepsOf } from '../../../../src/research/order-history.ts';
import { BTC } from '../../world-builder.ts';
import { orderLine } from './order-line.ts';

const AT = 1_800_000_000_000;
const after = (ms: number): string => timeText(AT + ms);

const order = (clientOrderId: string, ms: number, more: Partial<OrderLine> = {}): OrderLine => orderLine(clientOrderId, AT + ms, more);

const fill: FillLine = {
  kind: 'fill',
  at: after(4_000),
  market: 'BTCUSDC',
  side: 'bid',
  price: '60000.0',
  size: '0.0040',
  fee: '0.024',
  role: 'maker',
  orderId: '77',
  tradeId: '901',
  clientOrderId: '1001',
};

const ENTRIES: readonly Entry[] = [
  order('1001', 0),
  sentEntry({ action: 'place', clientOrderId: '1001', timestamp: 500, nonce: 3, body: Uint8Array.of(1) }, AT),
  order('1002', 0),
  order('1001', 100, { status: 'open', orderId: '77' }),
  fill,
  sentEntry({ action: 'cancel', clientOrderId: '1001', timestamp: 505, nonce: 4, body: Uint8Array.of(2) }, AT + 5_000),
  order('1001', 6_000, { status: 'cancelled', orderId: '77', reason: 'cancelled by us' }),
];

const place: PlaceOrder = {
  kind: 'place',
  clientOrderId: '1001',
  market: 0,
  side: 'bid',
  price: ticks(600_000),
  size: lots(100),
  fillMode: 'POST_ONLY',
};

const SILENT: Omit<Turn, 'at' | 'events'> = { intents: [], findings: [], actions: [], changes: [], fills: [], alarms: [] };
const turns: readonly Turn[] = [
  {
    ...SILENT,
    at: AT,
    events: [
      { kind: 'healthSeen', at: AT, stream: 'book', market: 0, healthy: true, reason: 'order book seen' },
      { kind: 'bookSeen', at: AT, asked: AT, book: { market: 0, updateId: '1', bids: [], asks: [] } },
      { kind: 'cancelAnswered', at: AT, clientOrderId: '998', outcome: 'cancelled' },
      { kind: 'cancelAnswered', at: AT, clientOrderId: '999', outcome: 'cancelled' },
    ],
    intents: [
      { kind: 'quote', market: 0, bids: [{ price: ticks(600_000), size: lots(200) }], asks: [], slack: ticks(0), fillMode: 'POST_ONLY' },
    ],
    findings: [{ guard: 'margin', market: 0, side: 'bid', verdict: 'shrink', reason: 'omf would be too little' }],
    actions: [place],
  },
  { ...SILENT, at: AT + 1_000, events: [{ kind: 'timerFired', at: AT + 1_000 }] },
  {
    ...SILENT,
    at: AT + 5_000,
    events: [{ kind: 'command', at: AT + 5_000, command: 'stop', reason: 'Ctrl-C' }],
    actions: [{ kind: 'cancel', clientOrderId: '1001', market: 0, orderId: '77' }],
  },
];

const history = { orders: [], fills: [], ended: [], baselines: [], lastClientOrderId: undefined };
const header = headerText({ strategy: 'grid', params: {}, limits: {}, seed: 'x', startedAt: AT, markets: [BTC.spec], history });
const RECORDING = [header, ...turns.map(turnText)];

describe('an order is found', () => {
  test.each([
    ['by its client order id', '1001', ['1001']],
    ['by its order id', '77', ['1001']],
    ['by the beginning of an id, if that is unique', '7', ['1001']],
    ['by the end of an id', '02', ['1002']],
    ['several, if it is not unique', '100', ['1001', '1002']],
    ['none, by an unknown id', '5', []],
  ])('%s', (_, text, ids) => {
    expect(ordersLike(ENTRIES, text).map(({ clientOrderId }) => clientOrderId)).toEqual(ids);
  });

  test('by an exact id before one that contains it', () => {
    const entries = [order('10', 0), order('100', 0)];
    expect(ordersLike(entries, '10').map(({ clientOrderId }) => clientOrderId)).toEqual(['10']);
  });

  test('by its price, if no id matches, or as the last one: the newest in both cases', () => {
    const entries = [order('10', 0), order('11', 1, { price: '60002.5' }), order('12', 2), order('13', 3, { price: '60001.0' })];
    const idsOf = (text: string): readonly string[] => ordersLike(entries, text).map(({ clientOrderId }) => clientOrderId);
    expect([idsOf('60000'), idsOf('60002.50'), idsOf('last'), idsOf('59999')]).toEqual([['12'], ['11'], ['13'], []]);
    expect(ordersLike([], 'last')).toEqual([]);
  });
});

async function* read(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

const story = (recordings: readonly (readonly string[])[]): Promise<readonly Step[]> =>
  stepsOf({ clientOrderId: '1001', orderId: '77' }, { entries: ENTRIES, recordings: recordings.map(read) });

test('the whole life: intent, guards, request, answer, fill, the end and its reason', async () => {
  const steps = await story([RECORDING]);
  expect(steps.map(({ step }) => step)).toEqual([
    'wanted',
    'wanted',
    'guards',
    'written',
    'answered',
    'fill',
    'withdrawn',
    'written',
    'answered',
  ]);
  expect(steps.map(({ text }) => text)).toEqual([
    'placed: bid 0.0100 BTCUSDC at 60000.0, POST_ONLY',
    'after an order book of BTCUSDC, answers to our orders; intent: bids 0.0200@60000.0, asks none',
    'margin shrinks bids: omf would be too little',
    "its bytes, before they left, signed for 1970-01-01T00:08:20Z by the exchange's clock, nonce 3, dead after 1970-01-01T00:09:23Z",
    'open, order 77',
    '0.0040 at 60000.0, maker, fee 0.024, trade 901',
    'no longer wanted, after a command: Ctrl-C; no intent for this market',
    "a cancel, signed for 1970-01-01T00:08:25Z by the exchange's clock, nonce 4",
    'cancelled, order 77, cancelled by us',
  ]);
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted());
});

test('without a recording, the entries of the journal', async () => {
  expect((await story([])).map(({ step }) => step)).toEqual(['wanted', 'written', 'answered', 'fill', 'written', 'answered']);
});

test('an unknown order has the time until which it can arrive', async () => {
  const unknown = order('9', 0, { status: 'unknown', reason: 'no answer within 3 s', deadAfter: 563 });
  const steps = await stepsOf({ clientOrderId: '9', orderId: undefined }, { entries: [unknown], recordings: [] });
  expect(steps.map(({ text }) => text)).toEqual(["unknown, no answer within 3 s, dead after 1970-01-01T00:09:23Z by the exchange's clock"]);
  const never = await stepsOf({ clientOrderId: '9', orderId: undefined }, { entries: [{ ...unknown, deadAfter: 1e15 }], recordings: [] });
  expect(never[0]?.text).toContain('dead after 1000000000000000 by');
});

test.each([
  ['behind', -120_000],
  ['ahead', 120_000],
])(
  "with the exchange's clock two minutes %s, its fill stands between the answer and the end of the order, in our time",
  async (_, skew) => {
    const times = [0, 500, 1_000].map((ms) => {
      const [asked, at] = [AT + ms, AT + ms + 20];
      const engineSeconds = Math.floor((at + skew) / 1_000);
      return turnText({ ...SILENT, at, events: [{ kind: 'timeSeen', at, asked, engineSeconds, dateSeconds: engineSeconds }] });
    });
    const filled = order('1001', 4_200, { status: 'filled', orderId: '77' });
    const entries = [...ENTRIES.slice(0, 4), { ...fill, at: after(4_000 + skew) }, filled];
    const stepsWith = (recording: readonly string[]): Promise<readonly Step[]> =>
      stepsOf({ clientOrderId: '1001', orderId: '77' }, { entries, recordings: [read(recording)] });
    const steps = await stepsWith([...RECORDING.slice(0, 2), ...times]);
    expect(steps.slice(-3).map(({ step, text }) => `${step} ${text}`)).toEqual([
      'answered open, order 77',
      `fill 0.0040 at 60000.0, maker, fee 0.024, trade 901, ${after(4_000 + skew)} by the exchange's clock`,
      'answered filled, order 77',
    ]);
    expect(Math.abs(Date.parse(steps.at(-2)!.at) - (AT + 4_000))).toBeLessThanOrEqual(520); // as exactly as whole seconds allow
    const withoutClock = await stepsWith([]);
    expect(withoutClock.map(({ step }) => step).indexOf('fill')).toBeGreaterThan(withoutClock.map(({ step }) => step).indexOf('wanted'));
    expect(withoutClock.at(-1)?.text).toBe('filled, order 77');
  },
);
