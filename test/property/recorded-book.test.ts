// The book that follows a recording equals the reference book and never fills more than the recording supports.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crosses, opposite, SIDES, type Side } from '../../src/bot/domain/book.ts';
import { NaiveMatcher } from '../naive/matcher.ts';
import { NaiveRecordedBook } from '../naive/recorded-book.ts';
import { applyOperation, bids, FastBook, levels, model, operationReader, tape } from './random-rows.ts';

const SEED = 20260301;
const sum = (sizes: readonly { readonly size: number }[]): number => sizes.reduce((total, { size }) => total + size, 0);

test('the fast book equals the reference book, with prices that leave a window of eight ticks', () => {
  fc.assert(
    fc.property(model, tape, fc.constantFrom(1, 100_000_000_000), fc.constantFrom(3, 50), (queue, commands, lot, depth) => {
      const [fast, naive, read] = [new FastBook({ queue, depth, window: 8 }), new NaiveRecordedBook(queue), operationReader(lot)];
      for (const command of commands) {
        const operation = read(command, naive.resting);
        if (operation === undefined) continue;
        const reported = {
          did: applyOperation(fast, operation),
          fills: fast.takeOwnFills(),
          bids: fast.book.levels('bid'),
          asks: fast.book.levels('ask'),
        };
        const did = applyOperation(naive, operation);
        const [bids, asks] = [naive.levels('bid', depth), naive.levels('ask', depth)];
        expect(reported).toEqual({ did, fills: naive.takeOwnFills(), bids, asks });
        expect([fast.book.best('bid'), fast.book.best('ask')]).toEqual([bids[0]?.price, asks[0]?.price]);
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});

describe('the limits of a recording', () => {
  test('a print fills at most its size at prices it reached, a row at most the resting size, once', () => {
    fc.assert(
      fc.property(model, levels, (queue, commands) => {
        const [book, read] = [new FastBook({ queue }), operationReader(1)];
        const sides: Side[] = [];
        const reported = { bid: 0, ask: 0 };
        for (const command of commands) {
          const operation = read(command, []);
          if (operation === undefined) continue;
          const outcome = applyOperation(book, operation);
          const fills = book.takeOwnFills();
          if (operation.kind === 'place') {
            sides[operation.request.id] = operation.request.side;
            reported[opposite(operation.request.side)] -= sum(outcome!.fills.filter(({ maker }) => maker === 'recorded'));
          }
          if (operation.kind === 'trade') {
            const maker = opposite(operation.side);
            expect(sum(fills)).toBeLessThanOrEqual(operation.size);
            expect(fills.filter(({ id, price }) => sides[id] !== maker || !crosses(maker, price, operation.price))).toEqual([]);
          }
          if (operation.kind === 'report') {
            reported[operation.row.side] += operation.row.size;
            for (const { id, size } of fills) reported[opposite(sides[id]!)] -= size;
          }
          for (const side of SIDES) expect(reported[side]).toBeGreaterThanOrEqual(0);
        }
      }),
      { seed: SEED, numRuns: 250 },
    );
  });

  const change = fc.record({ kind: fc.constantFrom('level', 'trade'), size: fc.integer({ min: 1, max: 30 }) });

  test('an order is filled only after everything ahead of it was printed or removed', () => {
    fc.assert(
      fc.property(
        model,
        fc.nat(30),
        fc.integer({ min: 1, max: 40 }),
        fc.array(change, { maxLength: 60, size: 'max' }),
        (queue, before, size, changes) => {
          const book = new FastBook({ queue });
          const row = { kind: 'level', side: 'bid', price: 100, size: before, name: 0, last: true, time: 0 } as const;
          book.report(row);
          book.place({ id: 0, side: 'bid', mode: 'POST_ONLY', price: 100, size });
          let [printed, fallen, filled, rests, least] = [0, 0, 0, before, before];
          for (const [index, { kind, size: reported }] of changes.entries()) {
            if (kind === 'trade') {
              book.trade('ask', 100, reported, index + 1);
              printed += reported;
            } else {
              book.report({ ...row, size: reported, time: index + 1 });
              fallen += Math.max(0, rests - reported);
              [rests, least] = [reported, Math.min(least, reported)];
            }
            filled += sum(book.takeOwnFills());
            expect(filled).toBeLessThanOrEqual(Math.max(0, printed - Math.max(0, before - fallen)));
            // As long as the resting size is at least the size ahead, only prints have advanced a conservative order.
            if (queue.kind === 'conservative' && least === before) expect(filled).toBe(Math.min(size, Math.max(0, printed - before)));
          }
        },
      ),
      { seed: SEED, numRuns: 250 },
    );
  });
});

test('the conservative model fills no order earlier or more than the probabilistic one', () => {
  fc.assert(
    fc.property(bids, fc.constantFrom(0.5, 1, 3), (commands, power) => {
      const [careful, hopeful] = [
        new FastBook({ queue: { kind: 'conservative' } }),
        new FastBook({ queue: { kind: 'probabilistic', power } }),
      ];
      const [left, hopefulLeft] = [new Map<number, number>(), new Map<number, number>()];
      const read = operationReader(1);
      for (const command of commands) {
        const operation = read(command, [...left.keys()]);
        if (operation === undefined) continue;
        if (operation.kind === 'place') {
          if (![careful, hopeful].every((book) => book.accepts(operation.request))) continue;
          for (const orders of [left, hopefulLeft]) orders.set(operation.request.id, operation.request.size);
        }
        applyOperation(careful, operation);
        if (operation.kind !== 'cancel' || hopefulLeft.has(operation.id)) applyOperation(hopeful, operation);
        if (operation.kind === 'cancel') for (const orders of [left, hopefulLeft]) orders.delete(operation.id);
        for (const [book, orders] of [[careful, left] as const, [hopeful, hopefulLeft] as const]) {
          for (const { id, size } of book.takeOwnFills()) {
            if (orders.get(id) === size) orders.delete(id);
            else orders.set(id, orders.get(id)! - size);
          }
        }
        expect([...hopefulLeft].filter(([id, size]) => size > (left.get(id) ?? 0))).toEqual([]);
      }
    }),
    { seed: SEED, numRuns: 250 },
  );
});

test('the exact model fills one order as the matching engine does, the conservative one no more', () => {
  const operation = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), size: fc.integer({ min: 1, max: 9 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), which: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('sell'), size: fc.integer({ min: 1, max: 20 }), rowsFirst: fc.boolean() }) },
  );
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 60, size: 'max' }),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      (operations, turn, size) => {
        // The same other orders twice: with our order among them, and as recorded without it.
        const [withUs, recorded] = [new NaiveMatcher(), new NaiveMatcher()];
        const [exact, careful] = [new FastBook({ queue: { kind: 'exact' } }), new FastBook({ queue: { kind: 'conservative' } })];
        const ours = { id: turn - 0.5, side: 'bid', mode: 'LIMIT', price: 100, size } as const; // a lower id means an earlier order
        const sizes = new Map<number, number>();
        const filled = { truly: 0, exactly: 0, carefully: 0 };
        for (const [time, operation] of operations.entries()) {
          const row = { side: 'bid', price: 100, last: true, time } as const;
          const report = (changes: readonly { readonly maker: number; readonly size: number }[]): void => {
            for (const { maker, size } of changes) {
              sizes.set(maker, size);
              exact.report({ ...row, kind: 'order', name: maker, size });
            }
            careful.report({ ...row, kind: 'level', name: 0, size: recorded.levels('bid')[0]?.size ?? 0 });
          };
          if (time === turn) for (const book of [withUs, exact, careful]) book.place(ours);
          if (operation.kind === 'add') {
            for (const engine of [withUs, recorded]) engine.place({ ...ours, id: time, size: operation.size });
            report([{ maker: time, size: operation.size }]);
          } else if (operation.kind === 'cancel') {
            const victim = recorded.resting[operation.which % recorded.resting.length];
            if (victim === undefined) continue;
            for (const engine of [withUs, recorded]) engine.cancel(victim);
            report([{ maker: victim, size: 0 }]);
          } else {
            const order = { id: time, side: 'ask', mode: 'FILL_OR_KILL', price: 100, size: operation.size } as const;
            const makers = recorded.place(order).fills;
            if (makers.length === 0) continue;
            filled.truly += sum(withUs.place(order).fills.filter(({ maker }) => maker === ours.id));
            const changes = makers.map(({ maker, size }) => ({ maker, size: sizes.get(maker)! - size }));
            if (operation.rowsFirst) report(changes);
            for (const { size } of makers) for (const book of [exact, careful]) book.trade('ask', 100, size, time);
            if (!operation.rowsFirst) report(changes);
            filled.exactly += sum(exact.takeOwnFills());
            filled.carefully += sum(careful.takeOwnFills());
          }
          expect(filled.exactly).toBe(filled.truly);
          expect(filled.carefully).toBeLessThanOrEqual(filled.truly);
        }
      },
    ),
    { seed: SEED, numRuns: 250 },
  );
});
