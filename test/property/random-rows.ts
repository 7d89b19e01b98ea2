// Random tapes with orders of ours in between, and the fast book dressed as the naive one, so that one hand plays both.
import * as fc from 'fast-check';
import { unreachable } from '../../src/base/assert.ts';
import type { Lots, Ticks } from '../../src/domain/numbers.ts';
import type { FillMode } from '../../src/domain/order.ts';
import { RowBuilder } from '../../src/domain/rows/row-builder.ts';
import { codeOf } from '../../src/domain/rows/rows.ts';
import { opposite, type Side } from '../../src/domain/side.ts';
import type { QueueModel } from '../../src/embedded/recorded/queue.ts';
import { RECORDED_MAKER, RecordedBook, type RecordedBookOptions } from '../../src/embedded/recorded/recorded-fills.ts';
import type { NaiveFill, NaiveOutcome, TapeRow, Wish } from '../naive/recorded-book.ts';

const side = fc.constantFrom<Side>('bid', 'ask');
/** Ticks away from the price at which the sides meet. */
const away: fc.Arbitrary<number> = fc.constantFrom(0, 1, 1, 1, 1, 2, 2, 3, 7);
const size = fc.integer({ min: 0, max: 12 });
/** A recorded total: mostly more than is printed at once. */
const total = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }) });
const last = fc.constantFrom(true, true, false);
/** Stamps pass or stand still. */
const passed = fc.constantFrom(0, 0, 1);

const level = fc.record({ kind: fc.constant('level'), side, away, size: total, last, passed });
/** A name has a place of its own, which it seldom leaves. */
const order = fc
  .record({ kind: fc.constant('order'), name: fc.integer({ min: 1, max: 16 }), strays: fc.nat(9), size, last, passed })
  .map(({ strays, ...row }) => ({
    ...row,
    side: row.name % 2 === 0 ? ('bid' as const) : ('ask' as const),
    away: (row.name % 3) + (strays === 0 ? 1 : 0),
  }));
const clear = fc.record({ kind: fc.constant('clear'), last: fc.constantFrom(false, false, true), passed });
/** The side is that of the makers. */
const trade = fc.record({ kind: fc.constant('trade'), side, away, size: fc.integer({ min: 1, max: 12 }), passed });
/** All prices after it are multiples of this. */
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

/** A tape of levels, with everything that can be done in between. */
export const levels = among(level, between);
/** The same, or one that names orders, with prices that jump. */
export const tape = fc
  .constantFrom<fc.Arbitrary<Command>>(level, order)
  .chain((row) => among(row, [...between, { weight: 1, arbitrary: jump }]));
/** Bids of ours alone, which rest until they are filled, and do not come in the middle of a stamp; recorded bids and asks never meet. */
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

/** What is done to a book. */
export type Deed =
  | { readonly kind: 'report'; readonly row: TapeRow }
  | { readonly kind: 'trade'; readonly side: Side; readonly price: number; readonly size: number; readonly time: number }
  | { readonly kind: 'place'; readonly wish: Wish }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'shrink'; readonly id: number; readonly by: number };

/** Reads commands as deeds, with every size a multiple of `lot`. A command about an order of ours means one of those that rest. */
export function reader(lot: number): (command: Command, resting: readonly number[]) => Deed | undefined {
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
        return { kind: 'place', wish: { ...command, id: ids++, price, size: command.size * lot } };
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
  place(wish: Wish): NaiveOutcome;
  cancel(id: number): void;
  shrink(id: number, by: number): void;
}

/** Gives what an order of ours did at once. */
export function perform(book: AnyBook, deed: Deed): NaiveOutcome | undefined {
  switch (deed.kind) {
    case 'report':
      book.report(deed.row);
      return undefined;
    case 'trade':
      book.trade(deed.side, deed.price, deed.size, deed.time);
      return undefined;
    case 'place':
      return book.place(deed.wish);
    case 'cancel':
      book.cancel(deed.id);
      return undefined;
    case 'shrink':
      book.shrink(deed.id, deed.by);
      return undefined;
    default:
      return unreachable(deed);
  }
}

/** The fast book, spoken to by ids of our own and row by row. */
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

  place({ id, side, mode, price, size }: Wish): NaiveOutcome {
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

  /** Whether it would be placed now. */
  accepts({ side, mode, price, size }: Wish): boolean {
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
