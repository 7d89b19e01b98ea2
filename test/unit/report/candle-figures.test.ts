// The figures of candles: gaps, the share of their volume, and the fills whose order is assumed.
import { expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { CandleCollector } from '../../../src/research/report/figures/candle-figures.ts';
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
      exits: { guessed: 0, otherwise: 0, trails: 0 },
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

test('an exit in a candle that also reached the other one is assumed, with the change of the other order', () => {
  const watch = new CandleCollector([BTC]);
  watch.see(seen(0, 1, 2));
  const exited = (minute: number, { exit, price, other, side }: { exit: string; price: number; other: number; side: 'bid' | 'ask' }) => {
    const fill = fillAt(minute * MINUTE + 5, side === 'bid' ? 'ask' : 'bid', price, 2);
    const triggered = { exit, side, price, seen: price, other, at: T0, size: 2, filled: 2, cost: 0, isClosed: true };
    watch.see({ ...fillsTurn(minute * MINUTE + 10, fill), memory: { exits: { BTCUSDC: { triggered } } } });
    return fill;
  };
  const fills = [
    exited(0, { exit: 'stop-loss', price: 99.5, other: 100.5, side: 'bid' }),
    exited(1, { exit: 'stop-loss', price: 99.5, other: 101.1, side: 'bid' }), // the candle did not reach the take profit
    exited(2, { exit: 'take-profit', price: 99.5, other: 100.5, side: 'ask' }),
  ];
  expect(watch.figures(fills)[0]?.exits).toEqual({ guessed: 2, otherwise: 2 * (100.5 - 99.5) - 2 * (100.5 - 99.5), trails: 0 });
});

test('a candle that leaves open whether a trailing stop was reached is counted once', () => {
  const watch = new CandleCollector([BTC]);
  watch.see(seen(0, 1, 2));
  for (const unclear of [1, 1, 2, undefined, 1])
    watch.see({ ...fillsTurn(5), memory: { exits: { BTCUSDC: { position: { ...(unclear !== undefined && { unclear }) } } } } });
  expect(watch.figures([])[0]?.exits.trails).toBe(3);
});
