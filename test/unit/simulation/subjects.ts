// A built-in strategy as a subject of the simulation.
import { OWN_SUBJECTS } from '../../../src/simulation/plan/subjects.ts';
import type { Subject } from '../../../src/simulation/trial.ts';
import { loadStrategy } from '../../../src/strategy/loading/loader.ts';
import { resolveParams } from '../../../src/strategy/params.ts';

export async function builtIn(name: string): Promise<Subject> {
  const own = OWN_SUBJECTS.get(name);
  if (own !== undefined) return own;
  const { strategy } = await loadStrategy(name);
  return { name, strategy, params: resolveParams(strategy, {}, () => undefined), markets: ['BTCUSDC'] };
}
