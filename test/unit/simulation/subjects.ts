// A built-in strategy as a subject of the simulation.

import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../../src/bot/strategy/params.ts';
import { OWN_SUBJECTS } from '../../../src/research/simulation/plan/subjects.ts';
import type { SimulatedStrategy } from '../../../src/research/simulation/trial.ts';

export async function builtIn(name: string): Promise<SimulatedStrategy> {
  const own = OWN_SUBJECTS.get(name);
  if (own !== undefined) return own;
  const { strategy } = await loadStrategy(name);
  return { name, strategy, params: resolveParams(strategy, {}, () => undefined), markets: ['BTCUSDC'] };
}
