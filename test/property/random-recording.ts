// Random recorded markets, and random commands of users on them.
import * as fc from 'fast-check';
import { SIDES, type Side } from '../../src/bot/domain/book.ts';
import type { AccountId } from '../../src/bot/domain/ids.ts';
import { lots, micros, ticks } from '../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import { Exchange } from '../../src/embedded/exchange/exchange.ts';
import type { QueueModel } from '../../src/embedded/exchange/recorded/queue.ts';
import { RowFeed } from '../../src/embedded/exchange/recorded/recording.ts';
import type { ListedMarket } from '../../src/embedded/exchange/state/listing.ts';
import { RowBuilder } from '../../src/embedded/rows/row-builder.ts';
import { codeOf, FUNDING_PARTS, type RowKind, type RowMark, type Rows, STAMPS_PER_MILLI } from '../../src/embedded/rows/rows.ts';

export const START = Date.UTC(2026, 0, 1);
const DEPOSITS = [300, 1_000, 3_000];
const BASE = 10_000;

const move = fc.record({
  what: fc.oneof(
    { weight: 30, arbitrary: fc.constant('level' as const) },
    { weight: 20, arbitrary: fc.constant('trade' as const) },
    { weight: 6, arbitrary: fc.constant('mark' as const) },
    { weight: 8, arbitrary: fc.constant('jump' as const) },
    { weight: 3, arbitrary: fc.constantFrom('funding' as const, 'settlement' as const) },
    { weight: 1, arbitrary: fc.constant('gap' as const) },
  ),
  /** Microseconds until the move. */
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 120_000 })),
  side: fc.constantFrom(...SIDES),
  away: fc.integer({ min: 1, max: 6 }),
  size: fc.nat({ max: 800 }),
  /** Change of the price in ten-thousandths. */
  leap: fc.integer({ min: -500, max: 500 }),
});
type Move = typeof move extends fc.Arbitrary<infer One> ? One : never;
export const moves = fc.array(move, { minLength: 30, maxLength: 120 });

/** Returns the blocks of a tape: a snapshot, the moves, another snapshot and a funding payment. */
export function tapeOf(drawn: readonly Move[]): readonly Rows[] {
  const blocks: Rows[] = [];
  const builder = new RowBuilder();
  let [time, middle] = [START * STAMPS_PER_MILLI, BASE];
  const report = (kind: RowKind, price: number, size: number, mark: RowMark = {}): void =>
    builder.add({ time, lag: 0, code: codeOf(kind, mark), price, size });
  const snapshot = (): void => {
    report('clear', 0, 0, { snapshot: true });
    for (const side of SIDES)
      for (let away = 1; away <= 4; away++) {
        const price = side === 'bid' ? middle - away : middle + away;
        report('level', price, 500 * away, { side, snapshot: true, last: side === 'ask' && away === 4 });
      }
    report('mark', middle, 0);
  };
  snapshot();
  for (const { what, wait, side, away, size, leap } of drawn) {
    time += wait;
    const price = side === 'bid' ? middle - away : middle + away;
    if (what === 'level') report('level', price, size, { side, last: size % 3 > 0 });
    else if (what === 'trade') report('trade', 2 * middle - price, size + 1, { side });
    else if (what === 'mark') report('mark', middle + away, 0);
    else if (what === 'funding') report('funding', size, (leap / 1e4) * FUNDING_PARTS);
    else if (what === 'settlement') report('settlement', 0, (leap / 1e4) * FUNDING_PARTS);
    else if (what === 'gap') report('gap', 0, 0);
    else {
      middle = Math.round(middle * (1 + leap / 1e4));
      snapshot();
    }
    if (size % 4 === 0) blocks.push(builder.take());
  }
  time += 200 * STAMPS_PER_MILLI;
  snapshot();
  report('settlement', 0, 0.001 * FUNDING_PARTS);
  return [...blocks, builder.take()];
}

const who = fc.nat({ max: DEPOSITS.length - 1 });
const MODES: readonly FillMode[] = ['LIMIT', 'LIMIT', 'LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'];
export const command = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      who,
      market: fc.nat({ max: 1 }),
      side: fc.constantFrom(...SIDES),
      fillMode: fc.constantFrom(...MODES),
      /** Distance from the index, towards the passive side. */
      behind: fc.integer({ min: -4, max: 4 }),
      /** Value of the order as a multiple of the user's deposit. */
      leverage: fc.integer({ min: 5, max: 180 }).map((tenths) => tenths / 10),
      reduceOnly: fc.integer({ min: 0, max: 4 }).map((draw) => draw === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), who, which: fc.nat() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass' as const), span: fc.integer({ min: 1, max: 900 }) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

const MARGINS = { imf: 0.05, cmf: 0.0375, mmf: 0.025 };
const listed = (id: number): ListedMarket => ({
  spec: {
    ...MARGINS,
    id,
    symbol: `M${id}`,
    kind: 'perp',
    baseTokenId: id + 1,
    quoteTokenId: 0,
    priceDecimals: 2,
    sizeDecimals: 1,
  },
  basePrice: BASE / 100,
});

export interface Scenario {
  readonly exchange: Exchange;
  readonly users: readonly AccountId[];
  readonly deposits: readonly number[];
  /** Time of the last row. */
  readonly end: number;
}

export function startScenario(tapes: readonly (readonly Rows[])[], queue: QueueModel): Scenario {
  const recordings = tapes.map((blocks) => {
    const rows = new RowFeed();
    for (const block of blocks) rows.push(block);
    rows.end();
    return { rows, queue };
  });
  const tokens = [{ tokenId: 0, symbol: 'USDT', decimals: 6, mintAddr: '', weightBps: 10_000 }];
  const exchange = new Exchange({ seed: '', start: START, markets: tapes.map((_, id) => listed(id)), recordings, tokens });
  const users = DEPOSITS.map((units, index) => exchange.register(`user ${index}`, micros(units * 1e6)));
  exchange.advanceTo(START);
  const ends = tapes.map((blocks) => blocks.at(-1)!.times[blocks.at(-1)!.count - 1]!);
  return { exchange, users, deposits: DEPOSITS.map((units) => units * 1e6), end: Math.ceil(Math.max(...ends) / STAMPS_PER_MILLI) };
}

/** Advances the exchange, in one call or in many. */
export type Pass = (exchange: Exchange, until: number) => void;

export function applyCommand({ exchange, users }: Scenario, done: Command, pass: Pass): void {
  if (done.kind === 'pass') pass(exchange, exchange.now() + done.span);
  else if (done.kind === 'cancel') {
    const account = users[done.who]!;
    const { orders } = exchange.account(account)!;
    const order = orders[done.which % Math.max(1, orders.length)];
    if (order !== undefined) exchange.cancel({ account, orderId: order.orderId });
  } else {
    const { market, side, fillMode, behind, reduceOnly } = done;
    const index = exchange.live(market)!.index!;
    const price = ticks(passive(side, index, behind));
    const size = lots(Math.ceil((DEPOSITS[done.who]! * done.leverage * 1_000) / index));
    exchange.place({ account: users[done.who]!, market, side, fillMode, price, size, reduceOnly });
  }
}

const passive = (side: Side, from: number, behind: number): number => (side === 'bid' ? from - behind : from + behind);
