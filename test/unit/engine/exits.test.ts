// The exits of one market as a table: the remembered state, the facts, and the intent that the guards get.
import { describe, expect, test } from 'vitest';
import type { Book, Side } from '../../../src/bot/domain/book.ts';
import type { Exit, ExitRule, OrderIntent } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { resolveExits } from '../../../src/bot/engine/exits/apply-exits.ts';
import type { ExitFacts } from '../../../src/bot/engine/exits/exit-facts.ts';
import type { ExitState, TriggeredExit } from '../../../src/bot/world/position/exit-state.ts';
import { BTC } from '../world-builder.ts';

const NOW = 1_000;
const lotsOf = (size: number) => lots(Math.round(size * 1e4));
const ticksOf = (price: number) => ticks(Math.round(price * 10));

const bookAt = (bid: number, ask: number): Book => ({
  market: BTC.id,
  updateId: '1',
  bids: [{ price: ticksOf(bid), size: lotsOf(1) }],
  asks: [{ price: ticksOf(ask), size: lotsOf(1) }],
});

interface Known {
  readonly held?: number;
  readonly price?: number | undefined;
  readonly entry?: number | undefined;
  readonly fills?: readonly { readonly side: Side; readonly price: number; readonly size: number }[];
  /** Fills that the account does not show yet. */
  readonly late?: number;
}

function facts({ held = 0, price, entry, fills = [], late = 0 }: Known): ExitFacts {
  const sure = lotsOf(held + late);
  return {
    market: BTC,
    now: NOW,
    held: lotsOf(held),
    exposure: { low: sure, high: sure, bids: lots(0), asks: lots(0) },
    entry,
    price,
    book: price === undefined ? undefined : bookAt(price - 0.1, price + 0.1),
    fills: fills.map(({ side, price: at, size }) => ({ side, price: ticksOf(at), size: lotsOf(size) }) as Fill),
    orders: [],
  };
}

const exit = (...rules: readonly ExitRule[]): Exit => ({ kind: 'exit', market: BTC.id, rules, maxSlippageBps: 10 });
const target = (position: number): OrderIntent => ({ kind: 'target', market: BTC.id, position: lotsOf(position), limit: ticksOf(60_000) });
const quote = (bids: readonly number[], asks: readonly number[]): OrderIntent => ({
  kind: 'quote',
  market: BTC.id,
  bids: bids.map((price) => ({ price: ticksOf(price), size: lotsOf(0.1) })),
  asks: asks.map((price) => ({ price: ticksOf(price), size: lotsOf(0.1) })),
  slack: ticks(0),
  fillMode: 'POST_ONLY',
});

/** `close 59940.0` is a target of 0 with its limit; levels are `size@price`. */
function words(intent: OrderIntent | undefined): string {
  if (intent === undefined) return 'nothing';
  if (intent.kind === 'target' && intent.reduceOnly === true) return `close ${BTC.priceText(intent.limit)}`;
  if (intent.kind === 'target') return `target ${BTC.size(intent.position)}`;
  const levels = (list: typeof intent.bids): string => list.map(({ price, size }) => `${BTC.size(size)}@${BTC.price(price)}`).join(' ');
  return `bids ${levels(intent.bids)}; asks ${levels(intent.asks)}`;
}

const STOP: ExitRule = { exit: 'stop-loss', bps: 100 };
const TRAIL: ExitRule = { exit: 'trailing-stop', bps: 100 };
const PROFIT: ExitRule = { exit: 'take-profit', bps: 100 };

const resolved = (known: Known, rules: readonly ExitRule[], intent: OrderIntent | undefined, before: ExitState = {}) =>
  resolveExits(before, { intent, exits: rules.length === 0 ? [] : [exit(...rules)] }, facts(known));

describe('the intent that the guards get', () => {
  const long = { held: 0.1, entry: 60_000 };
  const short = { held: -0.1, entry: 60_000 };
  test.each<[string, Known, readonly ExitRule[], OrderIntent | undefined, string]>([
    ['flat: the intent', { price: 60_000 }, [STOP, PROFIT], target(0.1), 'target 0.1'],
    ['a long above its stop', { ...long, price: 59_401 }, [STOP], target(0.1), 'target 0.1'],
    ['a long at its stop', { ...long, price: 59_400 }, [STOP], target(0.1), 'close 59340.6'],
    ['a short at its stop', { ...short, price: 60_600 }, [STOP], target(-0.1), 'close 60660.7'],
    ['without a target', { ...long, price: 59_400 }, [STOP], undefined, 'close 59340.6'],
    ['a stop at a price', { ...long, price: 59_990 }, [{ exit: 'stop-loss', price: 59_990 }], target(0.1), 'close 59930.0'],
    ['the nearer of two stops', { ...long, price: 59_700 }, [STOP, { exit: 'stop-loss', bps: 50 }], target(0.1), 'close 59640.3'],
    ['no reliable price', { ...long }, [STOP], target(0.1), 'target 0.1'],
    ['closed by a fill that the account lacks', { ...long, late: -0.1, price: 59_000 }, [STOP], target(0), 'target 0'],
    ['a target that is reached, and a profit', { ...long, price: 60_000 }, [PROFIT], target(0.1), 'bids ; asks 0.1@60600'],
    ['a target that is not reached', { ...long, price: 60_000 }, [PROFIT], target(0.2), 'target 0.2'],
    ['only a profit', { ...short, price: 60_000 }, [PROFIT], undefined, 'bids 0.1@59400; asks '],
    [
      'a profit beside a quote',
      { held: 0.25, entry: 60_000, price: 60_000 },
      [PROFIT],
      quote([59_000], [60_100, 60_700]),
      'bids 0.1@59000; asks 0.1@60100 0.15@60600 0.1@60700',
    ],
    ['a profit beyond which the market is', { ...long, price: 60_700 }, [PROFIT], target(0.1), 'close 60600.0'],
  ])('%s', (_, known, rules, intent, expected) => {
    expect(words(resolved(known, rules, intent).intent)).toBe(expected);
  });
});

