// The simulation with failing streams: the bot uses books from frames, and no invariant is violated.
import { expect, test } from 'vitest';
import { NO_FIGURES, type SimulationFigures, sumOf } from '../../../src/research/simulation/figures.ts';
import { type ExchangeName, streamKindsOf } from '../../../src/research/simulation/plan/faults-by-exchange.ts';
import { type Options, optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';
import { play } from '../../../src/research/simulation/play.ts';
import { builtIn } from './subjects.ts';

const asked = (seed: string, profile: 'calm' | 'smoke' | 'swarm') => ({ seed, profile, strategy: 'grid' });
const ON_HOSTED = ['lines-1', 'lines-2', 'lines-3', 'lines-5', 'lines-6', 'lines-7', 'lines-8'];
const ON_HYPERLIQUID = ['lines-1', 'lines-2', 'lines-3', 'lines-4'];

/** A short run in which every kind of stream fault happens often, and nothing else. */
function harsh(seed: string, exchange: ExchangeName): Options {
  const options = optionsOf({ ...asked(seed, 'smoke'), exchange, streams: true });
  return { ...options, faultyMs: 120_000, faults: { kinds: streamKindsOf(exchange), anHour: 80 } };
}

test.each([
  { exchange: 'hosted', seeds: ON_HOSTED },
  { exchange: 'hyperliquid', seeds: ON_HYPERLIQUID },
] as const)(
  'over failing connections to $exchange no invariant is violated, and books from frames are used',
  async ({ exchange, seeds }) => {
    let figures: SimulationFigures = NO_FIGURES;
    for (const seed of seeds) {
      const options = harsh(seed, exchange);
      const { violation, timeline, figures: own } = await play({ ...(await builtIn('grid')), options, plan: planOf(options) });
      expect(violation && [violation.invariant, violation.message, ...timeline].join('\n')).toBeUndefined();
      expect(own.orders).toBeGreaterThan(0);
      figures = sumOf(figures, own);
    }
    expect(figures.facts['book of a websocket frame used']).toBeGreaterThan(100);
    expect(streamKindsOf(exchange).filter((kind) => figures.struck[kind] === undefined)).toEqual([]);
  },
);
