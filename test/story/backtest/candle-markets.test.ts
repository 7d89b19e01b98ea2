// Several markets of candles, and data from elsewhere: a market is closed where it has no price of its own, and what is sent then waits for its boundary.
import { expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.ts';
import { defineStrategy, type Params, type Strategy } from '../../../src/bot/strategy/contract.ts';
import { webhook } from '../../../src/bot/strategy/inputs.ts';
import { notesOnClosings } from '../../../src/program/commands/backtest/facts.ts';
import { START, walkTapes } from '../../property/noise/walks.ts';
import { played } from './played.ts';

const [A, B] = ['BTCUSDC', 'BTC2USDC'];
const HALF = MINUTE / 2;

test('a market is shown and traded only at boundaries of its own candles; the result counts the others', async () => {
  const tapes = walkTapes(
    [
      { symbol: A, length: MINUTE },
      { symbol: B, length: MINUTE, phase: HALF },
    ],
    { seed: 'closed', span: 20 * MINUTE },
  );
  const shown = { [A]: new Set<number>(), [B]: new Set<number>() };
  const strategy: Strategy<Params> = defineStrategy({
    name: 'watcher',
    defaults: { market: A, other: B },
    create: () => (view) => {
      for (const [symbol, times] of Object.entries(shown))
        if (view.market(symbol).mid !== undefined) times.add(Math.floor((view.now - 1 - START) / HALF) % 2);
      return [];
    },
  });
  const { closings, turns } = await played(tapes, strategy);
  expect([...shown[A]!, ...shown[B]!]).toEqual([0, 1]);
  expect(closings[0]?.inside).toBeGreaterThan(15);
  expect(closings[0]?.missing).toBe(0);
  expect(notesOnClosings({ closings }, tapes)[0]).toMatch(
    /^BTCUSDC: of \d+ boundaries of candles it was closed at \d+, \d+ times inside of a candle\./,
  );
  expect(turns.flatMap(({ findings }) => findings).map(({ reason }) => reason)).toContain(
    'no order book: no candle of this market begins or ends here',
  );
});

test('a market without a candle is closed at the boundaries of another', async () => {
  const tapes = walkTapes(
    [
      { symbol: A, length: MINUTE },
      { symbol: B, length: MINUTE, missing: 0.6 },
    ],
    { seed: 'lacks', span: 60 * MINUTE },
  );
  const { closings } = await played(tapes, defineStrategy({ name: 'idle', defaults: { market: A, other: B }, create: () => () => [] }));
  expect(closings[0]).toMatchObject({ inside: 0, missing: 0 });
  expect(closings[1]?.missing).toBeGreaterThan(5);
});

test('what is sent because of a value that arrived within a candle is executed at the next boundary', async () => {
  const tapes = walkTapes([{ symbol: A, length: MINUTE }], { seed: 'news', span: 10 * MINUTE });
  const strategy: Strategy<Params> = defineStrategy({
    name: 'news',
    defaults: { market: A },
    inputs: () => ({ news: webhook() }),
    create: () => (view) => (view.input('news') === undefined ? [] : [view.market(A).target({ position: 0.01, maxSlippageBps: 100 })]),
  });
  const { turns } = await played(tapes, strategy, { inputs: { news: [{ at: START + 2.5 * MINUTE, value: 1 }] } });
  const [sent] = turns.filter(({ actions }) => actions.length > 0);
  const [fill] = turns.flatMap(({ fills }) => fills);
  expect(sent?.at).toBe(START + 2.5 * MINUTE);
  expect(fill?.time).toBe(START + 3 * MINUTE);
});

test('a strategy with `every` is called at each candle although another market has none', async () => {
  const tapes = walkTapes(
    [
      { symbol: A, length: MINUTE },
      { symbol: B, length: MINUTE, missing: 0.6 },
    ],
    { seed: 'lacks', span: 60 * MINUTE },
  );
  const called = new Set<number>();
  const strategy: Strategy<Params> = defineStrategy({
    name: 'caller',
    defaults: { market: A, other: B },
    every: '1m',
    create: () => (view) => {
      called.add(Math.floor((view.now - START) / MINUTE));
      return [];
    },
  });
  const { span } = await played(tapes, strategy);
  expect(called.size).toBeGreaterThanOrEqual(Math.floor((span.to - span.from) / MINUTE));
});
