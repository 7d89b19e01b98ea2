// A market fitted to a recording of another embedded market is near to it.
import { expect, test } from 'vitest';
import { regimeWith } from '../../../src/embedded/exchange/traders/market-rules.ts';
import { fitMarket, simulate } from '../../../src/research/facts/fit.ts';
import { factsOf } from '../../../src/research/facts/stylised-facts.ts';

const FROM = Date.UTC(2026, 0, 5, 9);
const PLANTED = { volatility: 1.4, takers: { perSecond: 0.25, leastNotional: 90 }, book: { best: 2 } };

/** The relative difference of two values. */
const factor = (one: number | undefined, other: number | undefined): number => Math.exp(Math.abs(Math.log(one! / other!)));

test('fits a market that is more volatile and thinner than the default', async () => {
  const recording = await simulate(PLANTED, { seed: 'planted', from: FROM, spanMs: 300_000 });
  const fit = await fitMarket({ ...recording, from: FROM }, { seed: 'fit', rounds: 5, spanMs: 300_000 });
  const [aim, found] = [factsOf(recording.seen), factsOf(fit!.seen)];
  expect(factor(found.returns[10]?.deviation, aim.returns[10]?.deviation)).toBeLessThan(1.5);
  expect(factor(found.tradesPerSecond, aim.tradesPerSecond)).toBeLessThan(1.8);
  expect(fit!.rules.volatility).toBeGreaterThan(0.8);
  expect(fit!.rules.takers?.perSecond).toBeLessThan(0.5);
  expect(regimeWith(fit!.rules)).toBeDefined();
});

test('a recording that is too short has no fit', async () => {
  const recording = await simulate({}, { seed: 'short', from: FROM, spanMs: 60_000 });
  expect(await fitMarket({ ...recording, from: FROM }, { seed: 'fit', rounds: 1, spanMs: 60_000 })).toBeUndefined();
});
