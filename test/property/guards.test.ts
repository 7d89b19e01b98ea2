// Guards in random situations: the size that a guard leaves passes it, and is the largest that does.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Lots, lots, type Ticks } from '../../src/bot/domain/numbers.ts';
import type { Candidate, Circumstances, Verdict } from '../../src/bot/risk/guard.ts';
import { lotsFor } from '../../src/bot/risk/prices.ts';
import { reduces } from '../../src/bot/world/exposure.ts';
import { circumstancesOf, verdictOf } from '../unit/risk/verdicts.ts';
import { BTC, marketOf } from '../unit/world-builder.ts';
import { SEED, scenes, worldOf } from './random-world.ts';

const OPTIONS = { seed: SEED, numRuns: 400 };
const intents = fc.record({
  bid: fc.boolean(),
  distance: fc.integer({ min: -10_000, max: 3_000 }),
  size: fc.integer({ min: 1, max: 200_000 }),
});

const limits: Readonly<Record<string, object>> = {
  'order-size': { maxNotional: 12_345.678 },
  position: { maxNotional: 60_000 },
  leverage: { max: 2 },
  margin: {},
};

describe.each(Object.keys(limits))('%s', (name) => {
  test('leaves the largest size that passes', () => {
    let shrunk = 0;
    fc.assert(
      fc.property(scenes, intents, (scene, { bid, distance, size }) => {
        const world = worldOf(scene);
        const circumstances = circumstancesOf(world);
        const side = bid ? 'bid' : 'ask';
        const price = Math.max(1, bid ? scene.mid - distance : scene.mid + distance) as Ticks;
        const of = (whole: Lots): Candidate => {
          const reducing = reduces(world.exposure(0), { side, size: lots(size) });
          return { market: BTC, side, price, size: whole, fillMode: 'LIMIT', standing: undefined, reducing };
        };
        const verdict = asked(name, of(lots(size)), circumstances);
        if (verdict.kind !== 'shrink') return;
        expect(verdict.size).toBeLessThan(size);
        if (verdict.size > 0) expect(asked(name, of(verdict.size), circumstances)).toEqual({ kind: 'pass' });
        expect(asked(name, of(lots(verdict.size + 1)), circumstances).kind).toBe('shrink');
        shrunk += 1;
      }),
      OPTIONS,
    );
    expect(shrunk).toBeGreaterThan(50);
  });
});

const asked = (name: string, candidate: Candidate, circumstances: Circumstances): Verdict =>
  verdictOf(name, candidate, { circumstances, limits: limits[name] as Record<string, unknown> });

test('the lots for an amount are the most that it pays for', () => {
  const decimals = fc.nat({ max: 4 });
  const money = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 1e6 }));
  fc.assert(
    fc.property(decimals, decimals, fc.integer({ min: 1, max: 1e7 }), money, (priceDecimals, sizeDecimals, at, notional) => {
      const market = marketOf({ priceDecimals, sizeDecimals });
      const price = at as Ticks;
      const most = lotsFor({ market, price, notional });
      expect(market.notional(price, most) / 1e6).toBeLessThanOrEqual(notional);
      const more = market.notional(price, lots(most + 1)) / 1e6;
      if (priceDecimals + sizeDecimals <= 6) expect(more).toBeGreaterThan(notional);
    }),
    OPTIONS,
  );
});
