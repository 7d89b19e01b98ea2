// A few seeds of the simulation, until one of them finds something: 1 then, and 0 where none does.

import { marketsIn } from '../../src/cli/commands/run-plan.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { resolveParams } from '../../src/strategy/params.ts';
import { trial } from '../../src/torture/trial.ts';

const SEEDS = 12;

const { strategy } = await loadStrategy('grid');
const params = resolveParams(strategy, {}, () => undefined);
const subject = { name: 'grid', strategy, params, markets: marketsIn(params, 'grid') };
for (let seed = 0; seed < SEEDS; seed++) {
  const { failure } = await trial(subject, { seed: `mutant/${seed}`, profile: seed % 2 === 0 ? 'smoke' : 'swarm', twice: false });
  if (failure === undefined) continue;
  console.log(failure.invariant, failure.message);
  process.exit(1);
}
process.exit(0);