describe('after the exit of a long position', () => {
  const triggered: TriggeredExit = {
    exit: 'stop-loss',
    side: 'bid',
    at: 0,
    price: 59_400,
    seen: 59_400,
    size: 1_000,
    filled: 1_000,
    cost: 59_400_000,
    isClosed: true,
    isReported: true,
  };
  test.each<[string, Known, OrderIntent | undefined, string, boolean]>([
    ['a target long waits', { price: 60_000 }, target(0.1), 'nothing', true],
    ['a target short does not, and ends the wait', { price: 60_000 }, target(-0.1), 'target -0.1', false],
    ['a target of 0 ends it', { price: 60_000 }, target(0), 'target 0', false],
    ['nothing at all ends it', { price: 60_000 }, undefined, 'nothing', false],
    ['nothing while no price is known does not', {}, undefined, 'nothing', true],
    ['the bids of a quote wait', { price: 60_000 }, quote([59_000], [61_000]), 'bids ; asks 0.1@61000', true],
    [
      'bids that only reduce a short stay',
      { held: -0.1, price: 60_000 },
      quote([59_000, 58_000], [61_000]),
      'bids 0.1@59000; asks 0.1@61000',
      true,
    ],
    ['a quote without bids ends it', { price: 60_000 }, quote([], [61_000]), 'bids ; asks 0.1@61000', false],
  ])('%s', (_, known, intent, expected, waits) => {
    const { state, intent: left } = resolved(known, [STOP], intent, { triggered });
    expect(words(left)).toBe(expected);
    expect(state.triggered !== undefined).toBe(waits);
  });

  test('the position is closed whatever the strategy returns, until it is flat', () => {
    const first = resolved({ held: 0.1, entry: 60_000, price: 59_400 }, [STOP], target(0.1));
    const next = resolved({ held: 0.1, entry: 60_000, price: 60_500 }, [], undefined, first.state);
    expect(words(next.intent)).toBe('close 60197.5'); // the default slippage, because the exit is no longer returned
    expect(resolved({ price: 60_500 }, [STOP], target(0.1), next.state).state.triggered).toMatchObject({
      isClosed: true,
      isReported: false,
    });
  });
});

/** The best price that is remembered after each price, of a long (1) or a short (-1) position. */
const bestOf = (sign: 1 | -1, prices: readonly number[]): (number | undefined)[] => {
  let state: ExitState = {};
  return prices.map((price) => {
    ({ state } = resolved({ held: sign * 0.1, entry: 60_000, price }, [TRAIL], target(sign * 0.1), state));
    return state.position?.best;
  });
};

const bought = (price: number, size: number) => ({ fills: [{ side: 'bid' as const, price, size }] });

describe('the remembered state', () => {
  test('has the best price, the highest of a long and the lowest of a short, while a position is held', () => {
    expect(bestOf(1, [60_000, 60_200, 60_100])).toEqual([60_000, 60_200, 60_200]);
    expect(bestOf(-1, [60_000, 60_200, 59_900])).toEqual([60_000, 60_000, 59_900]);
  });

  test('has nothing of a closed position, and nothing while the strategy returns no exits', () => {
    const before: ExitState = { position: { side: 'bid', size: 1_000, best: 61_000, entry: 60_000 } };
    expect(resolved({ price: 60_000 }, [TRAIL], target(0), before).state.position).toBeUndefined();
    expect(resolved({ held: -0.1, entry: 60_000, price: 60_000 }, [TRAIL], target(-0.1), before).state.position?.best).toBe(60_000);
    expect(resolved({ held: 0.1, price: 60_000 }, [], target(0.1)).state.position).toBeUndefined();
  });

  test('has the average of the fills as the entry if the account has none', () => {
    const first = resolved({ held: 0.1, price: 60_000, ...bought(60_010, 0.1) }, [STOP], target(0.2));
    const second = resolved({ held: 0.2, price: 60_000, ...bought(60_030, 0.1) }, [STOP], target(0.2), first.state);
    expect([first, second].map(({ state }) => state.position?.entry)).toEqual([60_010, 60_020]);
    const earlier = resolved({ held: 0.3, price: 60_000, ...bought(60_040, 0.1) }, [STOP], target(0.3));
    expect(earlier.state.position?.entry).toBeCloseTo(60_013.333, 2); // 0.2 that were held before at 60 000
  });

  test('has a profit that was realised between two accounts', () => {
    const resting = resolved({ held: 0.1, entry: 60_000, price: 60_500 }, [PROFIT], target(0.1));
    expect(resting.state.position?.resting).toEqual({ size: 1_000, price: 60_600 });
    const filled = resolved({ price: 60_700 }, [PROFIT], target(0.1), resting.state);
    expect(words(filled.intent)).toBe('nothing');
    expect(filled.state.triggered).toMatchObject({ exit: 'take-profit', side: 'bid' });
  });
});
