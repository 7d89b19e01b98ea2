// Two turns want the same when every part of what they want is the same.
import { describe, expect, test } from 'vitest';
import type { Level } from '../../../src/domain/book.ts';
import type { Quote, Target } from '../../../src/domain/intent.ts';
import { lots, ticks } from '../../../src/domain/numbers.ts';
import { sameIntents } from '../../../src/engine/same.ts';

const level = (price: number, size: number): Level => ({ price: ticks(price), size: lots(size) });
const quote = (part: Partial<Quote> = {}): Quote => ({
  kind: 'quote',
  market: 0,
  bids: [level(99, 1), level(98, 1)],
  asks: [level(101, 1)],
  slack: ticks(2),
  fillMode: 'POST_ONLY',
  ...part,
});
const target = (part: Partial<Target> = {}): Target => ({ kind: 'target', market: 0, position: lots(5), limit: ticks(100), ...part });

test('what says the same is the same, whoever made it', () => {
  expect(sameIntents([], [])).toBe(true);
  expect(sameIntents([quote(), target({ market: 1 })], [quote(), target({ market: 1 })])).toBe(true);
});

describe('it is another want', () => {
  test.each<[string, Partial<Quote>]>([
    ['market', { market: 1 }],
    ['slack', { slack: ticks(3) }],
    ['fill mode', { fillMode: 'LIMIT' }],
    ['price of a bid', { bids: [level(99, 1), level(97, 1)] }],
    ['size of a bid', { bids: [level(99, 1), level(98, 2)] }],
    ['number of bids', { bids: [level(99, 1)] }],
    ['price of an ask', { asks: [level(102, 1)] }],
    ['number of asks', { asks: [] }],
  ])('with another %s', (_, part) => {
    expect(sameIntents([quote()], [quote(part)])).toBe(false);
    expect(sameIntents([quote(part)], [quote()])).toBe(false);
  });

  test.each<[string, Partial<Target>]>([
    ['market', { market: 1 }],
    ['position', { position: lots(6) }],
    ['limit', { limit: ticks(99) }],
  ])('with another %s of a target', (_, part) => expect(sameIntents([target()], [target(part)])).toBe(false));

  test('where one is a quote and the other a target, or there are more', () => {
    expect(sameIntents([quote()], [target()])).toBe(false);
    expect(sameIntents([target()], [quote()])).toBe(false);
    expect(sameIntents([quote()], [quote(), target({ market: 1 })])).toBe(false);
    expect(sameIntents([quote(), target({ market: 1 })], [quote()])).toBe(false);
  });
});
