// Thinning of points for drawing, which keeps the extremes; and spans of resting orders.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { thin } from '../../../src/research/report/charts/charts.ts';
import { restingSpans } from '../../../src/research/report/charts/resting-spans.ts';
import { RestingTimes } from '../../../src/research/report/figures/trades/resting-times.ts';
import { BTC } from '../world-builder.ts';
import { orderOf } from './turns.ts';

describe('thinning', () => {
  const number = fc.oneof({ weight: 9, arbitrary: fc.double({ min: -1e6, max: 1e6 }) }, { weight: 1, arbitrary: fc.constant(NaN) });
  const column = fc.array(number, { minLength: 30, maxLength: 400 });

  property.prop([column, fc.integer({ min: 3, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true })])(
    'keeps the extremes, the ends and the order, in few points',
    (values, points, skew) => {
      const times = Float64Array.from(values, (_, i) => i ** (1 + skew));
      const other = Float64Array.from(values, (value, i) => value * (i % 2 === 0 ? 1 : -1));
      const columns = [Float64Array.from(values), other];
      const rows = thin(times, columns, points);
      expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
      expect([rows[0], rows.at(-1)]).toEqual([0, values.length - 1]);
      if (values.length > points) expect(rows.length).toBeLessThanOrEqual(Math.max(points, 5) + 1);
      for (const each of columns) {
        const [all, kept] = [each, rows.map((row) => each[row]!)].map((list) => [...list].filter((value) => !Number.isNaN(value)));
        if (all!.length === 0) continue;
        expect([Math.min(...kept!), Math.max(...kept!)]).toEqual([Math.min(...all!), Math.max(...all!)]);
      }
    },
  );

  test('does not change a small number of points', () => {
    expect(thin(Float64Array.of(1, 2, 3), [Float64Array.of(5, 5, 5)])).toEqual([0, 1, 2]);
    expect(thin(new Float64Array(), [])).toEqual([]);
  });
});

/** Ten moments: 5, 15, … 95. */
const spans = (restingTimes: RestingTimes) => restingSpans(restingTimes, { market: BTC, from: 0, to: 100, moments: 10 });
const rested = (...orders: readonly (readonly [id: string, side: 'bid' | 'ask', price: number, from: number, to?: number])[]) => {
  const restingTimes = new RestingTimes();
  for (const [id, side, price, from, to] of orders) {
    restingTimes.changed({ order: orderOf(id, side, price), status: 'open' }, from);
    if (to !== undefined) restingTimes.changed({ order: orderOf(id, side, price), status: 'cancelled' }, to);
  }
  return restingTimes;
};

describe('resting orders', () => {
  test('are drawn at the moments at which they rested', () => {
    expect(spans(rested(['a', 'bid', 100, 12, 36], ['b', 'ask', 101, 80]))).toEqual([
      { from: 10, to: 40, price: 100, side: 'bid' },
      { from: 80, to: 100, price: 101, side: 'ask' },
    ]);
  });

  test('that ended before the next moment are not drawn', () => {
    expect(spans(rested(['a', 'bid', 100, 16, 25]))).toEqual([]);
  });

  test('that followed each other at one price are one span', () => {
    expect(
      spans(rested(['a', 'bid', 100, 0, 20], ['b', 'bid', 100, 21, 40], ['c', 'ask', 100, 30, 40], ['d', 'bid', 100, 70, 80])),
    ).toEqual([
      { from: 0, to: 40, price: 100, side: 'bid' },
      { from: 30, to: 40, price: 100, side: 'ask' },
      { from: 70, to: 80, price: 100, side: 'bid' },
    ]);
  });

  test('are at most as many as the moments, whatever the number of orders', () => {
    const restingTimes = new RestingTimes();
    for (let i = 0; i < 5_000; i++) {
      const order = orderOf(String(i), 'bid', 100 + (i % 50));
      restingTimes.changed({ order, status: 'open' }, i / 50);
      restingTimes.changed({ order, status: 'filled' }, (i + 1) / 50);
    }
    expect(spans(restingTimes).length).toBeLessThanOrEqual(10);
  });
});
