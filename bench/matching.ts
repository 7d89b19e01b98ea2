// Measures order matching in process: the embedded exchange's order book and a plain one, with the same orders.
import { assert } from '../src/base/errors.ts';
import { rngFrom } from '../src/base/rng.ts';
import type { Side } from '../src/bot/domain/book.ts';
import type { Lots, Ticks } from '../src/bot/domain/numbers.ts';
import { OrderBook } from '../src/embedded/exchange/book/matching.ts';
import { type Bench, contest, times } from './measure.ts';
import { PlainBook } from './plain-book.ts';

const ORDERS = 400_000;
/** Orders a second. */
const AIM = 10e6;

/** Columns of orders: those at even indexes rest, those at odd indexes take. */
interface Orders {
  readonly sides: readonly Side[];
  readonly prices: Int32Array;
  readonly sizes: Int32Array;
}

export const matching: Bench = async () => {
  const orders = drawn();
  assert(throughOurs(new OrderBook(), orders) === throughPlain(new PlainBook(), orders), 'the two books traded different sizes');
  const took = await contest(
    {
      ours: () => {
        const book = new OrderBook();
        return () => throughOurs(book, orders);
      },
      plain: () => {
        const book = new PlainBook();
        return () => throughPlain(book, orders);
      },
    },
    { rounds: 9, calls: 1 },
  );
  const [ours, plain] = [(ORDERS * 1e6) / took.ours.p50, (ORDERS * 1e6) / took.plain.p50];
  return [
    {
      name: 'matching: orders matched in process',
      figure: millions(ours),
      baseline: `objects and a Map ${millions(plain)}`,
      ratio: times(ours / plain),
      aim: `at least ${millions(AIM)}`,
      met: ours >= AIM,
    },
  ];
};

const millions = (perSecond: number): string => `${(perSecond / 1e6).toFixed(1)} M/s`;

/** Draws orders around a random walk, about fifty levels a side, as many takers as resting orders: nearly every order is matched in the end. */
function drawn(): Orders {
  const rng = rngFrom('bench');
  const sides: Side[] = [];
  const [prices, sizes] = [new Int32Array(ORDERS), new Int32Array(ORDERS)];
  let mid = 100_000;
  for (let index = 0; index < ORDERS; index++) {
    mid += 0.3 * rng.normal();
    const side = rng.next() < 0.5 ? 'bid' : 'ask';
    const behind = comesToRest(index) ? Math.min(50, 1 + Math.floor(rng.exponential(8))) : -100;
    sides.push(side);
    prices[index] = Math.round(mid) - (side === 'bid' ? behind : -behind);
    sizes[index] = 1 + rng.below(100);
  }
  return { sides, prices, sizes };
}

const comesToRest = (index: number): boolean => index % 2 === 0;

/** Returns the size that was traded. */
function throughOurs(book: OrderBook, { sides, prices, sizes }: Orders): number {
  let traded = 0;
  for (let index = 0; index < ORDERS; index++) {
    const mode = comesToRest(index) ? 'LIMIT' : 'IMMEDIATE_OR_CANCEL';
    const refusal = book.plan(sides[index]!, mode, sizes[index]! as Lots, prices[index]! as Ticks);
    if (refusal !== undefined) continue;
    traded += book.fills.total;
    book.commit();
  }
  return traded;
}

function throughPlain(book: PlainBook, { sides, prices, sizes }: Orders): number {
  let traded = 0;
  for (let index = 0; index < ORDERS; index++) {
    const order = { id: index, side: sides[index]!, price: prices[index]!, size: sizes[index]! };
    for (const { size } of book.place(order, { rests: comesToRest(index) })) traded += size;
  }
  return traded;
}
