// Rows added block by block: in order, used once, and never overtaken.
import { describe, expect, test } from 'vitest';
import { RowFeed } from '../../../../src/embedded/exchange/recorded/recording.ts';
import { BOOK, RecordedExchange, rowsOf, START } from './recorded-exchange.ts';

const stamp = (after: number): number => (START + after) * 1_000;

describe('a feed', () => {
  test('gives its blocks in order, and is used up row by row', () => {
    const feed = new RowFeed();
    expect([feed.rows, feed.next, feed.covers(stamp(-1e9))]).toEqual([undefined, Number.NEGATIVE_INFINITY, false]);
    const [first, second] = [rowsOf(1, 'bid 999@1', 'mark 999'), rowsOf(2, 'mark 1000')];
    feed.push(first);
    feed.push(rowsOf(2));
    feed.push(second);
    expect([feed.rows, feed.at, feed.next, feed.covered]).toEqual([first, 0, stamp(1), stamp(2)]);
    feed.use(1);
    expect([feed.rows, feed.at, feed.next]).toEqual([first, 1, stamp(1)]);
    feed.use(2);
    expect([feed.rows, feed.at, feed.next]).toEqual([second, 0, stamp(2)]);
    feed.use(1);
    expect([feed.rows, feed.next]).toEqual([undefined, stamp(2)]);
    feed.end();
    expect([feed.next, feed.covered]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  test('covers what is before its last row: others may still come at that very time', () => {
    const feed = new RowFeed();
    feed.push(rowsOf(5, 'mark 1000'));
    expect([feed.covers(stamp(4.999)), feed.covers(stamp(5))]).toEqual([true, false]);
    feed.push(rowsOf(5, 'mark 1001'));
    feed.end();
    expect(feed.covers(stamp(1e9))).toBe(true);
  });

  test('takes no row that is older than the last, and none after the end', () => {
    const feed = new RowFeed();
    feed.push(rowsOf(5, 'mark 1000'));
    expect(() => feed.push(rowsOf(4, 'mark 1000'))).toThrow('after one of');
    feed.end();
    expect(() => feed.push(rowsOf(6, 'mark 1000'))).toThrow('rows after the end');
  });
});

describe('exchange time', () => {
  test('never overtakes the rows', () => {
    const recorded = new RecordedExchange();
    recorded.add(1_000, 'mark 1000');
    recorded.exchange.advanceTo(START + 999);
    expect(() => recorded.exchange.advanceTo(START + 1_000)).toThrow('exchange time has overtaken the rows');
    const empty = new RecordedExchange({ recording: { rows: new RowFeed() } });
    expect(() => empty.exchange.advanceTo(START)).toThrow('exchange time has overtaken the rows');
  });

  test('continues after the end of the tape', () => {
    const recorded = new RecordedExchange();
    recorded.play(10 * 60_000);
    expect(recorded.exchange.book(0)).toMatchObject({ bids: { length: 3 }, asks: { length: 3 } });
    expect(BOOK).toHaveLength(7);
  });
});
