// The book that follows a recording: it does as the naive one does, and never more than the recording can answer for.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crosses, opposite, SIDES, type Side } from '../../src/domain/side.ts';
import { NaiveMatcher } from '../naive/matcher.ts';
import { NaiveRecordedBook } from '../naive/recorded-book.ts';
import { bids, FastBook, levels, model, perform, reader, tape } from './random-rows.ts';

const SEED = 20260301;
const sum = (sizes: readonly { readonly size: number }[]): number => sizes.reduce((total, { size }) => total + size, 0);

test('fast book = naive book, with prices that jump out of a window of eight ticks', () => {
  fc.assert(
    fc.property(model, tape, fc.constantFrom(1, 100_000_000_000), fc.constantFrom(3, 50), (queue, commands, lot, depth) => {
      const [fast, naive, read] = [new FastBook({ queue, depth, window: 8 }), new NaiveRecordedBook(queue), reader(lot)];
      for (const command of commands) {
        const deed = read(command, naive.resting);
        if (deed === undefined) continue;
        const reported = {
          did: perform(fast, deed),
          fills: fast.takeOwnFills(),
          bids: fast.book.levels('bid'),
          asks: fast.book.levels('ask'),
        };
        const did = perform(naive, deed);
        const [bids, asks] = [naive.levels('bid', depth), naive.levels('ask', depth)];
        expect(reported).toEqual({ did, fills: naive.takeOwnFills(), bids, asks });
        expect([fast.book.best('bid'), fast.book.best('ask')]).toEqual([bids[0]?.price, asks[0]?.price]);
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});

describe('what a recording answers for', () => {
  test('a print fills no more than its size, at prices it reached, and a row no more than was reported to rest, once', () => {
    fc.assert(
      fc.property(model, levels, (queue, commands) => {
        const [book, read] = [new FastBook({ queue }), reader(1)];
        const sides: Side[] = [];
        const reported = { bid: 0, ask: 0 };
        for (const command of commands) {
          const deed = read(command, []);
          if (deed === undefined) continue;
          const outcome = perform(book, deed);
          const fills = book.takeOwnFills();
          if (deed.kind === 'place') {
            sides[deed.wish.id] = deed.wish.side;
            reported[opposite(deed.wish.side)] -= sum(outcome!.fills.filter(({ maker }) => maker === 'recorded'));
          }
          if (deed.kind === 'trade') {
            const maker = opposite(deed.side);
            expect(sum(fills)).toBeLessThanOrEqual(deed.size);
            expect(fills.filter(({ id, price }) => sides[id] !== maker || !crosses(maker, price, deed.price))).toEqual([]);
          }
          if (deed.kind === 'report') {
            reported[deed.row.side] += deed.row.size;
            for (const { id, size } of fills) reported[opposite(sides[id]!)] -= size;
          }
          for (const side of SIDES) expect(reported[side]).toBeGreaterThanOrEqual(0);
        }
      }),
      { seed: SEED, numRuns: 250 },
    );
  });

  const change = fc.record({ kind: fc.constantFrom('level', 'trade'), size: fc.integer({ min: 1, max: 30 }) });

  test('what was ahead of an order is printed or has left before a lot of it is filled', () => {
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
            // While no less rests than was ahead, nothing but prints has moved an order that counts on nothing else.
            if (queue.kind === 'conservative' && least === before) expect(filled).toBe(Math.min(size, Math.max(0, printed - before)));
          }
        },
      ),
      { seed: SEED, numRuns: 250 },
    );
  });
});

test('the conservative model fills no order earlier than the probabilistic one, nor more of it', () => {
  fc.assert(
    fc.property(bids, fc.constantFrom(0.5, 1, 3), (commands, power) => {
      const [careful, hopeful] = [
        new FastBook({ queue: { kind: 'conservative' } }),
        new FastBook({ queue: { kind: 'probabilistic', power } }),
      ];
      const [left, hopefulLeft] = [new Map<number, number>(), new Map<number, number>()];
      const read = reader(1);
      for (const command of commands) {
        const deed = read(command, [...left.keys()]);
        if (deed === undefined) continue;
        if (deed.kind === 'place') {
          if (![careful, hopeful].every((book) => book.accepts(deed.wish))) continue;
          for (const orders of [left, hopefulLeft]) orders.set(deed.wish.id, deed.wish.size);
        }
        perform(careful, deed);
        if (deed.kind !== 'cancel' || hopefulLeft.has(deed.id)) perform(hopeful, deed);
        if (deed.kind === 'cancel') for (const orders of [left, hopefulLeft]) orders.delete(deed.id);
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

test('of one order, the exact model fills what the matching engine would have filled, and the conservative one no more', () => {
  const deed = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), size: fc.integer({ min: 1, max: 9 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), which: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('sell'), size: fc.integer({ min: 1, max: 20 }), rowsFirst: fc.boolean() }) },
  );
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 60, size: 'max' }), fc.nat(20), fc.integer({ min: 1, max: 20 }), (deeds, turn, size) => {
      // The same others twice: with us among them, and as they were recorded without.
      const [withUs, recorded] = [new NaiveMatcher(), new NaiveMatcher()];
      const [exact, careful] = [new FastBook({ queue: { kind: 'exact' } }), new FastBook({ queue: { kind: 'conservative' } })];
      const ours = { id: turn - 0.5, side: 'bid', mode: 'LIMIT', price: 100, size } as const; // The engine takes the lower id for the earlier order.
      const sizes = new Map<number, number>();
      const filled = { truly: 0, exactly: 0, carefully: 0 };
      for (const [time, deed] of deeds.entries()) {
        const row = { side: 'bid', price: 100, last: true, time } as const;
        const report = (changes: readonly { readonly maker: number; readonly size: number }[]): void => {
          for (const { maker, size } of changes) {
            sizes.set(maker, size);
            exact.report({ ...row, kind: 'order', name: maker, size });
          }
          careful.report({ ...row, kind: 'level', name: 0, size: recorded.levels('bid')[0]?.size ?? 0 });
        };
        if (time === turn) for (const book of [withUs, exact, careful]) book.place(ours);
        if (deed.kind === 'add') {
          for (const engine of [withUs, recorded]) engine.place({ ...ours, id: time, size: deed.size });
          report([{ maker: time, size: deed.size }]);
        } else if (deed.kind === 'cancel') {
          const victim = recorded.resting[deed.which % recorded.resting.length];
          if (victim === undefined) continue;
          for (const engine of [withUs, recorded]) engine.cancel(victim);
          report([{ maker: victim, size: 0 }]);
        } else {
          const order = { id: time, side: 'ask', mode: 'FILL_OR_KILL', price: 100, size: deed.size } as const;
          const makers = recorded.place(order).fills;
          if (makers.length === 0) continue;
          filled.truly += sum(withUs.place(order).fills.filter(({ maker }) => maker === ours.id));
          const changes = makers.map(({ maker, size }) => ({ maker, size: sizes.get(maker)! - size }));
          if (deed.rowsFirst) report(changes);
          for (const { size } of makers) for (const book of [exact, careful]) book.trade('ask', 100, size, time);
          if (!deed.rowsFirst) report(changes);
          filled.exactly += sum(exact.takeOwnFills());
          filled.carefully += sum(careful.takeOwnFills());
        }
        expect(filled.exactly).toBe(filled.truly);
        expect(filled.carefully).toBeLessThanOrEqual(filled.truly);
      }
    }),
    { seed: SEED, numRuns: 250 },
  );
});
