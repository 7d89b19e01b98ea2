// The parts of an import: a sample, evenly spaced times, the rebuilt book, the comparison of best prices, exclusions, settlements.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { SIDES } from '../../../../src/bot/domain/book.ts';
import { BestCheck } from '../../../../src/research/import/checks/best-check.ts';
import { createSample } from '../../../../src/research/import/checks/message-stats.ts';
import { RebuiltBook } from '../../../../src/research/import/checks/rebuilt-book.ts';
import { createRegularity } from '../../../../src/research/import/checks/regularity.ts';
import type { FeedMessage } from '../../../../src/research/import/formats/feed-message.ts';
import { withSettlements } from '../../../../src/research/import/rows/transcribe.ts';
import { createExclusions } from '../../../../src/research/import/rows/transcriber.ts';

describe('a sample', () => {
  property.prop([fc.array(fc.integer(), { minLength: 1, maxLength: 50 })])('is exact while it is small', (values) => {
    const sample = createSample();
    values.forEach(sample.add);
    const sorted = values.toSorted((a, b) => a - b);
    expect(sample.least).toBe(sorted[0]);
    expect(sample.median()).toBe(sorted[(values.length - 1) >> 1]);
  });

  test('is near the median of many more values than it keeps', () => {
    const sample = createSample(64);
    for (let index = 0; index < 100_000; index += 1) sample.add((index * 7_919) % 100_003);
    expect(sample.count).toBe(100_000);
    expect(sample.least).toBe(0);
    expect(Math.abs((sample.median() ?? 0) - 50_000)).toBeLessThan(20_000);
  });

  test('is empty without values', () => {
    expect([createSample().least, createSample().median()]).toEqual([undefined, undefined]);
  });
});

const checked = (stamps: readonly number[]) => {
  const regularity = createRegularity();
  const added = stamps.filter((stamp) => regularity.add(stamp));
  return { added, ...regularity.checks() };
};

describe('regularity', () => {
  test('returns missing times', () => {
    expect(checked([10, 20, 40, 50, 90])).toMatchObject({ count: 5, first: 10, last: 90, missing: 4, missingAt: [30, 60, 70, 80] });
  });

  test('adopts a shorter spacing', () => {
    expect(checked([0, 80, 160, 170, 180, 200])).toMatchObject({ count: 6, missing: 1, missingAt: [190] });
  });

  test('rejects a repeated time', () => {
    expect(checked([10, 20, 20, 30])).toMatchObject({ added: [10, 20, 30], count: 3, missing: 0 });
  });
});

describe('the recorded book', () => {
  const change = fc.record({
    side: fc.constantFrom(...SIDES),
    price: fc.constantFrom(1, 2, 3, 4, 600, 601, 1_200, 5_000),
    size: fc.nat({ max: 2 }),
  });

  property.prop([fc.array(change, { maxLength: 200 })])('has the same best prices as a search through all levels', (changes) => {
    const book = new RebuiltBook();
    const naive = { bid: new Map<number, number>(), ask: new Map<number, number>() };
    for (const { side, price, size } of changes) {
      book.set(side, price, size);
      if (size > 0) naive[side].set(price, size);
      else naive[side].delete(price);
      expect(book.size(side, price)).toBe(size);
      const [bids, asks] = [[...naive.bid.keys()], [...naive.ask.keys()]];
      expect(book.best('bid')).toBe(bids.length === 0 ? undefined : Math.max(...bids));
      expect(book.best('ask')).toBe(asks.length === 0 ? undefined : Math.min(...asks));
      expect(book.crossed).toBe(bids.length > 0 && asks.length > 0 && Math.max(...bids) >= Math.min(...asks));
    }
  });

  test('is empty once cleared', () => {
    const book = new RebuiltBook();
    book.set('bid', 10, 1);
    book.clear();
    expect([book.best('bid'), book.size('bid', 10), [...book.prices('bid')]]).toEqual([undefined, 0, []]);
  });
});

const bookOf = (bid: number, ask: number): RebuiltBook => {
  const book = new RebuiltBook();
  book.set('bid', bid, 5);
  book.set('ask', ask, 5);
  return book;
};

const bestOf = (bid: number, ask: number) => ({ bid: { price: bid, size: 5 }, ask: { price: ask, size: 5 } });

describe('the comparison with the best bid and ask', () => {
  test('compares a book with the newest best bid and ask not beyond it', () => {
    const check = new BestCheck();
    check.quote(bestOf(10, 12), 100);
    check.book(bookOf(10, 12), 105);
    check.quote(bestOf(11, 12), 103); // received after the book, with fewer updates
    check.book(bookOf(11, 12), 108);
    check.quote(bestOf(11, 13), 109);
    expect(check.checks()).toEqual({ compared: 2, equal: 1, share: 0.5 });
  });

  test('waits for a best bid and ask with a higher number, and compares nothing without one', () => {
    const check = new BestCheck();
    check.book(bookOf(10, 12), 90);
    check.quote(bestOf(10, 12), 100);
    check.book(bookOf(10, 12), 105);
    expect(check.checks()).toEqual({ compared: 0, equal: 0, share: undefined });
  });

  test('finds another size, and an empty side', () => {
    const check = new BestCheck();
    check.quote({ bid: { price: 10, size: 4 }, ask: { price: 12, size: 5 } }, 1);
    check.book(bookOf(10, 12), 1);
    check.quote({ bid: undefined, ask: { price: 12, size: 5 } }, 2);
    check.book(bookOf(10, 12), 2);
    check.quote(bestOf(1, 2), 3);
    expect(check.checks()).toMatchObject({ compared: 2, equal: 0 });
  });
});

test('exclusions are counted by reason, with the first as an example', () => {
  const exclusions = createExclusions();
  exclusions.add({ what: 'trade', reason: 'its size is 0', first: 5, example: 'a' });
  exclusions.add({ what: 'trade', reason: 'its size is 0', first: 6, example: 'b' });
  exclusions.add({ what: 'trade', reason: 'no side given', first: 7 });
  expect(exclusions.list()).toEqual([
    { what: 'trade', reason: 'its size is 0', first: 5, example: 'a', count: 2 },
    { what: 'trade', reason: 'no side given', first: 7, count: 1 },
  ]);
});

const settled = (marks: readonly { time: number; due: number; rate: string }[]) => {
  const reported: FeedMessage[] = [];
  const take = withSettlements((one) => reported.push(one));
  for (const mark of marks) take({ kind: 'marks', received: mark.time, ...mark });
  return reported.flatMap((one) => (one.kind === 'settlement' ? [`${one.time} ${one.rate}`] : []));
};

describe('funding is settled', () => {
  test('when a later settlement is announced, at the last announced rate', () => {
    const marks = [
      { time: 10, due: 100, rate: '0.1' },
      { time: 90, due: 100, rate: '0.2' },
      { time: 101, due: 200, rate: '0.3' },
    ];
    expect(settled(marks)).toEqual(['100 0.2']);
  });

  test('but not if it is postponed before its time', () => {
    const marks = [
      { time: 10, due: 100, rate: '0.1' },
      { time: 20, due: 200, rate: '0.1' },
    ];
    expect(settled(marks)).toEqual([]);
  });
});
