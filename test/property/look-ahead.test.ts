// No look-ahead: two tapes that are equal up to a moment give equal turns up to it.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import type { Params, Strategy } from '../../src/bot/strategy/contract.ts';
import { MARKET, memoryTape, Script, START } from '../story/backtest/memory-tape.ts';
import { played } from '../story/backtest/played.ts';

const SPAN = 60_000;

/** Returns candles with prices from the seed `seed`, and from the seed `after` starting at candle `split`. */
function tape({ seed, after, split, count }: { seed: string; after: string; split: number; count: number }) {
  const script = new Script(0);
  let rng = rngFrom(seed);
  let close = 600_000;
  for (let at = 0; at < count; at++) {
    if (at === split) rng = rngFrom(after);
    const open = close;
    close = open + rng.below(1_201) - 600;
    script.add(at * SPAN, 'open', { price: open, size: SPAN });
    script.add(at * SPAN, 'high', { price: Math.max(open, close) + rng.below(300) });
    script.add(at * SPAN, 'low', { price: Math.min(open, close) - rng.below(300) });
    script.add(at * SPAN, 'close', { price: close, size: 10_000 + rng.below(1_000_000) });
  }
  return memoryTape(script.rows, { books: 'candles', pollMs: SPAN, block: 28 });
}

/** A strategy that is long after a rise and short after a fall of the newest candles. It records everything it sees. */
function follower(every: '1m' | '5m' | undefined) {
  const shown: { readonly at: number; readonly text: string }[] = [];
  const strategy: Strategy<Params> = {
    name: 'follower',
    defaults: { market: MARKET.symbol },
    history: { candles: { '1m': 6, '5m': 1 } },
    ...(every !== undefined && { every }),
    create: () => (view) => {
      const { candles, mid, mark, depth, target, trades } = view.market(MARKET.symbol);
      const [minutes, fives] = [candles(), candles('5m')];
      shown.push({ at: view.now, text: JSON.stringify([minutes.at(-1), minutes.length, fives, mid, mark, depth, trades, view.account]) });
      return [target({ position: minutes.at(-1)!.close > fives.at(-1)!.open ? 0.01 : -0.01 })];
    },
  };
  return { strategy, shown };
}

test('of candles', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        seed: fc.string({ maxLength: 3 }),
        split: fc.integer({ min: 1, max: 29 }),
      }),
      fc.constantFrom(undefined, '1m' as const, '5m' as const),
      async ({ seed, split }, every) => {
        const moment = START + split * SPAN;
        const before = async (after: string): Promise<{ readonly turns: readonly Turn[]; readonly shown: readonly unknown[] }> => {
          const { strategy, shown } = follower(every);
          const { turns } = await played([tape({ seed, after, split, count: 30 })], strategy);
          return { turns: turns.filter(({ at }) => at < moment), shown: shown.filter(({ at }) => at < moment) };
        };
        const [one, other] = [await before('one'), await before('other')];
        expect(one.shown).toEqual(other.shown);
        expect(JSON.stringify(one.turns)).toBe(JSON.stringify(other.turns));
      },
    ),
    { numRuns: 15, seed: 20_261_122 },
  );
});
