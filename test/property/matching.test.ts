// The matching engine equals the reference implementation for every sequence of orders and cancels.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SIDES, type Side } from '../../src/bot/domain/book.ts';
import type { Lots, Ticks } from '../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import { OrderBook } from '../../src/embedded/exchange/book/matching.ts';
import { NaiveMatcher, type NaiveOutcome } from '../naive/matcher.ts';

const MODES: readonly FillMode[] = ['LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'];

const order = fc.record({
  kind: fc.constant('place' as const),
  side: fc.constantFrom(...SIDES),
  mode: fc.oneof({ weight: 3, arbitrary: fc.constant<FillMode>('LIMIT') }, { weight: 2, arbitrary: fc.constantFrom(...MODES) }),
  price: fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 95, max: 105 }) }, { weight: 1, arbitrary: fc.constant(undefined) }),
  size: fc.integer({ min: 0, max: 12 }),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() });
const command = fc.oneof({ weight: 4, arbitrary: order }, { weight: 1, arbitrary: cancel });

/** The fast book with ids of the test. */
class Named {
  readonly book = new OrderBook();
  readonly #handles = new Map<number, number>();
  readonly #names = new Map<number, number>();

  place(id: number, { side, mode, price, size }: { side: Side; mode: FillMode; price: number | undefined; size: number }): NaiveOutcome {
    const refusal = this.book.plan(side, mode, size as Lots, price as Ticks | undefined);
    if (refusal !== undefined) return { refusal, fills: [], rests: false };
    const { fills } = this.book;
    const reported = Array.from({ length: fills.count }, (_, index) => ({
      maker: this.#names.get(fills.maker(index))!,
      price: fills.price(index),
      size: fills.size(index),
    }));
    const handle = this.book.commit();
    if (handle !== undefined) {
      this.#handles.set(id, handle);
      this.#names.set(handle, id);
    }
    return { fills: reported, rests: handle !== undefined };
  }

  cancel(id: number): void {
    this.book.cancel(this.#handles.get(id)!);
  }
}

test('the fast book equals the reference book', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 120 }), (commands) => {
      const [fast, naive] = [new Named(), new NaiveMatcher()];
      for (const [id, command] of commands.entries()) {
        if (command.kind === 'place') expect(fast.place(id, command)).toEqual(naive.place({ id, ...command }));
        else if (naive.resting.length > 0) {
          const victim = naive.resting[command.which % naive.resting.length]!;
          fast.cancel(victim);
          naive.cancel(victim);
        }
        for (const side of SIDES) expect(fast.book.levels(side)).toEqual(naive.levels(side));
        for (const side of SIDES) expect(fast.book.best(side)).toBe(naive.levels(side)[0]?.price);
      }
    }),
    { seed: 20260101, numRuns: 300 },
  );
});

test('every order is found after the pools have grown', () => {
  const [fast, naive] = [new Named(), new NaiveMatcher()];
  for (let id = 0; id < 2_500; id++) {
    const order = { side: 'bid', mode: 'LIMIT', price: 1 + ((id * 7) % 1_301), size: 1 + (id % 3) } as const;
    expect(fast.place(id, order)).toEqual(naive.place({ id, ...order }));
  }
  expect(fast.book.levels('bid')).toEqual(naive.levels('bid'));
  const sweep = { side: 'ask', mode: 'FILL_OR_KILL', price: undefined, size: 4_000 } as const;
  expect(fast.place(2_500, sweep)).toEqual(naive.place({ id: 2_500, ...sweep }));
  expect(fast.book.levels('bid')).toEqual(naive.levels('bid'));
});
