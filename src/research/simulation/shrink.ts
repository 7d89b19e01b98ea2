// Shrinks a failing plan: leaves out faults while the same invariant still fails, then shortens the run (delta debugging: Zeller, 1999).
import type { Plan } from './plan/faults.ts';
import { play } from './play.ts';
import { type Failure, failureOf, type SimulatedStrategy } from './trial.ts';

/** The most runs that shrinking may take. */
const BUDGET = 200;
/** How long the run goes on after its last fault, so that the fault can have its effect. */
const AFTERMATH = 5_000;

export async function shrink(subject: SimulatedStrategy, failure: Failure, budget = BUDGET): Promise<Failure> {
  let best = failure;
  let left = budget;
  const fails = async (change: Partial<Pick<Failure, 'options' | 'plan'>>): Promise<boolean> => {
    if (left-- <= 0) return false;
    const { options, plan } = { ...best, ...change };
    const found = failureOf(await play({ ...subject, options, plan }));
    if (found?.invariant !== failure.invariant) return false;
    best = found;
    return true;
  };
  await leaveOutParts(
    () => best.plan,
    (plan) => fails({ plan }),
  );
  for (const faultyMs of [AFTERMATH, best.options.faultyMs / 4, best.options.faultyMs / 2, best.at + AFTERMATH]) {
    const last = Math.max(0, ...best.plan.map(({ from }) => from));
    const shorter = Math.round(Math.max(faultyMs, last + AFTERMATH));
    if (shorter >= best.options.faultyMs) continue;
    const plan = best.plan.map((fault) => ({ ...fault, until: Math.min(fault.until, shorter) }));
    if (await fails({ options: { ...best.options, faultyMs: shorter }, plan })) break;
  }
  return best;
}

/** Leaves out ever smaller parts of the plan, as long as the run without them still fails. */
async function leaveOutParts(current: () => Plan, fails: (plan: Plan) => Promise<boolean>): Promise<void> {
  for (let parts = 2; current().length > 0; ) {
    const plan = current();
    const size = Math.ceil(plan.length / parts);
    let reduced = false;
    for (let start = 0; start < plan.length && !reduced; start += size) {
      reduced = await fails([...plan.slice(0, start), ...plan.slice(start + size)]);
    }
    if (reduced) parts = Math.max(2, parts - 1);
    else if (size <= 1) return;
    else parts = Math.min(plan.length, parts * 2);
  }
}
