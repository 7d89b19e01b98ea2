// The figures of candles: gaps, the share of their volume, and the fills whose order is assumed.
import { expect, test } from 'vitest';
import { lots, ticks } from '../../../src/domain/numbers.ts';
import { CandleCollector } from '../../../src/report/figures/candle-figures.ts';
import { BTC, ETH } from '../world-builder.ts';
import { fillAt, fillsTurn, T0, turn } from './turns.ts';

const MINUTE = 60_000;
const seen = (...minutes: readonly number[]) => {
  const candles = minutes.map((minute) => {
    return {
      start: T0 + minute * MINUTE,
      open: ticks(1_000),
      high: ticks(1_010),
      low: ticks(990),
      close: ticks(1_000),
      volume: lots(100_000),
    };
  });
  return turn({ kind: 'candlesSeen', at: T0, asked: T0, market: 0, candles, span: MINUTE, complete: true });
};

test('candles and gaps are counted, and each fill belongs to its candle', () => {
  const watch = new CandleCollector([BTC, ETH]);
  watch.see(seen(0, 1));
  watch.see(seen(4));
  const fills = [
    fillAt(1_000, 'bid', 99.5, 1),
    fillAt(2_000, 'ask', 100.5, 2),
    fillAt(MINUTE, 'bid', 99, 1),
    fillAt(MINUTE + 5, 'ask', 100, 1, { role: 'taker' }),
    fillAt(2 * MINUTE, 'bid', 99, 1), // in the gap
    fillAt(4 * MINUTE + 1, 'ask', 101.1, 1),
  ];
  expect(watch.figures(fills)).toEqual([
    {
      market: 'BTCUSDC',
      candles: 3,
      gaps: 1,
      lengthMs: MINUTE,
      first: T0,
      last: T0 + 4 * MINUTE,
      fills: 5,
      guessed: 2,
      exits: { guessed: 0, stopFirst: 0 },
      largestShare: 0.3,
      beyond: 1,
    },
  ]);
});

test('candles of a live exchange are not counted', () => {
  const watch = new CandleCollector([BTC]);
  watch.see(turn({ ...seen(0).events[0]!, complete: undefined } as Parameters<typeof turn>[0]));
  expect(watch.figures([])).toEqual([]);
});

test('a take profit in a candle that also reached the stop is assumed, with the loss of the other order', () => {
  const watch = new CandleCollector([BTC]);
  watch.see(seen(0, 1, 2));
  const profit = (minute: number, stop: number, side: 'bid' | 'ask') => {
    const fill = fillAt(minute * MINUTE + 5, side === 'bid' ? 'ask' : 'bid', 100.5, 2);
    const triggered = { exit: 'take-profit', side, price: 100.5, seen: 100.5, stop, at: T0, size: 2, filled: 2, cost: 0, isClosed: true };
    watch.see({ ...fillsTurn(minute * MINUTE + 10, fill), memory: { exits: { BTCUSDC: { triggered } } } });
    return fill;
  };
  const fills = [profit(0, 99, 'bid'), profit(1, 98.9, 'bid'), profit(2, 101, 'ask')];
  expect(watch.figures(fills)[0]?.exits).toEqual({ guessed: 2, stopFirst: 2 * (99 - 100.5) - 2 * (101 - 100.5) });
});
