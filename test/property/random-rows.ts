// Random tapes with our orders in between, and the fast book with the interface of the reference book.
import * as fc from 'fast-check';
import { unreachable } from '../../src/base/errors.ts';
import { opposite, type Side } from '../../src/bot/domain/book.ts';
import type { Lots, Ticks } from '../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import type { QueueModel } from '../../src/embedded/exchange/recorded/queue.ts';
import { RecordedBook, type RecordedBookOptions } from '../../src/embedded/exchange/recorded/recorded-fills.ts';
import { RECORDED_MAKER } from '../../src/embedded/exchange/recorded/side.ts';
import { RowBuilder } from '../../src/embedded/rows/row-builder.ts';
import { codeOf } from '../../src/embedded/rows/rows.ts';
import type { NaiveFill, NaiveOutcome, OrderRequest, TapeRow } from '../naive/recorded-book.ts';

const side = fc.constantFrom<Side>('bid', 'ask');
/** Ticks from the price between the sides. */
const away: fc.Arbitrary<number> = fc.constantFrom(0, 1, 1, 1, 1, 2, 2, 3, 7);
const size = fc.integer({ min: 0, max: 12 });
/** A recorded total, mostly larger than a print. */
const total = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }) });
const last = fc.constantFrom(true, true, false);
/** Increase of the stamp, often none. */
const passed = fc.constantFrom(0, 0, 1);

const level = fc.record({ kind: fc.constant('level'), side, away, size: total, last, passed });
/** An order id has a usual price, which it seldom leaves. */
const order = fc
  .record({ kind: fc.constant('order'), name: fc.integer({ min: 1, max: 16 }), strays: fc.nat(9), size, last, passed })
  .map(({ strays, ...row }) => ({
    ...row,
    side: row.name % 2 === 0 ? ('bid' as const) : ('ask' as const),
    away: (row.name % 3) + (strays === 0 ? 1 : 0),
  }));
const clear = fc.record({ kind: fc.constant('clear'), last: fc.constantFrom(false, false, true), passed });
/** `side` is the side of the makers. */
const trade = fc.record({ kind: fc.constant('trade'), side, away, size: fc.integer({ min: 1, max: 12 }), passed });
/** All later prices are multiples of `factor`. */
const jump = fc.record({ kind: fc.constant('jump'), factor: fc.constantFrom(1, 7, 1_000, 10_000_000) });
const place = fc.record({
  kind: fc.constant('place'),
  side,
  mode: fc.oneof(
    { weight: 3, arbitrary: fc.constant<FillMode>('LIMIT') },
    { weight: 2, arbitrary: fc.constantFrom<FillMode>('LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL') },
  ),
  away: fc.oneof({ weight: 12, arbitrary: away }, { weight: 1, arbitrary: fc.constant(undefined) }),
  size,
});
const cancel = fc.record({ kind: fc.constant('cancel'), which: fc.nat() });
const shrink = fc.record({ kind: fc.constant('shrink'), which: fc.nat(), by: fc.integer({ min: 1, max: 12 }) });

type Made<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type Command =
  | Made<typeof level>
  | Made<typeof order>
  | Made<typeof clear>
  | Made<typeof trade>
  | Made<typeof jump>
  | Made<typeof place>
  | Made<typeof cancel>
  | Made<typeof shrink>;

const between = [
  { weight: 8, arbitrary: trade },
  { weight: 9, arbitrary: place },
  { weight: 2, arbitrary: cancel },
  { weight: 2, arbitrary: shrink },
  { weight: 1, arbitrary: clear },
] as const;
const among = (row: fc.Arbitrary<Command>, others: readonly fc.WeightedArbitrary<Command>[]): fc.Arbitrary<readonly Command[]> =>
  fc.array(fc.oneof({ weight: 20, arbitrary: row }, ...others), { maxLength: 120, size: 'max' });

/** A tape of levels, with all kinds of operations in between. */
export const levels = among(level, between);
/** A tape of levels or of orders with ids, with jumps of the price. */
export const tape = fc
  .constantFrom<fc.Arbitrary<Command>>(level, order)
  .chain((row) => among(row, [...between, { weight: 1, arbitrary: jump }]));
/** Only our bids: they rest until filled and never arrive within a stamp. Recorded bids and asks never cross. */
export const bids = among(
  level.map((row) => (row.side === 'bid' ? { ...row, away: row.away + 2 } : row)),
  [
    { weight: 8, arbitrary: trade },
    { weight: 9, arbitrary: place.map((command) => ({ ...command, side: 'bid' as const, mode: 'POST_ONLY' as const, passed: 1 })) },
    { weight: 1, arbitrary: clear },
  ],
);

export const model = fc.constantFrom<QueueModel>(
  { kind: 'conservative' },
  { kind: 'probabilistic', power: 1 },
  { kind: 'probabilistic', power: 3 },
  { kind: 'exact' },
);

/** An operation on a book. */
export type BookOperation =
  | { readonly kind: 'report'; readonly row: TapeRow }
  | { readonly kind: 'trade'; readonly side: Side; readonly price: number; readonly size: number; readonly time: number }
  | { readonly kind: 'place'; readonly request: OrderRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'shrink'; readonly id: number; readonly by: number };

/** Returns a function that turns commands into operations, with sizes in multiples of `lot`. A command about an order refers to a resting one. */
export function operationReader(lot: number): (command: Command, resting: readonly number[]) => BookOperation | undefined {
  const nothing = { side: 'bid', price: 0, size: 0, name: 0 } as const;
  let [time, factor, ids] = [0, 1, 0];
  const priceOf = (side: Side, away: number): number => (side === 'bid' ? 100 - away : 100 + away) * factor;
  return (command, resting) => {
    if ('passed' in command) time += command.passed;
    switch (command.kind) {
      case 'jump':
        factor = command.factor;
        return undefined;
      case 'level':
      case 'order':
        return {
          kind: 'report',
          row: { ...nothing, ...command, price: priceOf(command.side, command.away), size: command.size * lot, time },
        };
      case 'clear':
        return { kind: 'report', row: { ...nothing, ...command, time } };
      case 'trade':
        return { ...command, side: opposite(command.side), price: priceOf(command.side, command.away), size: command.size * lot, time };
      case 'place': {
        const price = command.away === undefined ? undefined : priceOf(command.side, command.away);
        return { kind: 'place', request: { ...command, id: ids++, price, size: command.size * lot } };
      }
      case 'cancel':
      case 'shrink': {
        const id = resting[command.which % resting.length];
        if (id === undefined) return undefined;
        return command.kind === 'cancel' ? { kind: 'cancel', id } : { kind: 'shrink', id, by: command.by * lot };
      }
      default:
        return unreachable(command);
    }
  };
}

interface AnyBook {
  report(row: TapeRow): void;
  trade(takerSide: Side, price: number, size: number, time: number): void;
  place(request: OrderRequest): NaiveOutcome;
  cancel(id: number): void;
  shrink(id: number, by: number): void;
}

/** Applies an operation. Returns the immediate outcome of an order. */
export function applyOperation(book: AnyBook, operation: BookOperation): NaiveOutcome | undefined {
  switch (operation.kind) {
    case 'report':
      book.report(operation.row);
      return undefined;
    case 'trade':
      book.trade(operation.side, operation.price, operation.size, operation.time);
      return undefined;
    case 'place':
      return book.place(operation.request);
    case 'cancel':
      book.cancel(operation.id);
      return undefined;
    case 'shrink':
      book.shrink(operation.id, operation.by);
      return undefined;
    default:
      return unreachable(operation);
  }
}

/** The fast book with ids of the test, fed row by row. */
export class FastBook {
  readonly book: RecordedBook;
  readonly #rows = new RowBuilder({ capacity: 1, orders: true });
  readonly #handles = new Map<number, number>();
  readonly #ids = new Map<number, number>();

  constructor(options: RecordedBookOptions) {
    this.book = new RecordedBook(options);
  }

  report({ kind, side, price, size, name, last, time }: TapeRow): void {
    this.#rows.add({ time, lag: 0, code: codeOf(kind, { side, last }), price, size, order: name });
    this.book.follow(this.#rows.take(), 0, 1);
  }

  trade(takerSide: Side, price: number, size: number, time: number): void {
    this.book.trade(takerSide, price as Ticks, size as Lots, time);
  }

  place({ id, side, mode, price, size }: OrderRequest): NaiveOutcome {
    const refusal = this.book.plan(side, mode, size as Lots, price as Ticks | undefined);
    if (refusal !== undefined) return { refusal, fills: [], rests: false };
    const { fills } = this.book;
    const reported = Array.from({ length: fills.count }, (_, index) => ({
      maker: fills.maker(index) === RECORDED_MAKER ? ('recorded' as const) : this.#ids.get(fills.maker(index))!,
      price: fills.price(index),
      size: fills.size(index),
    }));
    const handle = this.book.commit();
    if (handle !== undefined) {
      this.#handles.set(id, handle);
      this.#ids.set(handle, id);
    }
    return { fills: reported, rests: handle !== undefined };
  }

  /** True if the order would be accepted now. */
  accepts({ side, mode, price, size }: OrderRequest): boolean {
    return this.book.plan(side, mode, size as Lots, price as Ticks | undefined) === undefined;
  }

  cancel(id: number): void {
    this.book.cancel(this.#handles.get(id)!);
  }

  shrink(id: number, by: number): void {
    this.book.shrink(this.#handles.get(id)!, by as Lots);
  }

  takeOwnFills(): readonly NaiveFill[] {
    return this.book.takeOwnFills().map(({ handle, ...fill }) => ({ id: this.#ids.get(handle)!, ...fill }));
  }
}
